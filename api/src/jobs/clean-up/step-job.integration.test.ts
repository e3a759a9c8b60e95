import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setUpDatabase } from '../../../test/database.ts';
import { insertUsers } from '../../../test/matching/match-rows.ts';
import type { BatchedCleanUp } from '../../base/batches.ts';
import { makePool, type Pool } from '../../base/database.ts';
import { purgeOrphans } from '../../matching/purge-orphans.ts';
import { cleanUpSteps, purgeListingsSteps } from './clean-up-job.ts';
import { type CleanUpStep, stepJob } from './step-job.ts';

const db = setUpDatabase();
beforeEach(() =>
  db.pool.query('truncate cleanup_positions, source_hours, idempotency_keys, phone_codes, alerts, matches cascade'),
);

const HOUR = 3_600_000;
const { signal } = new AbortController();

function makeJob(steps: readonly CleanUpStep[], over: { pool?: Pool; budgetMs?: number; signal?: AbortSignal } = {}) {
  const { budgetMs, ...parts } = over;
  const failed: unknown[] = [];
  const log = {
    info() {},
    warn() {},
    error: (_: string, data?: { step?: unknown }) => void failed.push(data?.step),
  };
  const job = stepJob({ name: 'test', steps, ...(budgetMs !== undefined && { budgetMs }) });
  return { failed, run: () => job.run({ pool: db.pool, log, signal, ...parts }) };
}

/** A step that counts to `end`, one number in each batch, and records where each batch began. */
function counting(name: string, end: number) {
  const began: (string | null)[] = [];
  const run: BatchedCleanUp = async (_db, batch) => {
    const after = batch?.after ?? null;
    began.push(after);
    const next = Number(after ?? 0) + 1;
    return { after: next < end ? String(next) : null, removed: 1 };
  };
  return { began, step: { name, everyMs: HOUR, run } };
}

const positions = async () => {
  const rows = await db.rows(
    `select step, position, round(extract(epoch from due_at - now()) / 60)::int4 as minutes
       from cleanup_positions order by step`,
  );
  return Object.fromEntries(rows.map(({ step, position, minutes }) => [step, [position, minutes]]));
};
const failing = (name: string): CleanUpStep => ({
  name,
  everyMs: HOUR,
  run: async (client) => {
    await client.query('select 1 / 0');
    return { after: null, removed: 0 };
  },
});

