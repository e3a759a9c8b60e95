import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { beginTraced, failureOf, type Work } from '../base/traced.ts';

interface Call {
  request: ClientRequest;
  response?: IncomingMessage;
  error?: Error;
}

/** The hosts of our vendors. Any other may be a secret, such as that of a webhook, or say which seller's photo was read. */
const shownHosts: ReadonlySet<string> = new Set([
  'api.sendgrid.com',
  'api.eu.sendgrid.com',
  'api.twilio.com',
  'api.stripe.com',
  'api.ebay.com',
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  'web.push.apple.com',
]);

/**
 * Makes each HTTP call of this process, such as those of vendors' clients, a piece of the work in which it is made, by what
 * Node says of it. Of the address only the host of a vendor is shown: a path may contain a phone number or a secret.
 */
export function traceHttpCalls(): () => void {
  const calls = new WeakMap<ClientRequest, Work>();

  const listeners: Readonly<Record<string, (message: unknown) => void>> = {
    'http.client.request.created'(message) {
      const { request } = message as Call;
      const { method, host } = request;
      const isShown = shownHosts.has(host);
      const attributes = { 'http.request.method': method, ...(isShown && { 'server.address': host }) };
      const work: Work = { name: isShown ? `${method} ${host}` : method, kind: 'client', attributes, isPart: true };
      calls.set(request, work);
      request.once(
        'close',
        beginTraced(work, () => {}),
      );
    },
    'http.client.response.finish'(message) {
      const { request, response } = message as Call;
      const work = calls.get(request);
      const status = response?.statusCode;
      if (!work || status === undefined) return;
      work.attributes['http.response.status_code'] = status;
      if (status >= 400) work.failure = String(status);
    },
    'http.client.request.error'(message) {
      const { request, error } = message as Call;
      const work = calls.get(request);
      if (work) work.failure = failureOf(error);
    },
  };
  for (const [name, listener] of Object.entries(listeners)) subscribe(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) unsubscribe(name, listener);
  };
}
