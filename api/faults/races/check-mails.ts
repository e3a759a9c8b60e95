import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../../src/base/database.ts';
import { carMailKinds } from '../../src/domain/mail-kinds.ts';
import { isDistributed } from '../../src/placement/layout.ts';
import type { OutgoingMail } from '../../src/vendors/mail.ts';
import { oracleFits } from '../../test/matching/match-world.ts';
import type { Breach, BreachKind } from './check-pairs.ts';
import { type AlertState, type Past, watchedIn } from './past-states.ts';
import type { World } from './race-workers.ts';

/** The longest time after a deactivation, deletion or expiry in which a mail may be claimed, in milliseconds. */
const LATEST_MS = 1_000;
const TIMEOUT_MS = 120_000;
const LOOK_MS = 300;

interface Noted {
  id: number;
  alertId: number;
  listingId: number;
  kind: 'match' | 'price_drop';
  status: string;
  price: number | null;
}

interface Claimed {
  id: string;
  alertId: number;
  claimedAt: number;
}

interface MailFindings {
  breaches: Breach[];
  mails: number;
  /** Cars for sale that fit an alert which watched all the time, and that no mail announced. */
  unannounced: string[];
  /** The latest claim after an alert had stopped watching, in milliseconds. */
  latestMs: number;
}

/** How long before this time the alert had stopped watching; 0 while it watched. */
function silentForMs(states: readonly AlertState[], at: number): number {
  if (states.some((state) => watchedIn(state, at, at))) return 0;
  const ends = states
    .filter((state) => !state.gone && state.isActive && state.from <= at)
    .map((state) => Math.min(state.until, state.expiresAt));
  return ends.length === 0 ? Number.POSITIVE_INFINITY : at - Math.max(...ends);
}

const isCheaper = (price: number | null, from: number | null): boolean =>
  price !== null && from !== null && price * 100 <= from * 95;

/** Waits until no mail of the world waits, then judges the sent ones. */
export async function checkMails(
  judge: Pool,
  world: World,
  past: Past,
  {
    mailsOf,
    vinOf,
    notedEarlyMs,
  }: {
    mailsOf(alertId: number): readonly OutgoingMail[];
    vinOf(externalId: string): string | undefined;
    notedEarlyMs: number;
  },
): Promise<MailFindings> {
  // A server shows what ends an alert when it has committed it.
  const latestAllowedMs = LATEST_MS + (isDistributed() ? notedEarlyMs : 0);
  const alertIds = [...past.alerts.keys()];
  const breaches: Breach[] = [];
  const report = (kind: BreachKind, what: string) => breaches.push({ kind, world: world.number, what });
  const notes = await completedNotifications(judge, alertIds);
  for (const { id, status } of notes) {
    if (status === 'waiting' || status === 'sending') report('missing', `notification ${id} stays ${status}`);
  }
  const { rows: claims } = await judge.query<Claimed>(
    `select id, alert_id as "alertId", extract(epoch from claimed_at)::float8 * 1000 as "claimedAt"
       from mails where alert_id = any($1::int8[]) and kind = any($2) and status = 'sent'`,
    [alertIds, carMailKinds],
  );
  const claimedAt = new Map(claims.map((claim) => [claim.id, claim.claimedAt]));
  let [mails, latestMs] = [0, 0];
  for (const [alertId, states] of past.alerts) {
    const sentNotes = new Set<number>();
    for (const mail of mailsOf(alertId)) {
      mails += 1;
      const at = claimedAt.get(mail.id);
      if (at === undefined) {
        report('unexpected', `mail ${mail.id} is delivered and not recorded`);
        continue;
      }
      const silent = silentForMs(states, at);
      latestMs = Math.max(latestMs, silent);
      if (silent > latestAllowedMs)
        report('late', `mail ${mail.id} is claimed ${silent} ms after alert ${alertId} stopped watching`);
      for (const id of mail.notificationIds) {
        if (sentNotes.has(id)) report('doubled', `notification ${id} is in two mails`);
        sentNotes.add(id);
      }
      for (const pair of mail.matchIds) {
        const offers = past.listings.get(Number(pair.split(':')[0])) ?? [];
        const [from, until] = [at - notedEarlyMs, at + latestAllowedMs];
        const fitted = offers.some(
          (offer) =>
            offer.forSale &&
            offer.from <= until &&
            offer.until >= from &&
            states.some((state) => watchedIn(state, from, until) && oracleFits(state, offer)),
        );
        if (!fitted) report('extra', `mail ${mail.id} announces ${pair}, which did not fit`);
      }
    }
  }
  for (const what of announcedTwice(notes, past, vinOf)) report('doubled', what);
  return { breaches, mails, latestMs, unannounced: missedCars(notes, past, vinOf, notedEarlyMs) };
}

