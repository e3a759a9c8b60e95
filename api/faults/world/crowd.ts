import { setTimeout as sleep } from 'node:timers/promises';
import type { Gate } from '../gate.ts';
import { act, type Buyer, createAlert, type Door, signUp } from './buyers.ts';
import type { Draw } from './draw.ts';

const ALERTS_EACH = 10;
/** The first of each buyer's alerts are never touched. */
const STABLE_EACH = 7;
const ACT_EVERY_MS = 250;

/** Buyers with ten alerts each, of which three are lively. */
export async function makeBuyers(door: Door, draw: Draw, count: number): Promise<Buyer[]> {
  const buyers: Buyer[] = [];
  for (let n = 1; n <= count; n++) buyers.push(await signUp(door, `buyer-${n}`));
  await Promise.all(
    buyers.map(async (buyer) => {
      for (let n = 0; n < ALERTS_EACH; n++) await createAlert(door, buyer, draw.alert());
    }),
  );
  return buyers;
}

/** Edits, switches, renews, lets expire, deletes and makes alerts while everything goes on, one act at a time. */
export async function actAtRandom(
  door: Door,
  gate: Gate,
  buyers: Buyer[],
  draw: Draw,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const buyer = draw.pick(buyers);
    const alert = draw.pick(buyer.alerts.slice(STABLE_EACH).filter(({ deleted }) => !deleted));
    if (alert) await gate.pass(() => act(door, buyer, alert, draw));
    await sleep(ACT_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

/** The end of one alert of each buyer comes near: by a clock that is eleven minutes ahead it is over. */
export async function bringEndsNear(door: Door, buyers: Buyer[]): Promise<number[]> {
  const ids = buyers.flatMap(({ alerts }) => alerts.slice(0, 1).map(({ id }) => id));
  await door.pool.query("update alerts set expires_at = now() + interval '10 minutes 30 seconds' where id = any ($1)", [
    ids,
  ]);
  await door.pool.query(
    'update alert_cells c set expires_at = a.expires_at from alerts a where a.id = c.alert_id and a.id = any ($1)',
    [ids],
  );
  return ids;
}
