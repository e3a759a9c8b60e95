import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { bySize, PollLanes } from './poll-lanes.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const names = (count: number, name = 'hung') => Array.from({ length: count }, (_, index) => `${name}-${index}`);
const forEver = new Promise<void>(() => {});

/** Begins all that may, as reads that never end. */
function beginAll(lanes: PollLanes, waiting: string[]): string[] {
  const begun: string[] = [];
  for (let name = lanes.take(waiting); name !== undefined; name = lanes.take(waiting)) {
    lanes.begin(name, forEver);
    begun.push(name);
  }
  return begun;
}

async function readOnce(lanes: PollLanes, name: string, ms: number): Promise<void> {
  expect(lanes.take([name])).toBe(name);
  let end = () => {};
  lanes.begin(name, new Promise<void>((settle) => (end = settle)));
  expect(lanes.isRunning(name)).toBe(true);
  vi.advanceTimersByTime(ms);
  end();
  await lanes.oneEnds();
  expect(lanes.isRunning(name)).toBe(false);
}

it('keeps places for sources that take moments, however many hang', async () => {
  const lanes = new PollLanes();
  await readOnce(lanes, 'quick', 100);
  expect(beginAll(lanes, names(20))).toEqual(names(6));
  expect(beginAll(lanes, [...names(20).slice(6), 'quick', 'new'])).toEqual(['quick']);
});

it('leaves places to others beside those of which it is known that they take long', async () => {
  const lanes = new PollLanes();
  for (const name of names(6)) await readOnce(lanes, name, 20_000);
  const waiting = [...names(6), 'new', 'newer'];
  expect(beginAll(lanes, waiting)).toEqual([...names(4), 'new', 'newer']);
  expect(waiting).toEqual(['hung-4', 'hung-5']);
});

it('takes a source for quick again that was', async () => {
  const lanes = new PollLanes();
  for (const name of names(5)) await readOnce(lanes, name, 20_000);
  await readOnce(lanes, 'hung-4', 100);
  expect(beginAll(lanes, names(5))).toEqual(names(5));
});

it('goes through one large body at a time, and through small ones at once', async () => {
  let running = 0;
  let most = 0;
  let ends: (() => void)[] = [];
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((settle) => ends.push(settle));
    running -= 1;
  };
  const all = Promise.all(names(5).map(() => bySize(50_000_000, work)));
  expect(most).toBe(1);
  const small = bySize(1000, work);
  expect(running).toBe(2);
  for (let round = 0; round < 10; round++) {
    for (const end of ends.splice(0)) end();
    await new Promise<void>((settle) => setImmediate(settle));
  }
  ends = [];
  await Promise.all([all, small]);
  expect(most).toBe(2);
});