async function completedNotifications(judge: Pool, alertIds: readonly number[]): Promise<Noted[]> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const { rows } = await judge.query<Noted>(
      `select id, alert_id as "alertId", listing_id as "listingId", kind, status, price
         from notifications where alert_id = any($1::int8[]) order by id`,
      [alertIds],
    );
    if (rows.every(({ status }) => status !== 'waiting' && status !== 'sending')) return rows;
    if (performance.now() > deadline) return rows;
    await sleep(LOOK_MS);
  }
}

/** Finds pairs that are announced twice, and relisted cars that are announced without being 5 % cheaper. */
function announcedTwice(
  notes: readonly Noted[],
  past: Past,
  vinOf: (externalId: string) => string | undefined,
): string[] {
  const faults: string[] = [];
  const announced = notes.filter(({ kind, status }) => kind === 'match' && status !== 'dropped' && status !== 'failed');
  for (const [at, note] of announced.entries()) {
    const carOf = ({ listingId }: Noted) => vinOf(past.listings.get(listingId)?.[0]?.externalId ?? '');
    const car = carOf(note);
    for (const before of announced.slice(0, at)) {
      if (before.alertId !== note.alertId) continue;
      if (before.listingId === note.listingId) faults.push(`${note.listingId}:${note.alertId} is announced twice`);
      else if (car !== undefined && car === carOf(before) && !isCheaper(note.price, before.price)) {
        faults.push(`${note.listingId}:${note.alertId} is announced, and the same car was as ${before.listingId}`);
      }
    }
  }
  return faults;
}

/** For each alert that was never changed, finds the cars that came after it, fit it now, and were announced under no id. */
function missedCars(
  notes: readonly Noted[],
  past: Past,
  vinOf: (externalId: string) => string | undefined,
  notedEarlyMs: number,
): string[] {
  const announced = new Set(
    notes.filter(({ status }) => status === 'sent').map((note) => `${note.listingId}:${note.alertId}`),
  );
  const cars = new Map<string, number[]>();
  for (const [listingId, offers] of past.listings) {
    const vin = vinOf(offers[0]?.externalId ?? '');
    if (vin !== undefined) cars.set(vin, [...(cars.get(vin) ?? []), listingId]);
  }
  const unannounced: string[] = [];
  for (const [alertId, states] of past.alerts) {
    const [asked] = states;
    if (!asked || states.length > 1 || !watchedIn(asked, asked.from, asked.from)) continue;
    for (const [vin, ids] of cars) {
      const offers = ids.map((id) => past.listings.get(id) ?? []);
      const cameAfter = offers.every(([first]) => (first?.from ?? 0) > asked.from + notedEarlyMs);
      const fitsNow = offers.some((known) => {
        const last = known.at(-1);
        return last?.forSale && !last.gone && oracleFits(asked, last);
      });
      if (cameAfter && fitsNow && !ids.some((id) => announced.has(`${id}:${alertId}`)))
        unannounced.push(`${vin}:${alertId}`);
    }
  }
  return unannounced;
}