describe('steps', () => {
  it('continue after a step that always fails, which is logged by name and retried after five minutes', async () => {
    const [first, last] = [counting('first', 1), counting('last', 2)];
    const job = makeJob([first.step, failing('broken'), last.step]);
    expect((await job.run())?.nextInMs).toBeGreaterThan(290_000);
    expect(job.failed).toEqual(['broken']);
    expect([first.began, last.began]).toEqual([[null], [null, '1']]);
    expect(await positions()).toEqual({ broken: [null, 5], first: [null, 60], last: [null, 60] });

    await job.run();
    expect(job.failed).toEqual(['broken']);
    await db.pool.query('update cleanup_positions set due_at = now()');
    await job.run();
    expect(job.failed).toEqual(['broken', 'broken']);
    expect(last.began).toHaveLength(4);
  });

  it('roll back a batch that fails, and continue from the position of the batch before', async () => {
    let isBroken = true;
    const began: (string | null)[] = [];
    const step: CleanUpStep = {
      name: 'walk',
      everyMs: HOUR,
      async run(client, batch) {
        const at = batch?.after ?? null;
        began.push(at);
        await client.query("insert into source_hours (source, hour) values ($1, 'today')", [`hour-${at}`]);
        if (at === '2' && isBroken) throw new Error('not this time');
        return { after: at === '3' ? null : String(Number(at ?? 0) + 1), removed: 1 };
      },
    };
    await makeJob([step]).run();
    isBroken = false;
    await db.pool.query('update cleanup_positions set due_at = now()');
    await makeJob([step]).run();
    expect(began).toEqual([null, '1', '2', '2', '3']);
    const rows = await db.rows('select source from source_hours order by source');
    expect(rows.map(({ source }) => source)).toEqual(['hour-1', 'hour-2', 'hour-3', 'hour-null']);
  });

  it('are limited in time: a long walk continues a second later, also after a restart of the worker', async () => {
    const [long, short] = [counting('long', 7), counting('short', 1)];
    const steps = [long.step, short.step];
    expect(await makeJob(steps, { budgetMs: 0 }).run()).toEqual({ nextInMs: 1_000 });
    expect(await positions()).toEqual({ long: ['1', 0], short: [null, 60] });
    for (let restarts = 0; restarts < 6; restarts += 1) await makeJob(steps, { budgetMs: 0 }).run();
    expect(long.began).toEqual([null, '1', '2', '3', '4', '5', '6']);
    expect(short.began).toEqual([null]);
    expect(await positions()).toMatchObject({ long: [null, 60] });
  });

  it('stop after the current batch when the worker stops', async () => {
    const stop = new AbortController();
    const walk = counting('walk', 9);
    const step: CleanUpStep = {
      ...walk.step,
      run: (client, batch) => {
        if (batch?.after === '2') stop.abort();
        return walk.step.run(client, batch);
      },
    };
    const other = counting('other', 1);
    await makeJob([step, other.step], { signal: stop.signal }).run();
    expect([walk.began, other.began]).toEqual([[null, '1', '2'], []]);
    expect(await positions()).toMatchObject({ walk: ['3', 0] });
  });

  it('are shared by concurrent workers, each of which runs other batches', async () => {
    const other = makePool(db.url);
    try {
      const walk = counting('walk', 60);
      const runs = [db.pool, other].map((pool) => makeJob([walk.step], { pool }).run());
      await Promise.all(runs);
      await makeJob([walk.step]).run();
      expect(walk.began).toEqual([null, ...Array.from({ length: 59 }, (_, n) => String(n + 1))]);
    } finally {
      await other.end();
    }
  });

  it('take fewer rows after a statement that took too long', async () => {
    const asked: number[] = [];
    const step: CleanUpStep = {
      name: 'slow',
      everyMs: HOUR,
      rows: 4_000,
      async run(client, batch) {
        asked.push(batch?.rows ?? 0);
        if ((batch?.rows ?? 0) > 300) await client.query('select pg_sleep(5)');
        return { after: null, removed: 0 };
      },
    };
    const hurried = makePool(db.url, 2, 'hurried', 1_300);
    try {
      const job = makeJob([step], { pool: hurried });
      await job.run();
      expect([asked, job.failed]).toEqual([[4_000, 1_000, 250], []]);
    } finally {
      await hurried.end();
    }
  });

  it('take as many rows as before after a statement that somebody cancelled', async () => {
    const asked: number[] = [];
    const step: CleanUpStep = {
      name: 'cancelled',
      everyMs: HOUR,
      async run(client, batch) {
        asked.push(batch?.rows ?? 0);
        if (asked.length > 1) return { after: null, removed: 0 };
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
        const cancel = () =>
          db.rows(
            `select pg_cancel_backend(pid) from (
               select pid from pg_stat_activity where pid = $1 and wait_event = 'PgSleep' offset 0) asleep`,
            [rows[0]?.pid],
          );
        await Promise.all([client.query('select pg_sleep(30)'), expect.poll(cancel).toHaveLength(1)]);
        return { after: null, removed: 0 };
      },
    };
    const job = makeJob([step]);
    await job.run();
    expect(job.failed).toEqual(['cancelled']);
    await db.pool.query('update cleanup_positions set due_at = now()');
    await job.run();
    expect(asked).toEqual([5_000, 5_000]);
  });

  it('have unique names, under which their positions are stored', () => {
    const names = [...cleanUpSteps, ...purgeListingsSteps].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('a large table', () => {
  const ALERTS = 400;
  const GONE = 8;
  const ROWS_EACH = 150;
  /** The statement timeout. Deleting a row takes a millisecond. */
  const TIMEOUT_MS = 500;

  beforeEach(async () => {
    const [userId = 0] = (await db.rows('select id from users')).map(({ id }) => id);
    await db.pool.query(
      `insert into alerts (user_id, make, location, place, lat, lng, radius)
       select $1, 'toyota', '', '', 0, 0, 50 from generate_series(1, ${ALERTS})`,
      [userId],
    );
    await db.pool.query(
      `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced, position)
       select n, a.id, a.user_id, 1, 0, false, n from alerts a, generate_series(1, ${ROWS_EACH}) n`,
    );
    await db.pool.query(`delete from alerts where id % (${ALERTS} / ${GONE}) = 0`);
    await db.pool.query('analyze matches');
  });
  beforeAll(async () => {
    await insertUsers(db.pool);
    await db.pool.query(`create function slowly() returns trigger language plpgsql as
      $$ begin perform pg_sleep(0.001); return old; end $$`);
    await db.pool.query('create trigger slowly before delete on matches for each row execute function slowly()');
  });

  const orphans = async () =>
    (
      await db.row(
        'select count(*)::int4 as n from matches m where not exists (select from alerts a where a.id = m.alert_id)',
      )
    )?.n;

  it('is cleaned up in batches within a small time limit, across restarts', {
    timeout: 60_000,
    tags: 'long',
  }, async () => {
    const hurried = makePool(db.url, 3, 'hurried', TIMEOUT_MS + 1_000);
    try {
      expect(await orphans()).toBe(GONE * ROWS_EACH);
      const all = { after: null, rows: 1_000_000 };
      await expect(purgeOrphans('matches')(hurried, all)).rejects.toThrow('statement timeout');
      expect(await orphans()).toBe(GONE * ROWS_EACH);

      const step: CleanUpStep = { name: 'orphaned-matches', everyMs: HOUR, rows: 100, run: purgeOrphans('matches') };
      const left: number[] = [];
      let outcome: { nextInMs?: number | null } | undefined = { nextInMs: 0 };
      while ((outcome?.nextInMs ?? 0) <= 1_000 && left.length < 300) {
        // Each run is by another worker, so that only the database knows the position of the run before.
        const job = makeJob([step], { pool: hurried, budgetMs: 0 });
        outcome = await job.run();
        expect(job.failed).toEqual([]);
        left.push(await orphans());
      }
      expect(left.at(-1)).toBe(0);
      // Twenty alerts a batch, and a hundred rows of one at most.
      expect(left.length).toBeGreaterThanOrEqual(ALERTS / 20);
      expect(new Set(left).size).toBeGreaterThan(GONE);
      expect((await db.pool.query('select from matches')).rowCount).toBe((ALERTS - GONE) * ROWS_EACH);
    } finally {
      await hurried.end();
    }
  });
});
