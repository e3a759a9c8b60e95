import { setTimeout as sleep } from 'node:timers/promises';
import type { SharedLock } from '../shared-lock.ts';
import type { PushProvider } from '../system/push-provider.ts';
import { ask, type Buyer, Refused, type Target, until } from './buyers.ts';
import type { Draw } from './draw.ts';
import type { Device } from './journal.ts';

const addSubscription = 'mutation ($input: PushSubscriptionInput!) { addPushSubscription(input: $input) { id } }';

/** Turns on push notifications in one more browser of a buyer. @throws Refused CONFLICT at the eleventh */
export async function addBrowser(
  target: Target,
  provider: PushProvider,
  buyer: Buyer,
  isReliable = false,
): Promise<Device> {
  const { pushKey } = await until(() => ask<{ pushKey: string }>(target, buyer, '{ pushKey }', {}));
  const { subscription, path } = provider.subscribe(pushKey, isReliable);
  const span = { begun: Date.now(), done: Number.POSITIVE_INFINITY };
  const device: Device = { path, owner: buyer.email, subscribed: span };
  buyer.devices.push(device);
  await until(() => ask(target, buyer, addSubscription, { input: subscription }));
  span.done = Date.now();
  return device;
}

/** The first browser of each buyer stays; the second is replaced by another one again and again. */
const BROWSERS = 2;
const EVERY_MS = 2_500;

export async function addBrowsers(target: Target, provider: PushProvider, buyer: Buyer): Promise<void> {
  for (let n = 0; n < BROWSERS; n++) await addBrowser(target, provider, buyer);
}

/**
 * Ends the subscriptions of browsers without a word to LotWatch, as browsers do, and subscribes others, for as long as the
 * run lasts.
 */
export async function replaceBrowsersAtRandom(
  target: Target,
  lock: SharedLock,
  provider: PushProvider,
  buyers: readonly Buyer[],
  draw: Draw,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const buyer = draw.pick(buyers);
    for (const device of buyer.devices.slice(1).filter(({ endedAt }) => endedAt === undefined)) {
      provider.end(device.path);
      device.endedAt = Date.now();
    }
    await lock
      .shared(() => addBrowser(target, provider, buyer))
      .catch((error: unknown) => {
        // Nothing was sent to the ended ones meanwhile, so they still count.
        if (!(error instanceof Refused && error.code === 'CONFLICT')) throw error;
      });
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  }
}
