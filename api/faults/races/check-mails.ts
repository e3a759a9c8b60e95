import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../../src/base/database.ts';
import type { OutgoingMail } from '../../src/vendors/mail.ts';
import { oracleFits } from '../../test/matching/match-oracle.ts';
import type { Breach, BreachKind } from './check-pairs.ts';
import { type AlertState, type Past, watchedIn } from './past-states.ts';
import type { World } from './race-workers.ts';

/** Nothing may be claimed later than this after switch-off, deletion or expiry. */
const LATEST_MS = 1_000;
const NOTED_EARLY_MS = 300;
const PATIENCE_MS = 30_000;
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
  /** Cars on sale that fit an alert which watched all along, and that no mail ever told of. */
  untold: string[];
  /** The latest claim after an alert had ceased to watch, in milliseconds. */
  latestMs: number;
}

/** How long before this moment the alert had ceased to watch; 0 while it watched. */
function silentForMs(states: readonly AlertState[], at: number): number {
  if (states.some((state) => watchedIn(state, at, at))) return 0;
  const ends = states
    .filter((state) => !state.gone && state.isActive && state.from <= at)
    .map((state) => Math.min(state.until, state.expiresAt));
  return ends.length === 0 ? Number.POSITIVE_INFINITY : at - Math.max(...ends);
}

const isCheaper = (price: number | null, from: number | null): boolean =>
  price !== null && from !== null && price * 100 <= from * 95;

/** Waits until nothing of the world waits to be sent, then judges what was sent. */
export async function checkMails(
  judge: Pool,
  world: World,
  past: Past,
  {
    mailsOf,
    vinOf,
  }: { mailsOf(alertId: number): readonly OutgoingMail[]; vinOf(externalId: string): string | undefined },
): Promise<MailFindings> {
  const alertIds = [...past.alerts.keys()];
  const breaches: Breach[] = [];
  const tell = (kind: BreachKind, what: string) => breaches.push({ kind, world: world.number, what });
  const notes = await settledNotes(judge, alertIds);
  for (const { id, status } of notes) {
    if (status === 'waiting' || status === 'sending') tell('missing', `notification ${id} stays ${status}`);
  }
  const { rows: claims } = await judge.query<Claimed>(
    `select id, alert_id as "alertId", extract(epoch from claimed_at)::float8 * 1000 as "claimedAt"
       from mails where alert_id = any($1::int8[]) and kind = 'match' and status = 'sent'`,
    [alertIds],
  );
  const claimedAt = new Map(claims.map((claim) => [claim.id, claim.claimedAt]));
  let [mails, latestMs] = [0, 0];
  for (const [alertId, states] of past.alerts) {
    const sentNotes = new Set<number>();
    for (const mail of mailsOf(alertId)) {
      mails += 1;
      const at = claimedAt.get(mail.id);
      if (at === undefined) {
        tell('unexpected', `mail ${mail.id} is handed over and not on record`);
        continue;
      }
      const silent = silentForMs(states, at);
      latestMs = Math.max(latestMs, silent);
      if (silent > LATEST_MS) tell('late', `mail ${mail.id} is claimed ${silent} ms after alert ${alertId} ceased`);
      for (const id of mail.notificationIds) {
        if (sentNotes.has(id)) tell('doubled', `notification ${id} is in two mails`);
        sentNotes.add(id);
      }
      for (const pair of mail.matchIds) {
        const offers = past.listings.get(Number(pair.split(':')[0])) ?? [];
        const [from, until] = [at - NOTED_EARLY_MS, at + LATEST_MS];
        const fitted = offers.some(
          (offer) =>
            offer.forSale &&
            offer.from <= until &&
            offer.until >= from &&
            states.some((state) => watchedIn(state, from, until) && oracleFits(state, offer)),
        );
        if (!fitted) tell('extra', `mail ${mail.id} tells of ${pair}, which did not fit`);
      }
    }
  }
  for (const what of toldTwice(notes, past, vinOf)) tell('doubled', what);
  return { breaches, mails, latestMs, untold: untoldCars(notes, past, vinOf) };
}

async function settledNotes(judge: Pool, alertIds: readonly number[]): Promise<Noted[]> {
  const deadline = performance.now() + PATIENCE_MS;
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

/** A pair is announced once, and a car that is listed anew is not, unless it is 5 % cheaper. */
function toldTwice(notes: readonly Noted[], past: Past, vinOf: (externalId: string) => string | undefined): string[] {
  const faults: string[] = [];
  const told = notes.filter(({ kind, status }) => kind === 'match' && status !== 'dropped' && status !== 'failed');
  for (const [at, note] of told.entries()) {
    const carOf = ({ listingId }: Noted) => vinOf(past.listings.get(listingId)?.[0]?.externalId ?? '');
    const car = carOf(note);
    for (const before of told.slice(0, at)) {
      if (before.alertId !== note.alertId) continue;
      if (before.listingId === note.listingId) faults.push(`${note.listingId}:${note.alertId} is announced twice`);
      else if (car !== undefined && car === carOf(before) && !isCheaper(note.price, before.price)) {
        faults.push(`${note.listingId}:${note.alertId} is announced, and the same car was as ${before.listingId}`);
      }
    }
  }
  return faults;
}

/** Of each alert that was never touched: the cars that came after it, fit it now, and were announced under no id. */
function untoldCars(notes: readonly Noted[], past: Past, vinOf: (externalId: string) => string | undefined): string[] {
  const told = new Set(
    notes.filter(({ status }) => status === 'sent').map((note) => `${note.listingId}:${note.alertId}`),
  );
  const cars = new Map<string, number[]>();
  for (const [listingId, offers] of past.listings) {
    const vin = vinOf(offers[0]?.externalId ?? '');
    if (vin !== undefined) cars.set(vin, [...(cars.get(vin) ?? []), listingId]);
  }
  const untold: string[] = [];
  for (const [alertId, states] of past.alerts) {
    const [asked] = states;
    if (!asked || states.length > 1 || !watchedIn(asked, asked.from, asked.from)) continue;
    for (const [vin, ids] of cars) {
      const offers = ids.map((id) => past.listings.get(id) ?? []);
      const cameAfter = offers.every(([first]) => (first?.from ?? 0) > asked.from + NOTED_EARLY_MS);
      const fitsNow = offers.some((known) => {
        const last = known.at(-1);
        return last?.forSale && !last.gone && oracleFits(asked, last);
      });
      if (cameAfter && fitsNow && !ids.some((id) => told.has(`${id}:${alertId}`))) untold.push(`${vin}:${alertId}`);
    }
  }
  return untold;
}
