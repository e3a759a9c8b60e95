import { setTimeout as sleep } from 'node:timers/promises';
import type { Gate } from '../gate.ts';
import { type Buyer, change, createAlert, type Door, letExpire, signUp, until } from './buyers.ts';
import type { Draw } from './draw.ts';
import type { AlertLog } from './journal.ts';

const ENDING = 9;
const REMINDED = 3;
const EVERY_MS = 3_000;

/** A buyer whose alerts end and are renewed, or are about to end, again and again. */
export async function makeLeaver(door: Door, draw: Draw): Promise<Buyer> {
  const leaver = await signUp(door, 'leaver');
  for (let n = 0; n < ENDING + REMINDED; n++) await createAlert(door, leaver, draw.alert());
  return leaver;
}

/** Two days before its end nobody has been reminded yet, as if forty days had passed. */
async function letEndSoon({ pool }: Door, alert: AlertLog): Promise<void> {
  const span = { begun: Date.now(), done: Number.POSITIVE_INFINITY };
  alert.reminders = [...(alert.reminders ?? []), span];
  const text = "update alerts set expires_at = now() + interval '2 days', reminded_at = null where id = $1";
  await until(() => pool.query(text, [alert.id]));
  span.done = Date.now();
}

/** Lets alerts end, renews those that have, and brings others near their end, three at a time. */
export async function letEndAtRandom(
  door: Door,
  gate: Gate,
  leaver: Buyer,
  draw: Draw,
  signal: AbortSignal,
): Promise<void> {
  const ending = leaver.alerts.slice(0, ENDING);
  const reminded = leaver.alerts.slice(ENDING);
  const flip = async (alert: AlertLog) => {
    const now = alert.states.at(-1);
    if (!now) return;
    if (now.active) await letExpire(door, alert, now);
    else await change(door, leaver, alert, { ...now, active: true }, { isActive: true });
  };
  for (let n = 0; !signal.aborted; n += 3) {
    await gate.pass(async () => {
      const some = [n, n + 1, n + 2].flatMap((at) => ending[at % ENDING] ?? []);
      await Promise.all(some.map(flip));
      if (draw.random() < 0.3) await letEndSoon(door, draw.pick(reminded));
    });
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  }
}
