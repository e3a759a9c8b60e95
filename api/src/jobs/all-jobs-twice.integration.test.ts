/** @module-tag long */
import { afterAll, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { prepareWork } from '../../test/jobs/prepare-work.ts';
import { startTwoWorkers, type TwoWorkers } from '../../test/jobs/two-workers.ts';
import { seedPlans } from '../billing/plans.ts';

const ROUNDS = 2;
/** How often all jobs are run in a round at most, as one job makes work for another. */
const MAX_RUNS = 60;

let workers: TwoWorkers;
const db = setUpDatabase(async () => {
  await seedPlans(db.pool);
  workers = await startTwoWorkers(db);
});
afterAll(async () => {
  await workers.close();
});

/** Runs every job of both workers at once. */
async function runAll(): Promise<void> {
  const [jobs, ofOther] = workers.jobs;
  await Promise.all(jobs.flatMap((job, index) => [job.run(), ofOther[index]?.run()]));
  await workers.idle();
  // A notification is due a few seconds after its match.
  await db.pool.query("update notifications set due_at = now() where status = 'waiting'");
}

const isDone = async (pendingQueries: readonly string[]): Promise<boolean> => {
  for (const sql of pendingQueries) if ((await db.pool.query(sql)).rowCount !== 0) return false;
  return true;
};

it('there is test work for every job of the worker', () => {
  expect(Object.keys(prepareWork).sort()).toEqual(workers.jobs[0].map(({ name }) => name).sort());
});

it('two workers that run every job at once cause each side effect once', async () => {
  const expected = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const pendingQueries: string[] = [];
    for (const prepare of Object.values(prepareWork)) {
      const work = await prepare(workers, round);
      for (const what of work.effects) expected.set(what, 1);
      pendingQueries.push(work.pendingQuery);
    }
    const isOver = async () =>
      [...expected.keys()].every((what) => workers.effects.has(what)) && (await isDone(pendingQueries));
    for (let runs = 0; runs < MAX_RUNS && !(await isOver()); runs += 1) await runAll();
    await runAll();
    const left = new Set([...expected.keys(), ...workers.effects.keys()]);
    const wrong = [...left].filter((what) => workers.effects.get(what) !== expected.get(what));
    expect(wrong.map((what) => `${what}: ${workers.effects.get(what) ?? 0} times`)).toEqual([]);
    expect(await isDone(pendingQueries)).toBe(true);
  }
  expect(workers.problems).toEqual([]);
}, 120_000);
