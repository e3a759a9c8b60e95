import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PollLimit } from './poll-sources-job.ts';
import { limitLargeBodies } from './store-records.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const names = (count: number, name = 'hung') => Array.from({ length: count }, (_, index) => `${name}-${index}`);
const forEver = new Promise<void>(() => {});

/** Adds all sources that may be read, with reads that never end. */
function addAll(limit: PollLimit, waiting: string[]): string[] {
  const added: string[] = [];
  for (let name = limit.take(waiting); name !== undefined; name = limit.take(waiting)) {
    limit.add(name, forEver);
    added.push(name);
  }
  return added;
}

async function readOnce(limit: PollLimit, name: string, ms: number): Promise<void> {
  expect(limit.take([name])).toBe(name);
  let end = () => {};
  limit.add(name, new Promise<void>((resolve) => (end = resolve)));
  expect(limit.isRunning(name)).toBe(true);
  vi.advanceTimersByTime(ms);
  end();
  await limit.oneEnds();
  expect(limit.isRunning(name)).toBe(false);
}

it('reserves slots for quick sources, however many others hang', async () => {
  const limit = new PollLimit();
  await readOnce(limit, 'quick', 100);
  expect(addAll(limit, names(20))).toEqual(names(6));
  expect(addAll(limit, [...names(20).slice(6), 'quick', 'new'])).toEqual(['quick']);
});

it('leaves slots to other sources beside those known to be slow', async () => {
  const limit = new PollLimit();
  for (const name of names(6)) await readOnce(limit, name, 20_000);
  const waiting = [...names(6), 'new', 'newer'];
  expect(addAll(limit, waiting)).toEqual([...names(4), 'new', 'newer']);
  expect(waiting).toEqual(['hung-4', 'hung-5']);
});

it('classifies a source by its last read only', async () => {
  const limit = new PollLimit();
  for (const name of names(5)) await readOnce(limit, name, 20_000);
  await readOnce(limit, 'hung-4', 100);
  expect(addAll(limit, names(5))).toEqual(names(5));
});

it('reads one large body at a time, and small ones concurrently', async () => {
  let running = 0;
  let most = 0;
  let ends: (() => void)[] = [];
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => ends.push(resolve));
    running -= 1;
  };
  const all = Promise.all(names(5).map(() => limitLargeBodies(50_000_000, work)));
  await new Promise<void>((resolve) => setImmediate(resolve));
  expect(most).toBe(1);
  const small = limitLargeBodies(1000, work);
  expect(running).toBe(2);
  for (let round = 0; round < 10; round++) {
    for (const end of ends.splice(0)) end();
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  ends = [];
  await Promise.all([all, small]);
  expect(most).toBe(2);
});
