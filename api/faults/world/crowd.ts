import { setTimeout as sleep } from 'node:timers/promises';
import type { SharedLock } from '../shared-lock.ts';
import { act, type Buyer, change, createAlert, expireAlert, moveEnds, signUp, type Target } from './buyers.ts';
import type { Draw } from './draw.ts';
import type { AlertLog, AlertState } from './journal.ts';

const ENDING = 9;
const REMINDED = 3;
const EVERY_MS = 3_000;

/** Makes a buyer whose alerts end and are renewed, or are about to end, again and again. */
export async function makeExpiringBuyer(target: Target, draw: Draw): Promise<Buyer> {
  const leaver = await signUp(target, 'leaver');
  for (let n = 0; n < ENDING + REMINDED; n++) await createAlert(target, leaver, draw.alert());
  return leaver;
}

/** Moves an alert to two days before its end, without a reminder yet, as if forty days had passed. */
async function expireSoon(target: Target, alert: AlertLog): Promise<void> {
  const span = { begun: Date.now(), done: Number.POSITIVE_INFINITY };
  alert.reminders = [...(alert.reminders ?? []), span];
  await moveEnds(target, [alert.id], "expires_at = now() + interval '2 days', reminded_at = null");
  span.done = Date.now();
}

/** Ends alerts, renews ended ones, and moves others near their end, three at a time. */
export async function expireAtRandom(
  target: Target,
  lock: SharedLock,
  leaver: Buyer,
  draw: Draw,
  signal: AbortSignal,
): Promise<void> {
  const ending = leaver.alerts.slice(0, ENDING);
  const reminded = leaver.alerts.slice(ENDING);
  const flip = async (alert: AlertLog) => {
    const now = alert.states.at(-1);
    if (!now) return;
    if (now.active) await expireAlert(target, alert, now);
    else await change(target, leaver, alert, { ...now, active: true }, { isActive: true });
  };
  for (let n = 0; !signal.aborted; n += 3) {
    await lock.shared(async () => {
      const some = [n, n + 1, n + 2].flatMap((at) => ending[at % ENDING] ?? []);
      await Promise.all(some.map(flip));
      if (draw.random() < 0.3) await expireSoon(target, draw.pick(reminded));
    });
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

const DEALER_ALERTS = 8;
/** The first alerts of each dealer are never changed. */
const DEALER_STABLE = 3;
/** Criteria that no car fits. */
const NOTHING = [{ priceMax: 500 }, { yearMin: 2024, yearMax: null }] as const;
const EDIT_EVERY_MS = 400;
const MAX_HIDDEN_MS = 4_000;

/** Criteria for every car of a make around a city, so that there are many pairs to hide and show. */
const wide = ({ city, criteria: { make, lat, lng } }: ReturnType<Draw['alert']>) => ({
  city,
  criteria: {
    ...{ make, lat, lng, radius: 100, onlyWithImages: false },
    ...{ model: null, yearMin: null, yearMax: null, priceMin: null, priceMax: null, color: null },
  },
});

/** Dealers whose matches are followed by cursor; most of their alerts are edited again and again. */
export async function makeDealers(target: Target, draw: Draw, count: number): Promise<Buyer[]> {
  const dealers: Buyer[] = [];
  for (let n = 1; n <= count; n++) {
    const dealer = await signUp(target, `dealer-${n}`);
    for (let made = 0; made < DEALER_ALERTS; made++) await createAlert(target, dealer, wide(draw.alert()));
    dealers.push(dealer);
  }
  return dealers;
}

/** Edits an alert so that all, some or none of its former cars fit. */
async function edit(
  target: Target,
  dealer: Buyer,
  alert: AlertLog,
  patch: Partial<AlertState['criteria']>,
): Promise<void> {
  const now = alert.states.at(-1);
  if (!now) return;
  await change(target, dealer, alert, { ...now, criteria: { ...now.criteria, ...patch } }, patch);
}

/** Hides all or some pairs of an alert by an edit, and shows them again by another one later. */
async function hideAndShow(
  target: Target,
  lock: SharedLock,
  dealer: Buyer,
  alert: AlertLog,
  draw: Draw,
): Promise<void> {
  const before = alert.states.at(-1)?.criteria;
  if (!before) return;
  const some = draw.random() < 0.5 ? { priceMax: draw.whole(20, 30) * 500 } : draw.filter(before.make);
  const patch = draw.random() < 0.5 ? draw.pick(NOTHING) : some;
  // null ends a filter that there was not.
  const back = Object.fromEntries(
    Object.keys(patch).map((name) => [name, before[name as keyof typeof before] ?? null]),
  );
  await lock.shared(() => edit(target, dealer, alert, patch));
  // Sometimes at once, before the backfill of the first edit.
  if (draw.random() < 0.6) await sleep(draw.random() * MAX_HIDDEN_MS);
  await lock.shared(() => edit(target, dealer, alert, back));
}

/** Hides pairs and shows them again for as long as the run lasts, and restores all at the end. */
export async function hideAndShowAtRandom(
  target: Target,
  lock: SharedLock,
  dealers: readonly Buyer[],
  draw: Draw,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const dealer = draw.pick(dealers);
    const alert = draw.pick(dealer.alerts.slice(DEALER_STABLE));
    await hideAndShow(target, lock, dealer, alert, draw);
    await sleep(EDIT_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

const ALERTS_EACH = 10;
/** The first alerts of each buyer are never changed. */
const STABLE_EACH = 7;
const ACT_EVERY_MS = 250;

/**
 * Buyers with ten alerts each, of which three are changed all the time.
 * @param prepare runs for each buyer before the first alert is made
 */
export async function makeBuyers(
  target: Target,
  draw: Draw,
  count: number,
  prepare: (buyer: Buyer) => Promise<unknown> = async () => {},
): Promise<Buyer[]> {
  const buyers: Buyer[] = [];
  for (let n = 1; n <= count; n++) buyers.push(await signUp(target, `buyer-${n}`));
  for (const buyer of buyers) await prepare(buyer);
  await Promise.all(
    buyers.map(async (buyer) => {
      for (let n = 0; n < ALERTS_EACH; n++) await createAlert(target, buyer, draw.alert());
    }),
  );
  return buyers;
}

/** Edits, switches, renews, expires, deletes and creates alerts for as long as the run lasts, one act at a time. */
export async function actAtRandom(
  target: Target,
  lock: SharedLock,
  buyers: Buyer[],
  draw: Draw,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const buyer = draw.pick(buyers);
    const alert = draw.pick(buyer.alerts.slice(STABLE_EACH).filter(({ deleted }) => !deleted));
    if (alert) await lock.shared(() => act(target, buyer, alert, draw));
    await sleep(ACT_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

/** Moves one alert of each buyer so near its end that it is over by a clock eleven minutes ahead. */
export async function moveExpiriesNear(target: Target, buyers: Buyer[]): Promise<number[]> {
  const ids = buyers.flatMap(({ alerts }) => alerts.slice(0, 1).map(({ id }) => id));
  await moveEnds(target, ids, "expires_at = now() + interval '10 minutes 30 seconds'");
  return ids;
}
