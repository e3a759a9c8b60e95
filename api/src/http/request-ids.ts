import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { newRequestId, withRequestId } from '../base/request-id.ts';

/** The form of the ids that proxies make: UUIDs, ULIDs, hexadecimal numbers. Nothing in it has to be escaped anywhere. */
const sane = /^[\w.-]{8,64}$/;
const traceparent = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/**
 * Finds the id of a request: that of the trace in which a proxy of the operator's has it (W3C Trace Context), else the
 * X-Request-Id of that proxy, else a new one. Headers of clients without such a proxy are not trusted.
 */
export function requestIdOf({ headers }: IncomingMessage, trustedProxies: number): string {
  if (trustedProxies === 0) return newRequestId();
  const [, trace] = traceparent.exec(String(headers.traceparent)) ?? [];
  if (trace !== undefined) return trace;
  const given = headers['x-request-id'];
  return typeof given === 'string' && sane.test(given) ? given : newRequestId();
}

/** Handles everything after it under the id of the request, which the answer has as X-Request-Id. */
export function identifyRequest(trustedProxies: number): RequestHandler {
  return (request, response, next) => {
    const id = requestIdOf(request, trustedProxies);
    response.set('X-Request-Id', id);
    withRequestId(id, next);
  };
}
