import { createHmac } from 'node:crypto';
import type { Log } from '@lotwatch/api/log';
import { inSeconds } from '../state/ids.ts';
import type { Event } from '../state/objects.ts';
import type { Store } from '../state/store.ts';

/**
 * The signature header of an event. @param at seconds since 1970
 * Source: Stripe's "Verify webhook signatures manually".
 */
function signatureHeader(payload: string, secret: string, at: number): string {
  const signed = createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex');
  return `t=${at},v1=${signed}`;
}

const TIMEOUT_MS = 10_000;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 10_000;
const CONCURRENCY = 4;
/** How long Stripe retries an event. */
const GIVEN_UP_SECONDS = 3 * 86_400;

export interface Delivery {
  store: Store;
  /** Where the webhook listens. */
  url: string;
  secret: string;
  log: Log;
}

/**
 * Delivers every event to the webhook, and retries it with growing delays until it is accepted (2xx). Events that are not
 * accepted yet are in the journal, so delivery continues after a restart.
 */
export function startDelivery({ store, url, secret, log }: Delivery): { close(): Promise<void> } {
  const stopping = new AbortController();
  const underway = new Map<string, Promise<void>>();
  const failures = new Map<string, number>();
  const waiting = new Set<NodeJS.Timeout>();
  const backingOff = new Set<string>();

  async function post(event: Event): Promise<string | null> {
    const payload = JSON.stringify(event, null, 2);
    const signature = signatureHeader(payload, secret, inSeconds(new Date()));
    try {
      const response = await fetch(url, {
        method: 'POST',
        body: payload,
        headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
        redirect: 'manual',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      return response.ok ? null : `answered ${response.status}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  function backOff(id: string, tried: number): void {
    backingOff.add(id);
    const wait = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (tried - 1));
    const timer = setTimeout(() => {
      waiting.delete(timer);
      backingOff.delete(id);
      deliverDue();
    }, wait);
    waiting.add(timer);
  }

  async function deliver(event: Event): Promise<void> {
    const why = await post(event);
    if (stopping.signal.aborted) return;
    const tried = (failures.get(event.id) ?? 0) + 1;
    if (why !== null) {
      failures.set(event.id, tried);
      if (tried === 1) log.warn('the webhook did not accept an event, which is sent again', { type: event.type, why });
      backOff(event.id, tried);
      return;
    }
    failures.delete(event.id);
    store.change((change) => {
      change.edit('event', event.id).pending_webhooks = 0;
    });
  }

  function deliverDue(): void {
    const at = store.read();
    for (const event of at.all('event')) {
      if (stopping.signal.aborted || underway.size >= CONCURRENCY) return;
      const isDue = event.pending_webhooks > 0 && event.created > at.now - GIVEN_UP_SECONDS;
      if (!isDue || underway.has(event.id) || backingOff.has(event.id)) continue;
      const done = deliver(event).finally(() => {
        underway.delete(event.id);
        deliverDue();
      });
      underway.set(event.id, done);
    }
  }

  store.onEvent(deliverDue);
  deliverDue();
  return {
    async close() {
      stopping.abort();
      for (const timer of waiting) clearTimeout(timer);
      await Promise.all(underway.values());
    },
  };
}
