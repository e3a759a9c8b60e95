import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { makeDoor } from '../../../test/door.ts';
import { startListener } from '../../base/listener.ts';
import { silentLog } from '../../base/log.ts';
import { startAgenda } from './agenda.ts';
import type { Job } from './runner.ts';
import { makeRunner } from './runner.ts';
import { startJobs } from './start-jobs.ts';

const mongoUrl = inject('mongoUrl');
/** How long a busy machine may take; a job that never comes back takes longer. */
const PATIENCE_MS = 30_000;
/** What was under way when its store went stays locked for a minute. */
const LOCKED_MS = 60_000;
const TEST_MS = 4 * PATIENCE_MS + LOCKED_MS;

let db: TestDatabase;
beforeAll(async () => {
  db = await makeTestDatabase();
});
afterAll(() => db.close());

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function counted(): { job: Job; runs: () => number } {
  let runs = 0;
  const job: Job = {
    name: `test-${Math.random().toString(36).slice(2)}`,
    everyMs: 1000,
    run() {
      runs += 1;
      return Promise.resolve(undefined);
    },
  };
  return { job, runs: () => runs };
}

it(
  'goes on by schedule after PostgreSQL cut every connection',
  async () => {
    const { job, runs } = counted();
    const agenda = startAgenda({
      databaseUrl: db.url,
      mongoUrl: undefined,
      log: silentLog,
      runners: [makeRunner(job, silentLog)],
    });
    closing.push(() => agenda.close());
    await expect.poll(runs, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
    for (let cut = 0; cut < 5; cut++) {
      await db.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'lotwatch-agenda'`,
      );
      await new Promise((settle) => setTimeout(settle, 150));
    }
    const before = runs();
    await expect.poll(runs, { timeout: PATIENCE_MS }).toBeGreaterThan(before);
  },
  TEST_MS,
);

it.skipIf(mongoUrl === null)(
  'works when woken while MongoDB is away, and by schedule when it is there',
  async () => {
    const way = await makeDoor(mongoUrl ?? '');
    const { job, runs } = counted();
    const listener = await startListener(db.url, silentLog);
    closing.push(() => listener.close());
    const jobs = await startJobs({
      databaseUrl: db.url,
      mongoUrl: way.url,
      listener,
      log: silentLog,
      jobs: [job],
      wakes: { match: job },
    });
    closing.push(() => jobs.close());
    const wakes = async () => {
      const before = runs();
      await db.pool.query("select pg_notify('lotwatch_work', 'match')");
      await expect.poll(runs, { timeout: PATIENCE_MS, interval: 20 }).toBe(before + 1);
    };
    await expect.poll(runs, { timeout: PATIENCE_MS }).toBe(1);
    await wakes();

    const scheduled = async () => {
      const before = runs();
      await expect.poll(runs, { timeout: LOCKED_MS + PATIENCE_MS }).toBeGreaterThan(before + 2);
    };
    await way.open();
    closing.push(() => way.shut());
    await scheduled();
    await way.shut();
    await new Promise((settle) => setTimeout(settle, 1500));
    await wakes();
    await way.open();
    await scheduled();
  },
  TEST_MS,
);
