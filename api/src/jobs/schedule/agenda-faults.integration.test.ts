/** @module-tag long */
import { afterEach, describe, expect, inject, it } from 'vitest';
import { setUpDatabase } from '../../../test/database.ts';
import { makeTcpProxy } from '../../../test/tcp-proxy.ts';
import { channels } from '../../base/channels.ts';
import { startListener } from '../../base/listener.ts';
import { silentLog } from '../../base/log.ts';
import type { Job } from '../job.ts';
import { startAgenda, startJobs } from './agenda.ts';
import type { Runner } from './runner.ts';

const mongoUrl = inject('mongoUrl');
/** How long a busy machine may take to run a job again. */
const TIMEOUT_MS = 30_000;
/** How long a job stays locked that was running when its store became unavailable. */
const LOCKED_MS = 20_000;
const TEST_MS = 4 * TIMEOUT_MS + LOCKED_MS;

const db = setUpDatabase();

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function counted(everyMs: number): { job: Job; runs: () => number } {
  let runs = 0;
  const job: Job = {
    name: `test-${Math.random().toString(36).slice(2)}`,
    everyMs,
    wakeUp: { channel: channels.work, payload: 'match' },
    run() {
      runs += 1;
      return Promise.resolve(undefined);
    },
  };
  return { job, runs: () => runs };
}

/** A runner that runs by Agenda's schedule only. */
function bySchedule(): { runner: Runner; runs: () => number } {
  const { job, runs } = counted(1000);
  const runScheduled = async () => void (await job.run());
  return {
    runner: { job, wake: runScheduled, runScheduled, scheduledRunElsewhere() {}, stop: () => Promise.resolve() },
    runs,
  };
}

async function start(job: Job, mongoUrl: string | undefined): Promise<void> {
  const listener = await startListener(db.url, silentLog);
  closing.push(() => listener.close());
  const jobs = await startJobs({
    database: db.url,
    mongoUrl,
    listener,
    log: silentLog,
    jobs: [job],
  });
  closing.push(() => jobs.close());
}

it(
  'continues by schedule after PostgreSQL has closed every connection',
  async () => {
    const { runner, runs } = bySchedule();
    const agenda = await startAgenda({ database: db.url, mongoUrl: undefined, log: silentLog, runners: [runner] });
    closing.push(() => agenda.close());
    await expect.poll(runs, { timeout: TIMEOUT_MS }).toBeGreaterThan(0);
    for (let cut = 0; cut < 5; cut++) {
      await db.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'lotwatch-agenda'`,
      );
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    const before = runs();
    await expect.poll(runs, { timeout: TIMEOUT_MS }).toBeGreaterThan(before);
  },
  TEST_MS,
);

it('runs a job that a dead worker locked 20 s ago', async () => {
  const { runner, runs } = bySchedule();
  const worker = () => startAgenda({ database: db.url, mongoUrl: undefined, log: silentLog, runners: [runner] });
  const dead = await worker();
  await expect.poll(runs, { timeout: TIMEOUT_MS }).toBeGreaterThan(0);
  await dead.close();
  await db.pool.query("update agenda_jobs set locked_at = now() - interval '21 s' where name = $1", [runner.job.name]);
  const before = runs();
  const agenda = await worker();
  closing.push(() => agenda.close());
  await expect.poll(runs, { timeout: 15_000 }).toBeGreaterThan(before);
});

it.skipIf(mongoUrl === null)(
  'runs by schedule as soon as MongoDB is available',
  { tags: 'long', timeout: TEST_MS },
  async () => {
    const proxy = await makeTcpProxy(mongoUrl ?? '');
    const { runner, runs } = bySchedule();
    const agenda = await startAgenda({ database: db.url, mongoUrl: proxy.url, log: silentLog, runners: [runner] });
    closing.push(() => agenda.close());
    const scheduled = async () => {
      const before = runs();
      await expect.poll(runs, { timeout: LOCKED_MS + TIMEOUT_MS }).toBeGreaterThan(before + 2);
    };
    await proxy.open();
    closing.push(() => proxy.close());
    await scheduled();
    await proxy.close();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await proxy.open();
    await scheduled();
  },
);

const goneStores = [
  {
    store: 'MongoDB',
    lose: async () => (await makeTcpProxy('mongodb://127.0.0.1/never')).url,
  },
  {
    store: "PostgreSQL's table",
    lose: async () => {
      await db.pool.query('alter table agenda_jobs rename to agenda_jobs_away');
      closing.push(async () => void (await db.pool.query('alter table agenda_jobs_away rename to agenda_jobs')));
      return undefined;
    },
  },
];

describe.each(goneStores)('while $store is gone', ({ lose }) => {
  it('runs when woken', async () => {
    const url = await lose();
    const { job, runs } = counted(600_000);
    await start(job, url);
    await expect.poll(runs, { timeout: TIMEOUT_MS }).toBe(1);
    await db.pool.query("select pg_notify('lotwatch_work', 'match')");
    await expect.poll(runs, { timeout: TIMEOUT_MS }).toBe(2);
  });

  it('runs repeatedly without being woken, in one of two processes', async () => {
    const url = await lose();
    const notified: string[] = [];
    const other = await startListener(db.url, silentLog);
    closing.push(() => other.close());
    await other.on('lotwatch_sweeps', (name) => notified.push(name));
    const { job, runs } = counted(200);
    const from = performance.now();
    await start(job, url);
    await start(job, url);
    await expect.poll(runs, { timeout: TIMEOUT_MS }).toBeGreaterThan(14);
    // One that has not run for 1.5 intervals is overdue. Each process alone would make as many runs as both together.
    expect(runs()).toBeLessThan((performance.now() - from) / 300 + 6);
    // Both ran at their start; every later run notified the others.
    await expect.poll(() => notified.length).toBeGreaterThanOrEqual(runs() - 3);
    expect(new Set(notified)).toEqual(new Set([job.name]));
  });
});
