import { expect, it, vi } from 'vitest';
import { askUntilChanged } from './leave-to-pay.ts';

it('asks until what is known has changed', async () => {
  let known = 'Free';
  const ask = vi.fn(async () => undefined);
  const look = askUntilChanged(() => known, ask);
  await look();
  await look();
  known = 'Pro';
  await look();
  expect(ask).toHaveBeenCalledTimes(2);
});

it('goes on asking when nothing was known at first: what came then may be the plan of before', async () => {
  let known: string | undefined;
  const ask = vi.fn(async () => undefined);
  const look = askUntilChanged(() => known, ask);
  await look();
  known = 'Free';
  await look();
  await look();
  known = 'Pro';
  await look();
  expect(ask).toHaveBeenCalledTimes(3);
});
