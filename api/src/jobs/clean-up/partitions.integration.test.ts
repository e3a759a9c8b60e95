import { describe, expect, it } from 'vitest';
import { onCluster } from '../../../test/database.ts';
import { END, partsOf, setUpOldPartition } from '../../../test/matching/old-partitions.ts';
import { inTransaction } from '../../base/database.ts';
import { silentLog } from '../../base/log.ts';
import { partitionSteps } from './partitions.ts';
import { type StepParts, stepJob } from './step-job.ts';

const DISMISSED = 2_147_483_647;

const { owner, db, insertListings, insertRows, batch, run, partitionsOf, listingsOf, count } = setUpOldPartition();
const indexFaults = () =>
  db.rows(`select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid where not i.indisvalid`);

// Where the tables are distributed, no partition gets an end, and none leaves: `old-rows` has what happens there.

describe.skipIf(onCluster)('the last partition', () => {
  it('gets an end that is ahead of all listings once it has rows, and the next one takes what comes behind it', async () => {
    for (const table of ['matches', 'notifications']) {
      const [first, last, ...more] = await partitionsOf(table);
      expect(first).toMatchObject({ from: null, to: END });
      expect(last).toMatchObject({ from: END, to: null });
      expect(more).toEqual([]);
      expect(await count(first.part)).toBe(2_000);
      expect(await count(last.part)).toBe(20);
      const options = 'select reloptions from pg_class where oid = $1::regclass';
      expect(await db.row(options, [last.part])).toEqual(await db.row(options, [first.part]));
      expect((await db.row(options, [last.part])).reloptions).toContain('autovacuum_analyze_scale_factor=0.05');
      const checks = `select from pg_constraint where conname = 'bound_of_listings'`;
      expect(await db.rows(checks)).toEqual([]);
    }
    await insertRows(9_000_000, 9_000_000, 0);
    expect(await indexFaults()).toEqual([]);
  });

  it('gets an end of about a month at the rate of the last one, also when it has rows of much more', async () => {
    await insertListings(END + 10, END + 40_000, 5, 'for_sale');
    await run('bounded-matches');
    const [, second, last, ...more] = await partitionsOf('matches');
    // 40,000 listings in 30 days are 1,333 a day, and two days are left for the change.
    expect(second).toEqual({ part: `matches_from_${END}`, from: END, to: last.from });
    expect(last.from).toBeGreaterThan(END + 42_000);
    expect(last.from).toBeLessThan(END + 43_000);
    expect(last.to).toBeNull();
    expect(more).toEqual([]);
    await run('bounded-matches');
    expect(await partitionsOf('matches')).toHaveLength(3);
  });

  it('stays as it is while an installation is younger than a week, or no listing has come to it', async () => {
    await db.pool.query('truncate listings, listings_to_match, matches');
    await db.pool.query(`drop table matches_from_${END}; alter table matches detach partition matches_1;
      alter table matches attach partition matches_1 for values from (minvalue) to (maxvalue)`);
    await run('bounded-matches');
    await insertListings(1, 5_000, 6, 'for_sale');
    await run('bounded-matches');
    expect(await partitionsOf('matches')).toHaveLength(1);
  });

  it('gives up an end that listings come near, so that no insert is refused', async () => {
    await db.pool.query("select prepare_bound('matches', $1)", [END + 40_000]);
    await expect(insertRows(END + 50_000, END + 50_000, 0)).rejects.toThrow('bound_of_listings');
    await run('bounded-matches');
    await insertRows(END + 50_000, END + 50_000, 0);
    expect(await partitionsOf('matches')).toHaveLength(2);
  });

  it('ends where it was prepared, once its rows were compared', async () => {
    await db.pool.query("select prepare_bound('matches', $1)", [END + 400_000]);
    await run('bounded-matches');
    await expect
      .poll(async () => {
        await run('bounded-matches');
        return (await partitionsOf('matches')).at(-1)?.from;
      })
      .toBe(END + 400_000);
  });

  it('waits until nobody reads the table, and keeps nobody waiting for longer than a moment', async () => {
    await insertListings(END + 10, END + 2_000, 5, 'for_sale');
    const reader = await db.pool.connect();
    await reader.query('begin isolation level repeatable read; select from matches limit 1');
    const startedAt = performance.now();
    await run('bounded-matches');
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(await partitionsOf('matches')).toHaveLength(2);
    await reader.query('commit');
    reader.release();
    await run('bounded-matches');
    expect(await partitionsOf('matches')).toHaveLength(3);
  });
});

