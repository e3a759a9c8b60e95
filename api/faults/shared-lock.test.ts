import { expect, it } from 'vitest';
import { makeSharedLock } from './shared-lock.ts';

it('runs exclusive work once all shared work has finished, and no shared work meanwhile', async () => {
  const lock = makeSharedLock();
  const order: string[] = [];
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  const slow = lock.shared(() => promise).then(() => order.push('slow'));
  const exclusive = lock.exclusive(async () => void order.push('exclusive'));
  const late = lock.shared(async () => void order.push('late'));
  finish();
  await Promise.all([slow, exclusive, late]);
  expect(order).toEqual(['slow', 'exclusive', 'late']);
});
