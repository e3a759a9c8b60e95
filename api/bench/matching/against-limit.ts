import { matchPendingListings } from '../../src/matching/match-listings.ts';
import type { ThrowAway } from '../rig/throw-away.ts';
import { makeSameRows } from './same-rows.ts';

const ROUNDS = 9;

export interface Speed {
  listingsPerSecond: number;
  rowsPerSecond: number;
  limitRowsPerSecond: number;
  ratio: number;
  rounds: number[];
}

export interface LimitOptions {
  ids: readonly number[];
  withNotifications: boolean;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/**
 * The product's matching of listings that wait, and after each of its batches the same rows by INSERT … SELECT alone
 * in one transaction, so that noise and growing tables meet both alike. Rows are matches and notifications together.
 */
export async function timeAgainstLimit(db: ThrowAway, { ids, withNotifications }: LimitOptions): Promise<Speed> {
  const { pool } = db;
  const client = await pool.connect();
  try {
    const same = await makeSameRows(db, client);
    await pool.query('update listings set pending_match = id = any ($1::int8[]), announce = $2', [
      ids,
      withNotifications,
    ]);
    await pool.query('vacuum analyze listings');
    await pool.query('checkpoint');
    const rounds: { listings: number; rows: number; ms: number; limitMs: number }[] = [];
    let round = { listings: 0, rows: 0, ms: 0, limitMs: 0 };
    for (;;) {
      const start = performance.now();
      const handled = await matchPendingListings(pool);
      const ms = performance.now() - start;
      if (handled === 0) break;
      const kept = await same.keep();
      round.limitMs += await same.write(withNotifications);
      round.ms += ms;
      round.listings += handled;
      round.rows += kept.matches + kept.notifications;
      if (round.listings < ids.length / ROUNDS) continue;
      rounds.push(round);
      round = { listings: 0, rows: 0, ms: 0, limitMs: 0 };
    }
    if (round.listings > 0) rounds.push(round);
    const perSecond = (count: (one: (typeof rounds)[number]) => number) =>
      Math.round(median(rounds.map(count)) * 1_000);
    const ratios = rounds.map(({ ms, limitMs }) => limitMs / ms);
    return {
      listingsPerSecond: perSecond(({ listings, ms }) => listings / ms),
      rowsPerSecond: perSecond(({ rows, ms }) => rows / ms),
      limitRowsPerSecond: perSecond(({ rows, limitMs }) => rows / limitMs),
      ratio: Number(median(ratios).toFixed(3)),
      rounds: ratios.map((ratio) => Number(ratio.toFixed(3))),
    };
  } finally {
    client.release();
  }
}
