import type { Log } from '@lotwatch/api/log';
import { inSeconds } from '../state/ids.ts';
import type { Event } from '../state/objects.ts';
import type { Store } from '../state/store.ts';
import { signatureHeader } from './signature.ts';

const TIMEOUT_MS = 10_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
const AT_ONCE = 4;
/** As long as Stripe tries. */
const GIVEN_UP_SECONDS = 3 * 86_400;

export interface Delivery {
  store: Store;
  /** Where the webhook listens. */
  url: string;
  secret: string;
  log: Log;
}

/**
 * Hands every event to the webhook, each again and again with growing waits until it is taken (2xx).
 * What is not taken yet lies in the journal, so a restart goes on where it was.
 */
export function startDelivery({ store, url, secret, log }: Delivery): { close(): Promise<void> } {
  const stopping = new AbortController();
  const underway = new Map<string, Promise<void>>();
  const failures = new Map<string, number>();
  const waiting = new Set<NodeJS.Timeout>();
  const resting = new Set<string>();

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

  function rest(id: string, tried: number): void {
    resting.add(id);
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tried - 1));
    const timer = setTimeout(() => {
      waiting.delete(timer);
      resting.delete(id);
      look();
    }, wait);
    waiting.add(timer);
  }

  async function deliver(event: Event): Promise<void> {
    const why = await post(event);
    if (stopping.signal.aborted) return;
    const tried = (failures.get(event.id) ?? 0) + 1;
    if (why !== null) {
      failures.set(event.id, tried);
      if (tried === 1) log.warn('the webhook did not take an event; it is sent again', { type: event.type, why });
      rest(event.id, tried);
      return;
    }
    failures.delete(event.id);
    store.change((change) => {
      change.edit('event', event.id).pending_webhooks = 0;
    });
  }

  function look(): void {
    const at = store.read();
    for (const event of at.all('event')) {
      if (stopping.signal.aborted || underway.size >= AT_ONCE) return;
      const isDue = event.pending_webhooks > 0 && event.created > at.now - GIVEN_UP_SECONDS;
      if (!isDue || underway.has(event.id) || resting.has(event.id)) continue;
      const done = deliver(event).finally(() => {
        underway.delete(event.id);
        look();
      });
      underway.set(event.id, done);
    }
  }

  store.onEvent(look);
  look();
  return {
    async close() {
      stopping.abort();
      for (const timer of waiting) clearTimeout(timer);
      await Promise.all(underway.values());
    },
  };
}
