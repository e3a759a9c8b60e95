import { setTimeout as sleep } from 'node:timers/promises';
import { makePool, type Pool } from '../../src/base/database.ts';

/** What some work wrote, as the server counts it. */
export interface Written {
  /** Inserted, updated and deleted, by table; tables without any are left out. */
  rows: Record<string, number>;
  /** Bytes of the write-ahead log. */
  walBytes: number;
  seconds: number;
}

const NAME = 'lotwatch-measured';
const GONE_MS = 10_000;

async function countRows(pool: Pool): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ name: string; written: number }>(
    'select relname as name, n_tup_ins + n_tup_upd + n_tup_del as written from pg_stat_user_tables',
  );
  return new Map(rows.map(({ name, written }) => [name, written]));
}

async function walPosition(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>("select (pg_current_wal_lsn() - '0/0')::int8 as bytes");
  return rows[0]?.bytes ?? 0;
}

/** Runs work over connections of its own and waits for their end: only then are all their rows counted. */
export async function overOwnConnections(
  url: string,
  pool: Pool,
  work: (own: Pool) => Promise<unknown>,
): Promise<void> {
  const own = makePool(url, 20, NAME);
  await work(own).finally(() => own.end());
  const deadline = performance.now() + GONE_MS;
  const isThere = async () =>
    (await pool.query('select from pg_stat_activity where application_name = $1', [NAME])).rowCount !== 0;
  while (await isThere()) {
    if (performance.now() > deadline) throw new Error('The measured connections do not end.');
    await sleep(10);
  }
}

/**
 * Runs work over connections of its own and reads from the server what it wrote. Nothing else may write to the server
 * meanwhile, and whatever wrote before must have done so over connections of its own.
 */
export async function measureWritten(url: string, pool: Pool, work: (own: Pool) => Promise<unknown>): Promise<Written> {
  const before = await countRows(pool);
  const from = await walPosition(pool);
  let [seconds, walBytes] = [0, 0];
  await overOwnConnections(url, pool, async (own) => {
    const startedAt = performance.now();
    await work(own);
    seconds = (performance.now() - startedAt) / 1000;
    walBytes = (await walPosition(pool)) - from;
  });
  const after = await countRows(pool);
  const rows = [...after].map(([name, written]) => [name, written - (before.get(name) ?? 0)] as const);
  return { rows: Object.fromEntries(rows.filter(([, written]) => written > 0)), walBytes, seconds };
}
