import { afterEach, expect, it, vi } from 'vitest';
import { takeAtLeast } from './take-at-least.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('answers when both the work and the time are over', async () => {
  vi.useFakeTimers();
  let answered = '';
  const quick = takeAtLeast(250, () => Promise.resolve('done')).then((result) => {
    answered = result;
  });
  await vi.advanceTimersByTimeAsync(249);
  expect(answered).toBe('');
  await vi.advanceTimersByTimeAsync(1);
  await quick;
  expect(answered).toBe('done');
});