describe.skipIf(onCluster)('old matches and notifications', () => {
  it('leave with their partition, and the tables have what stays under the same keys', async () => {
    expect(await run('old-matches')).toBe(1);
    expect(await run('old-notifications')).toBe(1);
    for (const table of ['matches', 'notifications']) {
      const fresh = Array.from({ length: 10 }, (_, at) => END + at);
      expect(await listingsOf(table)).toEqual(fresh);
      expect(await partitionsOf(table)).toEqual([
        { part: `${table}_to_${END}`, from: null, to: END },
        { part: `${table}_from_${END}`, from: END, to: null },
      ]);
      expect(await run(`old-${table}`)).toBe(0);
    }
    expect(await indexFaults()).toEqual([]);
    await insertRows(500, 500, 0);
    await expect(insertRows(500, 500, 0)).rejects.toThrow('duplicate key');
    const { rows } = await db.pool.query('select id from notifications where listing_id = 500');
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2);
  });

  it('stay while the setting keeps them', async () => {
    const kept = { matches: 250, messages: 250 };
    for (const name of ['old-matches', 'old-notifications']) {
      const step = partitionSteps.find((one) => one.name === name);
      const done = await inTransaction(db.pool, async (client) =>
        step?.run(client, { after: null, rows: 1 }, { ...partsOf(db), keptDays: kept }),
      );
      expect(done).toEqual({ after: null, removed: 0 });
    }
    expect(await count('matches')).toBe(2_020);
  });

  it('stay whose listing is offered or was lately, that were matched lately, that are saved, dismissed or wait', async () => {
    const [mine = 0] = owner.alerts;
    await db.pool.query("update listings set status = 'for_sale' where id = 1");
    await db.pool.query("update listings set status = 'pending' where id = 2");
    await db.pool.query("update listings set last_seen_at = now() - interval '80 days' where id = 3");
    await db.pool.query('update matches set matched_at = now() where listing_id = 4 and alert_id = $1', [mine]);
    await db.pool.query('insert into saved_listings (user_id, listing_id, saved_at) values ($1, 5, now())', [
      owner.userId,
    ]);
    await db.pool.query('update matches set alert_version = $1 where listing_id = 6 and alert_id = $2', [
      DISMISSED,
      mine,
    ]);
    await db.pool.query("update notifications set status = 'waiting' where listing_id = 7 and alert_id = $1", [mine]);
    await db.pool.query('update notifications set created_at = now() where listing_id = 8 and alert_id = $1', [mine]);
    await run('old-matches', 60);
    await run('old-notifications', 60);
    const old = async (table: string) =>
      (
        await db.rows(
          `select listing_id as id, count(*)::int4 as n from ${table} where listing_id < ${END} group by 1 order by 1`,
        )
      ).map(({ id, n }) => `${id}: ${n}`);
    expect(await old('matches')).toEqual(['1: 2', '2: 2', '3: 2', '4: 1', '5: 2', '6: 1', '7: 1']);
    expect(await old('notifications')).toEqual(['1: 2', '2: 2', '3: 2', '7: 1', '8: 1']);
  });

  it('take with them what others changed meanwhile, whatever dies in between', async () => {
    const [mine = 0, other = 0] = owner.alerts;
    await db.pool.query('update matches set matched_at = now() where listing_id in (10, 11)');
    // Begins, and copies the first pages; each batch is on a connection of its own.
    await batch('old-matches', null, 60);
    for (let copied = 0; copied < 5; copied += 1) await batch('old-matches', 'more', 60);
    await db.pool.query('update matches set price = 7 where listing_id = 10 and alert_id = $1', [mine]);
    await db.pool.query('delete from matches where listing_id = 11 and alert_id = $1', [mine]);
    await db.pool.query('update matches set price = 8 where listing_id = 900 and alert_id = $1', [other]);
    await insertRows(1_500, 1_500, 200);
    await run('old-matches');
    expect(
      await db.rows(
        'select listing_id as id, alert_id = $1 as mine, price from matches where listing_id < $2 order by 1, 2',
        [mine, END],
      ),
    ).toEqual([
      { id: 10, mine: false, price: null },
      { id: 10, mine: true, price: 7 },
      { id: 11, mine: false, price: null },
      { id: 900, mine: false, price: 8 },
      { id: 1_500, mine: false, price: null },
      { id: 1_500, mine: true, price: null },
    ]);
    expect(await db.rows('select from leaving_partitions union all select from leaving_changes')).toEqual([]);
  });

  it('leave although a row that was copied is changed, and so copied once more', async () => {
    await db.pool.query("update listings set status = 'for_sale' where id <= 20");
    await batch('old-matches', null, 60);
    await batch('old-matches', 'more', 60);
    await batch('old-matches', 'more', 60);
    await db.pool.query('update matches set price = 9 where listing_id <= 20');
    expect(await run('old-matches', 60)).toBe(1);
    expect(await db.rows(`select distinct price from matches where listing_id < ${END}`)).toEqual([{ price: 9 }]);
    expect(await count('matches')).toBe(60);
  });

  it('wait for a reader, and are seen by it as they were', async () => {
    const reader = await db.pool.connect();
    await reader.query('begin isolation level repeatable read; select from matches limit 1');
    expect(await run('old-matches')).toBe(0);
    expect((await reader.query('select from matches')).rowCount).toBe(2_020);
    await reader.query('commit');
    reader.release();
    expect(await run('old-matches')).toBe(1);
    expect(await count('matches')).toBe(20);
  });

  it('leave once where two workers run the steps at the same time', async () => {
    const failed: unknown[] = [];
    const log = { info() {}, warn() {}, error: (_: string, data?: object) => void failed.push(data) };
    const { signal } = new AbortController();
    const job = stepJob<StepParts & ReturnType<typeof partsOf>>({ name: 'test', steps: partitionSteps });
    await Promise.all([1, 2, 3].map(() => job.run({ ...partsOf(db), log, signal })));
    await db.pool.query('update cleanup_positions set due_at = now()');
    await Promise.all([1, 2].map(() => job.run({ ...partsOf(db), log, signal })));
    expect(failed).toEqual([]);
    expect([await count('matches'), await count('notifications')]).toEqual([20, 20]);
    expect(await partitionsOf('matches')).toHaveLength(3);
  });
});

