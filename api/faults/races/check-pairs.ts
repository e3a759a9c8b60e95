import { setTimeout as sleep } from 'node:timers/promises';
import { rowsOfServers } from '../../lab/server-triggers.ts';
import type { Pool } from '../../src/base/database.ts';
import { isDistributed } from '../../src/placement/layout.ts';
import { oracleFits } from '../../test/matching/match-world.ts';
import { type AlertState, type ListingState, type Past, watchedIn } from './past-states.ts';
import { ALERT_LIMIT, type World } from './race-workers.ts';

/** Counts, as each change was committed, how many alerts of its owner watched. */
export function checkLimits({ alerts }: Past, world: World): Breach[] {
  const all = [...alerts.values()].flat().sort((a, b) => a.seq - b.seq);
  const current = new Map<AlertState[], AlertState>();
  const owners = new Map(
    all.map((state) => [state, [...alerts.values()].find((states) => states.includes(state)) ?? []]),
  );
  const breaches: Breach[] = [];
  for (const state of all) {
    current.set(owners.get(state) ?? [], state);
    const watching = [...current.values()].filter(
      (one) => one.userId === state.userId && !one.gone && one.isActive && one.expiresAt > state.from,
    );
    if (watching.length > ALERT_LIMIT) {
      const what = `user ${state.userId} has ${watching.length} alerts that watch`;
      breaches.push({ kind: 'limit', world: world.number, what });
    }
  }
  return breaches;
}

export type BreachKind = 'missing' | 'extra' | 'doubled' | 'late' | 'limit' | 'unexpected';

export interface Breach {
  kind: BreachKind;
  world: number;
  what: string;
}

/** Two commits within this time may have happened in either order. */
const SAME_TIME_MS = 50;
const LOOK_MS = 20;
const DAY_MS = 86_400_000;
const BACKFILL_MS = 14 * DAY_MS;

interface Now {
  now: number;
  /** Whether something still waits to be matched. */
  waits: boolean;
  listings: { id: number; seenAt: number }[] | null;
  matches: { listing: number; alert: number; version: number }[] | null;
}

/** A world in one snapshot of each server, read by one statement. A pair of another world's listing is one of its alert's user. */
const nowSql = `
  with listed as (select id, seen_at from listings where source = any($1)),
       asked as (select pending_match from alerts where user_id = any($2::int8[]))
  select extract(epoch from now())::float8 * 1000 as now,
         exists (select 1 from listings_to_match where is_news and listing_id in (select id from listed)) or exists (select 1 from asked where pending_match) as waits,
         (select json_agg(json_build_object('id', id, 'seenAt', extract(epoch from seen_at)::float8 * 1000)) from listed)
           as listings,
         (select json_agg(json_build_object('listing', listing_id, 'alert', alert_id, 'version', alert_version))
            from matches where user_id = any($2::int8[])) as matches`;

/** The state with which the alert began to watch for its current criteria. */
function watchBegan(states: readonly AlertState[], now: number): AlertState | null {
  const last = states.at(-1);
  if (!last || !watchedIn(last, now, now)) return null;
  let began = last;
  for (const state of states.toReversed().slice(1)) {
    const continues = state.isActive && state.version === last.version && state.expiresAt > state.until;
    if (!continues) break;
    began = state;
  }
  return began;
}

/** Whether alert and listing ever fitted at the same time. */
function everFitted(alert: readonly AlertState[], listing: readonly ListingState[], notedEarlyMs: number): boolean {
  return listing.some(
    (offer) =>
      offer.forSale &&
      !offer.gone &&
      alert.some(
        (asked) => watchedIn(asked, offer.from - notedEarlyMs, offer.until + notedEarlyMs) && oracleFits(asked, offer),
      ),
  );
}

/** Waits until what is prepared on a server now is committed there, so that each server shows what the coordinator has committed. */
async function untilCommitted(judge: Pool): Promise<void> {
  const read = async () => {
    const rows = await rowsOfServers<{ gid: string }>(
      judge,
      'select gid from pg_prepared_xacts where database = current_database()',
    );
    return rows.map(({ gid }) => gid);
  };
  const open = new Set(await read());
  while (open.size > 0) {
    await sleep(LOOK_MS);
    const now = new Set(await read());
    for (const gid of open) if (!now.has(gid)) open.delete(gid);
  }
}

/**
 * Judges the pairs of a world whenever nothing in it waits to be matched.
 * @param notedEarlyMs how long before its commit a recorded time may be
 */
export function makePairJudge(judge: Pool, world: World, notedEarlyMs: number) {
  const sameTimeMs = isDistributed() ? notedEarlyMs : SAME_TIME_MS;
  const judged = new Set<string>();
  let pairs = 0;

  async function readNow(): Promise<Now | undefined> {
    const { rows } = await judge.query<Now>({ name: 'race-now', text: nowSql, values: [world.sources, world.userIds] });
    return rows[0];
  }

  /** null while something waits. */
  async function check(readPast: () => Promise<Past>): Promise<Breach[] | null> {
    const first = await readNow();
    if (!first || first.waits) return null;
    const at = isDistributed() ? await untilCommitted(judge).then(readNow) : first;
    if (!at || at.waits) return null;
    return judgeNow(at, await readPast());
  }

  function judgeNow(at: Now, { alerts, listings }: Past): Breach[] {
    const breaches: Breach[] = [];
    const seenAt = new Map((at.listings ?? []).map(({ id, seenAt: seen }) => [id, seen]));
    const report = (kind: BreachKind, what: string) => breaches.push({ kind, world: world.number, what });
    const known = new Map<string, number>();
    for (const { listing, alert, version } of at.matches ?? []) {
      const pair = `${listing}:${alert}`;
      if (!seenAt.has(listing)) report('missing', `${pair} has lost its listing`);
      if (known.has(pair)) report('doubled', `${pair} exists twice`);
      known.set(pair, version);
      if (judged.has(pair)) continue;
      judged.add(pair);
      if (!everFitted(alerts.get(alert) ?? [], listings.get(listing) ?? [], notedEarlyMs))
        report('extra', `${pair} never fitted`);
    }
    for (const [alertId, states] of alerts) {
      const asked = states.at(-1);
      const began = watchBegan(states, at.now);
      if (!asked || !began) continue;
      for (const [listingId, offers] of listings) {
        const offer = offers.at(-1);
        if (!offer?.forSale || offer.gone) continue;
        const pair = `${listingId}:${alertId}`;
        const fits = oracleFits(asked, offer);
        const shown = known.get(pair) === asked.version;
        if (shown) pairs += 1;
        if (shown && !fits) report('extra', `${pair} is shown and does not fit`);
        const isDue =
          offer.from > began.from + sameTimeMs ||
          known.has(pair) ||
          (seenAt.get(listingId) ?? 0) > at.now - BACKFILL_MS + DAY_MS;
        if (!shown && fits && isDue) report('missing', `${pair} fits and is not shown`);
      }
    }
    return breaches;
  }

  return { check, pairs: () => pairs };
}
