import { afterEach, expect, it, vi } from 'vitest';
import { withMinimumDuration } from '../email/addresses.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('answers once both the work and the minimum duration are over', async () => {
  vi.useFakeTimers();
  let answered = '';
  const quick = withMinimumDuration(250, () => Promise.resolve('done')).then((result) => {
    answered = result;
  });
  await vi.advanceTimersByTimeAsync(249);
  expect(answered).toBe('');
  await vi.advanceTimersByTimeAsync(1);
  await quick;
  expect(answered).toBe('done');
});
