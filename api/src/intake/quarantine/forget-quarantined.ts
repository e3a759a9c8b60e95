import type { Queryable } from '../../base/database.ts';
import { type QuarantineFilter, quarantineWhere } from './read-quarantine.ts';

/** The newest of each source that stay. */
export interface QuarantineBounds {
  rows: number;
  bytes: number;
}

const BOUNDS: QuarantineBounds = { rows: 100_000, bytes: 500_000_000 };

/**
 * Records leave that were not seen for 30 days, and of each source those beyond its newest 100,000 or its newest
 * 500 MB as stored. @returns how many
 */
export async function forgetQuarantined(db: Queryable, bounds = BOUNDS): Promise<number> {
  const old = await db.query("delete from quarantine where last_seen_at < now() - interval '30 days'");
  const beyond = await db.query(
    `delete from quarantine q using (
       select id, row_number() over newest as place, sum(pg_column_size(record)) over newest as bytes
         from quarantine window newest as (partition by source order by last_seen_at desc, id desc)
     ) r where q.id = r.id and (r.place > $1 or r.bytes > $2)`,
    [bounds.rows, bounds.bytes],
  );
  return (old.rowCount ?? 0) + (beyond.rowCount ?? 0);
}

/** Takes records out of the quarantine without another try. @returns how many */
export async function dismissQuarantined(db: Queryable, filter: QuarantineFilter): Promise<number> {
  const { where, values } = quarantineWhere(filter);
  return (await db.query(`delete from quarantine where ${where}`, values)).rowCount ?? 0;
}

/** The counts and lags of a source's hours are only looked at for a day. */
export async function forgetHours(db: Queryable): Promise<void> {
  await db.query("delete from source_hours where hour < now() - interval '3 days'");
  await db.query("delete from source_lags where hour < now() - interval '3 days'");
}
