import { setTimeout as sleep } from 'node:timers/promises';
import type { Gate } from '../gate.ts';
import { type Buyer, change, createAlert, type Door, signUp } from './buyers.ts';
import type { Draw } from './draw.ts';
import type { AlertLog, AlertState } from './journal.ts';

const ALERTS_EACH = 8;
/** The first of each dealer's alerts are never touched. */
const STABLE_EACH = 3;
/** No car costs as little, and none is as new. */
const NOTHING = [{ priceMax: 500 }, { yearMin: 2024, yearMax: null }] as const;
const EDIT_EVERY_MS = 400;
const LONGEST_HIDDEN_MS = 4_000;

/** Every car of a make around a city: the more pairs, the more to hide and show. */
const wide = ({ city, criteria }: ReturnType<Draw['alert']>) => ({
  city,
  criteria: {
    ...criteria,
    ...{ model: null, yearMin: null, yearMax: null, priceMax: null, color: null },
    ...{ onlyWithImages: false, radius: 100 },
  },
});

/** Dealers whose matches are followed by cursor; most of their alerts are edited again and again. */
export async function makeDealers(door: Door, draw: Draw, count: number): Promise<Buyer[]> {
  const dealers: Buyer[] = [];
  for (let n = 1; n <= count; n++) {
    const dealer = await signUp(door, `dealer-${n}`);
    for (let made = 0; made < ALERTS_EACH; made++) await createAlert(door, dealer, wide(draw.alert()));
    dealers.push(dealer);
  }
  return dealers;
}

/** Edits an alert so that other cars fit, all, some or none of those before. */
async function edit(door: Door, dealer: Buyer, alert: AlertLog, patch: Partial<AlertState['criteria']>): Promise<void> {
  const now = alert.states.at(-1);
  if (!now) return;
  await change(door, dealer, alert, { ...now, criteria: { ...now.criteria, ...patch } }, patch);
}

/** Hides all or some pairs of an alert by an edit, and after a while shows them again by another. */
async function hideAndShow(door: Door, gate: Gate, dealer: Buyer, alert: AlertLog, draw: Draw): Promise<void> {
  const before = alert.states.at(-1)?.criteria;
  if (!before) return;
  const some = { priceMax: draw.whole(20, 30) * 500 };
  const patch = draw.random() < 0.5 ? draw.pick(NOTHING) : some;
  const back = Object.fromEntries(Object.keys(patch).map((name) => [name, before[name as keyof typeof before]]));
  await gate.pass(() => edit(door, dealer, alert, patch));
  // Sometimes at once, while the first edit's look-back is still to come.
  if (draw.random() < 0.6) await sleep(draw.random() * LONGEST_HIDDEN_MS);
  await gate.pass(() => edit(door, dealer, alert, back));
}

/** Hides pairs and shows them again for as long as the run lasts; at the end all are as they were. */
export async function hideAndShowAtRandom(
  door: Door,
  gate: Gate,
  dealers: readonly Buyer[],
  draw: Draw,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const dealer = draw.pick(dealers);
    const alert = draw.pick(dealer.alerts.slice(STABLE_EACH));
    await hideAndShow(door, gate, dealer, alert, draw);
    await sleep(EDIT_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}
