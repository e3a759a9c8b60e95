import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { AppError } from '../base/errors.ts';

export interface OriginRule {
  publicUrl: string;
  production: boolean;
}

const ownHosts = new Set(['localhost', '127.0.0.1', '[::1]']);
const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a page of this origin is ours: the public address or, outside production, this machine with our port. */
export function isOwnOrigin(origin: string, rule: OriginRule, ownPort: number | undefined): boolean {
  if (origin === new URL(rule.publicUrl).origin) return true;
  if (rule.production || !URL.canParse(origin)) return false;
  const { hostname, port, protocol } = new URL(origin);
  return protocol === 'http:' && ownHosts.has(hostname) && Number(port || 80) === ownPort;
}

/** Refuses writes that carry a cookie and come from a page that isn't ours. Without an Origin there is no page. */
export function originGuard(rule: OriginRule): RequestHandler {
  return (request, _response, next) => {
    const { origin, cookie } = request.headers;
    const passes =
      reading.has(request.method) ||
      cookie === undefined ||
      origin === undefined ||
      isOwnOrigin(origin, rule, request.socket.localPort);
    next(passes ? undefined : new AppError('FORBIDDEN', 'This page may not do that: its origin is not ours.'));
  };
}

/** The same for an upgrade; a browser always says its Origin there, so a cookie without one is refused. */
export function mayUpgrade(request: IncomingMessage, rule: OriginRule): boolean {
  const { origin, cookie } = request.headers;
  if (cookie === undefined) return true;
  return origin !== undefined && isOwnOrigin(origin, rule, request.socket.localPort);
}