describe('slow statements about partitions', () => {
  const step = (name: string) => partitionSteps.find((one) => one.name === name);
  const analyze = (table: string, parts = partsOf(db)) =>
    inTransaction(db.pool, async (client) => step(`${table}-statistics`)?.run(client, { after: null, rows: 1 }, parts));
  const running = () =>
    db.rows(
      `select query from pg_stat_activity where application_name = 'lotwatch-partitions' and datname = current_database()`,
    );

  it('run one after another, on one connection of a process, and once where they are asked for again', async () => {
    const analyzed = async () =>
      (
        await db.rows(
          `select relname as table, analyze_count::int4 as n from pg_stat_user_tables
            where relname in ('matches', 'notifications') order by 1`,
        )
      ).map(({ n }) => n);
    const [matches, notifications] = await analyzed();
    const other = await db.pool.connect();
    try {
      await other.query('begin; lock table matches in share update exclusive mode');
      for (const table of ['matches', 'notifications', 'matches']) await analyze(table);
      await expect.poll(running).toEqual([{ query: expect.stringContaining("analyze_partitions('matches')") }]);
      expect(await analyzed()).toEqual([matches, notifications]);
      await other.query('commit');
    } finally {
      await other.query('rollback');
      other.release();
    }
    await expect.poll(analyzed).toEqual([matches + 1, notifications + 1]);
    await expect.poll(running).toEqual([]);
  });

  it('are logged when they fail, and the next one runs', async () => {
    const warned: unknown[][] = [];
    const log = { ...silentLog, warn: (...line: unknown[]) => void warned.push(line) };
    await analyze('matches', { ...partsOf(db), log, database: db.url.replace(/[^/]+$/, 'nowhere') });
    await expect
      .poll(() => warned)
      .toEqual([[expect.stringContaining('slow statement'), expect.objectContaining({ error: expect.any(Error) })]]);
    await analyze('matches');
    await expect.poll(running).toEqual([]);
  });
});
