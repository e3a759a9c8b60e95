import { setTimeout as sleep } from 'node:timers/promises';
import { dueSources, LeaseLost, untilNextPoll } from '../../sources/claim-source.ts';
import type { Job } from '../job.ts';
import { PollLanes } from './poll-lanes.ts';
import { type PollDeps, pollSource } from './poll-source.ts';

const PATIENCE_MS = 3000;

/** What each worker has under way. */
const lanesOf = new WeakMap<PollDeps, PollLanes>();

/**
 * Reads every source that is due, a few at once; returns how many were read. A source that takes long is left to
 * itself after a few seconds, so that it does not hold up the others. Calls may overlap: a source is read by one.
 */
export async function pollDueSources(deps: PollDeps): Promise<number> {
  const lanes = lanesOf.get(deps) ?? new PollLanes();
  lanesOf.set(deps, lanes);
  const waiting = (await dueSources(deps.pool)).filter((name) => !lanes.isRunning(name));
  const mine = new Set<string>();
  let polled = 0;
  const start = (name: string) => {
    mine.add(name);
    const poll = pollSource(deps, name)
      .then((done) => {
        if (done) polled += 1;
      })
      .catch((error: unknown) => {
        if (error instanceof LeaseLost) deps.log.warn('lease lost', { source: name });
        else if (!deps.signal?.aborted) deps.log.error('poll failed', { source: name, error });
      })
      .finally(() => mine.delete(name));
    lanes.begin(name, poll);
  };
  let patient = true;
  const patience = new AbortController();
  const outOfPatience = sleep(PATIENCE_MS, undefined, { signal: patience.signal, ref: false }).then(
    () => {
      patient = false;
    },
    () => {},
  );
  while (patient && !deps.signal?.aborted && (waiting.length > 0 || mine.size > 0)) {
    for (let name = lanes.take(waiting); name !== undefined; name = lanes.take(waiting)) start(name);
    await Promise.race([outOfPatience, lanes.oneEnds()]);
  }
  patience.abort();
  return polled;
}

/** Reads the sources that are due. */
export const pollSourcesJob: Job<PollDeps> = {
  name: 'poll-sources',
  everyMs: 5_000,
  async run(deps) {
    await pollDueSources(deps);
    return { nextInMs: await untilNextPoll(deps.pool) };
  },
};
