import { MongoClient } from 'mongodb';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { setUpDatabase } from '../../../test/database.ts';
import { playReplicaSet, type ReplicaSet, type StepDown } from '../../../test/servers/mongo-replica-set.ts';
import { silentLog } from '../../base/log.ts';
import type { Job } from '../job.ts';
import { startAgenda } from './agenda.ts';
import { JobChanges } from './job-changes.ts';
import type { Runner } from './runner.ts';

const mongoUrl = inject('mongoUrl');
const TIMEOUT_MS = 30_000;
/** Sooner than a lock of 20 s ends that a primary wrote without being able to say so. */
const SOON_MS = 15_000;

const db = setUpDatabase(async () => {
  await db.pool.query('create table waiting (id int primary key, done_at timestamptz)');
  await db.pool.query('create table effects (id int)');
});

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Claims rows under a lock as every job of LotWatch does, so that it may run any number of times. */
async function work(): Promise<void> {
  await db.pool.query(
    `with claimed as (select id from waiting where done_at is null order by id limit 3 for update skip locked),
          done as (update waiting w set done_at = now() from claimed where w.id = claimed.id returning w.id)
     insert into effects select id from done`,
  );
}

/** A set before the stand-in, with a database of its own. */
async function playSet(): Promise<ReplicaSet> {
  const url = new URL(mongoUrl ?? '');
  url.pathname = `/set_${Math.random().toString(36).slice(2)}`;
  const set = await playReplicaSet(url.href);
  closing.push(() => set.close());
  return set;
}

/** A runner that runs by Agenda's schedule only. */
function bySchedule(name: string, everyMs: number): { runner: Runner; runs: () => number } {
  let runs = 0;
  const job: Job = { name, everyMs, run: () => Promise.resolve(undefined) };
  const runScheduled = async () => {
    runs++;
    await work();
  };
  return {
    runner: { job, wake: runScheduled, runScheduled, scheduledRunElsewhere() {}, stop: () => Promise.resolve() },
    runs: () => runs,
  };
}

async function start(url: string, runners: Runner[], onStore?: (isReached: boolean) => void) {
  const agenda = await startAgenda({ database: db.url, mongoUrl: url, log: silentLog, runners, onStore });
  closing.push(() => agenda.close());
}

/** The first member alone, as somebody names a server that may be a set or not. */
const firstOf = ({ url }: ReplicaSet): string => url.replace(/,[^/]+/, '');

async function follow(url: string) {
  const client = new MongoClient(url);
  const changes = new JobChanges({ client, db: client.db(), collection: 'agenda_jobs', warn: () => {} });
  closing.push(
    () => client.close(),
    () => changes.disconnect(),
  );
  const names: string[] = [];
  changes.subscribe(({ jobName }) => void names.push(jobName));
  await client.connect();
  await changes.connect();
  const save = async (name: string) => {
    const jobs = client.db().collection('agenda_jobs');
    await jobs.findOneAndUpdate(
      { name },
      { $set: { name, nextRunAt: new Date() } },
      { upsert: true, returnDocument: 'after' },
    );
  };
  const saved = async (name: string) => {
    await save(name);
    return names;
  };
  return { changes, names, save, saved };
}

const slow = { tags: 'long', timeout: 4 * TIMEOUT_MS };

