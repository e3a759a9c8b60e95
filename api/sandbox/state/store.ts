import { missingResource } from '../protocol/stripe-error.ts';
import { inSeconds, newId } from './ids.ts';
import { openJournal } from './journal.ts';
import type { Customer, Event, Kind, Kinds, Stored } from './objects.ts';

export const apiVersion = '2026-10-28.endive';
const ANSWER_RETENTION_SECONDS = 86_400;

export interface Reading {
  /** Now, in Stripe's seconds. */
  readonly now: number;
  /** Undefined when nothing of this kind has the id. */
  find<K extends Kind>(kind: K, id: string): Kinds[K] | undefined;
  /** The object with the id, of any kind. */
  any(id: string): Stored | undefined;
  /** All of a kind, oldest first. */
  all<K extends Kind>(kind: K): Kinds[K][];
}

/** Reads and writes of one request. Other requests see them only when it is complete. */
export interface Change extends Reading {
  /** A copy to be changed, which is stored when the request succeeds. @throws StripeError resource_missing */
  edit<K extends Kind>(kind: K, id: string, param?: string): Kinds[K];
  /** A customer who was not deleted. @throws StripeError resource_missing */
  customer(id: string, param?: string): Customer;
  put<O extends Stored>(one: O): O;
  remove(id: string): void;
  /** Emits an event for the webhook. @param before the former values of changed attributes */
  emit(type: string, object: object, before?: Record<string, unknown>): void;
}

export interface Store {
  read(): Reading;
  /** Runs `work` and stores its changes, or none of them when it throws. */
  change<T>(work: (change: Change) => T, request?: Event['request']): T;
  /** Calls the listener after each change that emitted an event. */
  onEvent(listener: () => void): void;
  close(): void;
}

const names: Record<Kind, string> = {
  customer: 'customer',
  product: 'product',
  price: 'price',
  'checkout.session': 'checkout.session',
  subscription: 'subscription',
  invoice: 'invoice',
  invoiceitem: 'invoiceitem',
  invoice_payment: 'invoice payment',
  payment_intent: 'payment_intent',
  charge: 'charge',
  refund: 'refund',
  'billing_portal.configuration': 'configuration',
  'billing_portal.session': 'portal session',
  event: 'event',
  kept_answer: 'answer',
  kept_order: 'order',
  wish: 'wish',
};

/** Opens the state of the sandbox, which is in memory and in the file `path`. */
export function openStore(path: string, clock: () => Date = () => new Date()): Store {
  const tooOld = inSeconds(clock()) - ANSWER_RETENTION_SECONDS;
  const { journal, objects } = openJournal(path, (one) => one.object !== 'kept_answer' || one.created > tooOld);
  const listeners: (() => void)[] = [];

  function reading(fresh: ReadonlyMap<string, Stored> = new Map(), gone: ReadonlySet<string> = new Set()): Reading {
    const any = (id: string) => (gone.has(id) ? undefined : (fresh.get(id) ?? objects.get(id)));
    return {
      now: inSeconds(clock()),
      any,
      find<K extends Kind>(kind: K, id: string) {
        const found = any(id);
        return found?.object === kind ? (found as Kinds[K]) : undefined;
      },
      all<K extends Kind>(kind: K) {
        const ids = new Set([...objects.keys(), ...fresh.keys()]);
        return [...ids].flatMap((id) => {
          const found = any(id);
          return found?.object === kind ? [found as Kinds[K]] : [];
        });
      },
    };
  }

  function change<T>(work: (change: Change) => T, request: Event['request'] = { id: null, idempotency_key: null }): T {
    const fresh = new Map<string, Stored>();
    const gone = new Set<string>();
    const at = reading(fresh, gone);
    let hasEvents = false;
    const put = <O extends Stored>(one: O): O => {
      fresh.set(one.id, one);
      return one;
    };
    const edit = <K extends Kind>(kind: K, id: string, param = 'id'): Kinds[K] => {
      const found = at.find(kind, id);
      if (!found) throw missingResource(names[kind], id, param);
      if (fresh.has(id)) return found;
      const copy = structuredClone(found);
      put(copy);
      return copy;
    };
    const result = work({
      ...at,
      edit,
      put,
      customer(id, param = 'customer') {
        const found = edit('customer', id, param);
        if ('deleted' in found) throw missingResource('customer', id, param);
        return found;
      },
      remove(id) {
        fresh.delete(id);
        gone.add(id);
      },
      emit(type, object, before) {
        hasEvents = true;
        put({
          id: newId('evt'),
          object: 'event',
          api_version: apiVersion,
          created: at.now,
          livemode: false,
          type,
          data: { object: structuredClone(object), ...(before && { previous_attributes: before }) },
          pending_webhooks: 1,
          request,
        });
      },
    });
    const answer = structuredClone(result);
    // Objects that were only read were copied too.
    const changed = [...fresh.values()].filter((one) => JSON.stringify(one) !== JSON.stringify(objects.get(one.id)));
    if (changed.length > 0 || gone.size > 0) {
      journal.append({ put: changed, gone: [...gone] });
      for (const one of changed) objects.set(one.id, one);
      for (const id of gone) objects.delete(id);
    }
    if (hasEvents) for (const listener of listeners) listener();
    return answer;
  }

  return {
    read: () => reading(),
    change,
    onEvent: (listener) => listeners.push(listener),
    close: () => journal.close(),
  };
}
