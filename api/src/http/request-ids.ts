import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { newRequestId, withRequestId } from '../base/request-id.ts';

/** The form of the ids that proxies make: UUIDs, ULIDs, hexadecimal numbers. Nothing in it has to be escaped anywhere. */
const sane = /^[\w.-]{8,64}$/;
const traceparent = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** The valid `traceparent` (W3C Trace Context) of a proxy that is trusted with it. */
export function traceparentOf({ headers }: IncomingMessage, trusted: boolean): string | undefined {
  const given = String(headers.traceparent);
  return trusted && traceparent.test(given) ? given : undefined;
}

/**
 * Finds the id of a request. Where the operator trusts the proxy with it, that is the trace in which the proxy has the
 * request, else its X-Request-Id; otherwise a new one, since a client could give many requests one id.
 */
export function requestIdOf(request: IncomingMessage, trusted: boolean): string {
  const [, trace] = traceparent.exec(traceparentOf(request, trusted) ?? '') ?? [];
  if (trace !== undefined) return trace;
  const given = request.headers['x-request-id'];
  return trusted && typeof given === 'string' && sane.test(given) ? given : newRequestId();
}

/** Handles everything after it under the id of the request, which the answer has as X-Request-Id. */
export function identifyRequest(trusted: boolean): RequestHandler {
  return (request, response, next) => {
    const id = requestIdOf(request, trusted);
    response.set('X-Request-Id', id);
    withRequestId(id, next);
  };
}