describe.skipIf(mongoUrl === null)('jobs kept in a replica set', slow, () => {
  it('are each done once while the primary steps down ten times, and go on within seconds', async () => {
    const set = await playSet();
    const ways: StepDown[] = ['refuses', 'closes', 'closes late', 'is silent'];
    const all = ways.flatMap((_way, at) => bySchedule(`test-work-${at}`, 1000));
    const runners = all.map(({ runner }) => runner);
    const runs = () => all.reduce((sum, one) => sum + one.runs(), 0);
    const states: boolean[] = [];
    // Two workers.
    await start(set.url, runners, (isReached) => states.push(isReached));
    await start(set.url, runners);
    await expect.poll(runs, { timeout: TIMEOUT_MS }).toBeGreaterThan(0);
    let items = 0;
    for (let round = 0; round < 10; round++) {
      await db.pool.query('insert into waiting select generate_series($1::int, $1::int + 19)', [items]);
      items += 20;
      // The last election takes longer than the driver waits for a primary.
      set.stepDown(ways[round % ways.length] ?? 'refuses', round === 9 ? 7_000 : 1_500);
      await expect.poll(() => set.hasPrimary(), { timeout: TIMEOUT_MS }).toBe(true);
      const before = runs();
      await expect.poll(runs, { timeout: SOON_MS }).toBeGreaterThan(before);
    }
    const left = async () => (await db.pool.query('select id from waiting where done_at is null')).rowCount;
    await expect.poll(left, { timeout: TIMEOUT_MS }).toBe(0);
    const rows = await db.rows('select count(*)::int as effects, count(distinct id)::int as items from effects');
    expect(rows).toEqual([{ effects: items, items }]);
    expect(states).toContain(false);
    expect(states.at(-1)).toBe(true);
  });

  it('are released at once where the answer to a lock was lost', async () => {
    const set = await playSet();
    const { runner, runs } = bySchedule('test-work', 5_000);
    await start(set.url, [runner]);
    await expect.poll(runs, { timeout: TIMEOUT_MS }).toBe(1);
    const client = new MongoClient(set.url);
    closing.push(() => client.close());
    const lock = () =>
      client
        .db()
        .collection('agenda_jobs')
        .updateOne({ lockedAt: null }, { $set: { lockedAt: new Date() } });
    await expect.poll(async () => (await lock()).modifiedCount, { timeout: TIMEOUT_MS }).toBe(1);
    const before = runs();
    // Longer than the driver waits, so that polls fail.
    set.stepDown('refuses', 6_000);
    await expect.poll(() => set.hasPrimary(), { timeout: TIMEOUT_MS }).toBe(true);
    await expect.poll(runs, { timeout: SOON_MS - 6_000 }).toBeGreaterThan(before);
  });

  it('go on where the driver waits for an answer of a cut server for ever', async () => {
    const set = await playSet();
    set.tellsChanges = false;
    const { runner, runs } = bySchedule('test-work', 1000);
    await start(set.url, [runner]);
    for (const way of ['is silent', 'refuses'] satisfies StepDown[]) {
      await expect.poll(runs, { timeout: TIMEOUT_MS }).toBeGreaterThan(0);
      set.stepDown(way, 1_500);
      await expect.poll(() => set.hasPrimary(), { timeout: TIMEOUT_MS }).toBe(true);
      const before = runs();
      await expect.poll(runs, { timeout: 2 * TIMEOUT_MS }).toBeGreaterThan(before + 1);
    }
  });

  it('are told of by its stream of changes, also after an election', async () => {
    const set = await playSet();
    const { names, save, saved } = await follow(set.url);
    await expect.poll(set.openStreams).toBe(1);
    await save('first');
    await expect.poll(() => names, { timeout: TIMEOUT_MS }).toEqual(['first']);
    set.stepDown('refuses', 1_000);
    await expect.poll(() => set.hasPrimary(), { timeout: TIMEOUT_MS }).toBe(true);
    await expect.poll(() => saved('second'), { timeout: TIMEOUT_MS }).toContain('second');
    expect(set.openStreams()).toBe(1);
  });

  it('are polled while the server is alone, and followed as soon as it is a set', async () => {
    const set = await playSet();
    set.isSet = false;
    const { changes, names, save, saved } = await follow(firstOf(set));
    await save('first');
    expect(changes.isFollowing).toBe(false);
    for (const isSet of [true, false, true]) {
      set.isSet = isSet;
      set.cut();
      await expect.poll(() => changes.isFollowing, { timeout: TIMEOUT_MS }).toBe(isSet);
    }
    await expect.poll(() => saved('second'), { timeout: TIMEOUT_MS }).toContain('second');
    expect(names).not.toContain('first');
  });

  it('are polled where the server refuses streams', async () => {
    const set = await playSet();
    set.hasStreams = false;
    const { runner, runs } = bySchedule('test-work', 1000);
    await start(set.url, [runner]);
    await expect.poll(runs, { timeout: TIMEOUT_MS }).toBeGreaterThan(3);
    expect(set.openStreams()).toBe(0);
    set.hasStreams = true;
    await expect.poll(set.openStreams, { timeout: TIMEOUT_MS }).toBe(1);
  });
});
