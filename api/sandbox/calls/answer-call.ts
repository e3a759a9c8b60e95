import { createHash } from 'node:crypto';
import type { Call, CallContext } from '../protocol/call.ts';
import { expand } from '../protocol/expand.ts';
import { checkFields } from '../protocol/fields.ts';
import { readForm } from '../protocol/form.ts';
import { StripeError } from '../protocol/stripe-error.ts';
import { newId } from '../state/ids.ts';
import type { Store } from '../state/store.ts';
import { catalogueCalls } from './catalogue.ts';
import { checkoutCalls } from './checkout-sessions.ts';
import { customerCalls } from './customers.ts';
import { eventCalls } from './events.ts';
import { paymentCalls } from './payments.ts';
import { portalCalls } from './portal.ts';
import { subscriptionCalls } from './subscriptions.ts';

const calls: readonly Call[] = [
  ...customerCalls,
  ...catalogueCalls,
  ...checkoutCalls,
  ...subscriptionCalls,
  ...paymentCalls,
  ...portalCalls,
  ...eventCalls,
];

export interface ApiRequest {
  method: string;
  path: string;
  /** The body of a POST, else the query: fields as a form. */
  form: string;
  idempotencyKey: string | undefined;
}

export interface ApiResponse {
  status: number;
  body: string;
  requestId: string;
  isReplayed: boolean;
}

function findCall({ method, path }: ApiRequest): { call: Call; id: string } {
  const parts = path.split('/');
  for (const call of calls) {
    const wanted = call.path.split('/');
    const fits = wanted.length === parts.length && wanted.every((part, at) => part === ':id' || part === parts[at]);
    const id = parts[wanted.indexOf(':id')] ?? '';
    if (call.method === method && fits) return { call, id: decodeURIComponent(id) };
  }
  const why = `Unrecognized request URL (${method}: ${path}). The sandbox has only what LotWatch needs.`;
  throw new StripeError(404, why);
}

const asJson = (value: object): string => JSON.stringify(value, null, 2);

/** Answers one call to the API. It writes nothing when the call fails. */
export function answerCall(store: Store, asked: ApiRequest, at: CallContext): ApiResponse {
  const requestId = newId('req', 14);
  try {
    const { call, id } = findCall(asked);
    const { expand: paths = [], ...fields } = checkFields(call.fields, readForm(asked.form)) as { expand?: string[] };
    const key = asked.method === 'POST' ? asked.idempotencyKey : undefined;
    const print = createHash('sha256').update(`${asked.path}\n${asked.form}`).digest('base64url');
    const request = { id: requestId, idempotency_key: key ?? null };
    return store.change((change) => {
      const kept = key === undefined ? undefined : change.find('kept_answer', `idem_${key}`);
      if (kept && kept.fingerprint !== print) {
        const why = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
        throw new StripeError(400, why, { type: 'idempotency_error' });
      }
      if (kept) return { status: 200, body: kept.body, requestId, isReplayed: true };
      const answer = structuredClone(call.run(change, fields, id, at));
      expand(change, answer, paths);
      const body = asJson(answer);
      if (key !== undefined) {
        const created = change.now;
        change.put({ id: `idem_${key}`, object: 'kept_answer', created, fingerprint: print, body });
      }
      return { status: 200, body, requestId, isReplayed: false };
    }, request);
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
    return { status: error.status, body: asJson(error.body), requestId, isReplayed: false };
  }
}
