import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeSiteFeed } from './site-reader.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A feed of a number that the test sets, with the count of its reads. */
function feedOf() {
  const state = { value: 1, reads: 0, fails: false };
  const follow = makeSiteFeed(async () => {
    state.reads += 1;
    if (state.fails) throw new Error('no database');
    return { seen: state.value };
  }, 1000);
  return { state, follow: () => follow()[Symbol.asyncIterator]() };
}

it('sends each subscriber the figures at once and then the changes, with one timer for all', async () => {
  const { state, follow } = feedOf();
  const followers = [follow(), follow(), follow()];
  const all = () => Promise.all(followers.map(async (one) => (await one.next()).value));
  expect(await all()).toEqual([{ seen: 1 }, { seen: 1 }, { seen: 1 }]);
  const reads = state.reads;
  await vi.advanceTimersByTimeAsync(1000);
  expect(await all()).toEqual([{ seen: 1 }, { seen: 1 }, { seen: 1 }]);
  state.value = 2;
  await vi.advanceTimersByTimeAsync(1000);
  expect(await all()).toEqual([{ seen: 2 }, { seen: 2 }, { seen: 2 }]);
  expect(state.reads - reads).toBe(2);
});

it('sends nothing while nothing changes, and a slow subscriber the newest figures only', async () => {
  const { state, follow } = feedOf();
  const one = follow();
  await one.next();
  await vi.advanceTimersByTimeAsync(1000);
  await one.next();
  let received = false;
  const next = one.next().finally(() => {
    received = true;
  });
  await vi.advanceTimersByTimeAsync(3000);
  expect(received).toBe(false);
  state.value = 2;
  await vi.advanceTimersByTimeAsync(1000);
  expect((await next).value).toEqual({ seen: 2 });
  state.value = 3;
  await vi.advanceTimersByTimeAsync(1000);
  state.value = 4;
  await vi.advanceTimersByTimeAsync(1000);
  expect((await one.next()).value).toEqual({ seen: 4 });
});

it('continues after a failed read', async () => {
  const { state, follow } = feedOf();
  state.fails = true;
  const one = follow();
  const next = one.next();
  await vi.advanceTimersByTimeAsync(1000);
  state.fails = false;
  await vi.advanceTimersByTimeAsync(1000);
  expect((await next).value).toEqual({ seen: 1 });
});

it('reads nothing without subscribers, and ends waiting ones', async () => {
  const { state, follow } = feedOf();
  const one = follow();
  await one.next();
  const waiting = one.next();
  await one.return?.();
  expect(await waiting).toEqual({ value: undefined, done: true });
  expect(await one.next()).toEqual({ value: undefined, done: true });
  const reads = state.reads;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(state.reads).toBe(reads);
  expect(vi.getTimerCount()).toBe(0);
});
