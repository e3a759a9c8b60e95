import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { currentRequestId, withRequestId } from '../../base/request-id.ts';
import type { Job, RunOutcome } from '../job.ts';
import { makeRunner } from './runner.ts';

/** The runner of a job whose runs are counted. @param run gets the number of the run */
function countingRunner(run: (number: number) => RunOutcome | undefined | Promise<undefined>, everyMs = 1_000) {
  const counted = { runs: 0 };
  const job: Job = {
    name: 'test',
    everyMs,
    async run() {
      counted.runs += 1;
      return run(counted.runs);
    },
  };
  return { counted, runner: makeRunner(job, silentLog) };
}

function failFirst(run: number): undefined {
  if (run === 1) throw new Error('down');
}

it('runs the job one at a time, and once more for all wake-ups during a run', async () => {
  let atOnce = 0;
  const first = Promise.withResolvers<void>();
  const { counted, runner } = countingRunner(async (run) => {
    atOnce += 1;
    expect(atOnce).toBe(1);
    if (run === 1) await first.promise;
    atOnce -= 1;
    return undefined;
  });
  const waking = [runner.wake(), runner.wake(), runner.wake()];
  first.resolve();
  await Promise.all(waking);
  expect(counted.runs).toBe(2);
});

it('runs the job again when its work falls due, and not after stop', async () => {
  const { counted, runner } = countingRunner((run) => ({ nextInMs: run < 3 ? 5 : null }));
  await runner.wake();
  await expect.poll(() => counted.runs, { timeout: 10_000, interval: 5 }).toBe(3);
  await runner.stop();
  await runner.wake();
  expect(counted.runs).toBe(3);
});

it('gives each run an id of its own', async () => {
  const ids: (string | null)[] = [];
  const { runner } = countingRunner(async () => {
    await Promise.resolve();
    ids.push(currentRequestId());
    return undefined;
  });
  await withRequestId('of the one who wakes it', () => runner.wake());
  await runner.wake();
  expect(new Set(ids).size).toBe(2);
  expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
});

it('continues after a failed run', async () => {
  const { counted, runner } = countingRunner(failFirst);
  await runner.wake();
  await runner.wake();
  expect(counted.runs).toBe(2);
});

it('runs the job again soon after a failed run, whether or not the schedule is available', async () => {
  const { counted, runner } = countingRunner(failFirst, 60_000);
  await runner.wake();
  await expect.poll(() => counted.runs, { timeout: 10_000 }).toBe(2);
  await runner.stop();
});

describe('without a wake-up', () => {
  const EVERY_MS = 10_000;
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** As many processes as asked for, whose runners notify each other of what they run by schedule. */
  function runnersOf(count: number) {
    const runs: number[] = [];
    const began = Date.now();
    const job = {
      name: 'test',
      everyMs: EVERY_MS,
      run() {
        runs.push((Date.now() - began) / EVERY_MS);
        return Promise.resolve(undefined);
      },
    };
    const runners = Array.from({ length: count }, () =>
      makeRunner(job, silentLog, () => {
        for (const runner of runners) runner.scheduledRunElsewhere();
      }),
    );
    return { runners, runs };
  }

  it('runs one and a half to two intervals after the last run while the schedule is not available', async () => {
    const { runners, runs } = runnersOf(1);
    await runners[0]?.wake();
    await vi.advanceTimersByTimeAsync(20 * EVERY_MS);
    expect(runs.length).toBeGreaterThanOrEqual(10);
    const gaps = runs.slice(1).map((at, index) => at - (runs[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1.5);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(2);
    await runners[0]?.stop();
    const before = runs.length;
    await vi.advanceTimersByTimeAsync(5 * EVERY_MS);
    expect(runs).toHaveLength(before);
  });

  it('continues so after a failed run and after one that returned when it is due', async () => {
    const { counted, runner } = countingRunner((run) => {
      failFirst(run);
      return run === 2 ? { nextInMs: 5 } : { nextInMs: null };
    }, EVERY_MS);
    await runner.wake();
    await vi.advanceTimersByTimeAsync(1_010);
    expect(counted.runs).toBe(3);
    await vi.advanceTimersByTimeAsync(10 * EVERY_MS);
    expect(counted.runs).toBeGreaterThanOrEqual(8);
    await runner.stop();
  });

  it('adds no runs while the schedule is available, whichever process it starts the job in', async () => {
    const { runners, runs } = runnersOf(3);
    for (let run = 0; run < 60; run += 1) {
      // Agenda's store gives each run to the process that asks first, here to the last one for a long time.
      await (run < 10 ? runners[run % 3] : runners[2])?.runScheduled();
      await vi.advanceTimersByTimeAsync(EVERY_MS);
    }
    expect(runs).toHaveLength(60);
  });

  it('runs in one of several processes while the schedule is not available', async () => {
    const { runners, runs } = runnersOf(4);
    await runners[0]?.runScheduled();
    await vi.advanceTimersByTimeAsync(30 * EVERY_MS);
    expect(runs.length).toBeGreaterThanOrEqual(15);
    const gaps = runs.slice(1).map((at, index) => at - (runs[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1.5);
  });
});
