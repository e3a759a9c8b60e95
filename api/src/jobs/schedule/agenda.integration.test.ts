import { MongoClient } from 'mongodb';
import { describe, expect, inject, it } from 'vitest';
import { setUpDatabase } from '../../../test/database.ts';
import { silentLog } from '../../base/log.ts';
import type { Job } from '../job.ts';
import { startAgenda } from './agenda.ts';
import type { Runner } from './runner.ts';

const db = setUpDatabase(async () => {
  await db.pool.query('create table waiting (id int primary key, done_at timestamptz)');
  await db.pool.query('create table effects (id int)');
});

/** Claims rows under a lock as every job of LotWatch does, so that it may run any number of times. */
async function work(): Promise<undefined> {
  await db.pool.query(
    `with claimed as (select id from waiting where done_at is null order by id limit 7 for update skip locked),
          done as (update waiting w set done_at = now() from claimed where w.id = claimed.id returning w.id)
     insert into effects select id from done`,
  );
}

/** A runner that runs by Agenda's schedule only. */
function bySchedule(job: Job): Runner {
  const runScheduled = async () => void (await job.run());
  return { job, wake: runScheduled, runScheduled, scheduledRunElsewhere() {}, stop: () => Promise.resolve() };
}

/** The names of the jobs that are kept. */
async function keptNames(mongoUrl: string | null | undefined): Promise<string[]> {
  if (!mongoUrl) return (await db.rows('select name from agenda_jobs')).map(({ name }) => name);
  const client = new MongoClient(mongoUrl);
  const rows = await client.db().collection('agenda_jobs').find().toArray();
  await client.close();
  return rows.map(({ name }) => name);
}

function keepJobs(mongoUrl: string | null | undefined): void {
  it.skipIf(mongoUrl === null)('run by schedule in two workers at once, with each effect once', async () => {
    await db.pool.query('truncate waiting, effects');
    await db.pool.query('insert into waiting select generate_series(1, 28)');
    let runs = 0;
    const start = () =>
      startAgenda({
        database: db.url,
        mongoUrl: mongoUrl ?? undefined,
        log: silentLog,
        runners: [
          bySchedule({
            name: 'test-work',
            everyMs: 1000,
            run() {
              runs += 1;
              return work();
            },
          }),
        ],
      });
    const workers = await Promise.all([start(), start()]);
    await expect
      .poll(async () => (await db.pool.query('select id from waiting where done_at is null')).rowCount, {
        timeout: 25_000,
        interval: 200,
      })
      .toBe(0);
    await Promise.all(workers.map((worker) => worker.close()));
    const rows = await db.rows('select count(*)::int as effects, count(distinct id)::int as items from effects');
    expect(rows).toEqual([{ effects: 28, items: 28 }]);
    const after = runs;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(runs).toBe(after);
  });

  it.skipIf(mongoUrl === null)('finish the current run at shutdown', async () => {
    let ended = false;
    let began = () => {};
    const beginning = new Promise<void>((resolve) => {
      began = resolve;
    });
    const runner = bySchedule({
      name: 'test-slow',
      everyMs: 1000,
      async run() {
        began();
        await new Promise((resolve) => setTimeout(resolve, 700));
        ended = true;
        return undefined;
      },
    });
    const agenda = await startAgenda({
      database: db.url,
      mongoUrl: mongoUrl ?? undefined,
      log: silentLog,
      runners: [runner],
    });
    await beginning;
    await agenda.close();
    expect(ended).toBe(true);
  });

  it.skipIf(mongoUrl === null)('are deleted under a name that no job has any more', async () => {
    const runners = ['look-back', 'test-kept'].map((name) =>
      bySchedule({ name, everyMs: 60_000, run: () => Promise.resolve(undefined) }),
    );
    const agenda = await startAgenda({ database: db.url, mongoUrl: mongoUrl ?? undefined, log: silentLog, runners });
    await expect.poll(() => keptNames(mongoUrl)).toContain('test-kept');
    await expect.poll(() => keptNames(mongoUrl)).not.toContain('look-back');
    await agenda.close();
  });
}

describe('jobs kept in PostgreSQL', () => keepJobs(undefined));
// Building the substitute for MongoDB takes a minute.
describe('jobs kept in MongoDB', { tags: 'long' }, () => keepJobs(inject('mongoUrl')));
