import type { IncomingMessage } from 'node:http';
import cors from 'cors';
import type { Request, RequestHandler } from 'express';
import { AppError } from '../base/errors.ts';

export interface OriginRule {
  publicUrl: string;
  production: boolean;
}

const ownHosts = new Set(['localhost', '127.0.0.1', '[::1]']);
const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether the origin is the public address or, outside production, this machine with the server's port. */
function isOwnOrigin(origin: string, rule: OriginRule, ownPort: number | undefined): boolean {
  if (origin === new URL(rule.publicUrl).origin) return true;
  if (rule.production || !URL.canParse(origin)) return false;
  const { hostname, port, protocol } = new URL(origin);
  return protocol === 'http:' && ownHosts.has(hostname) && Number(port || 80) === ownPort;
}

/** Refuses writes with a cookie from pages of other origins. Requests of pages always have an Origin. */
export function originGuard(rule: OriginRule): RequestHandler {
  return (request, _response, next) => {
    const { origin, cookie } = request.headers;
    const passes =
      reading.has(request.method) ||
      cookie === undefined ||
      origin === undefined ||
      isOwnOrigin(origin, rule, request.socket.localPort);
    next(passes ? undefined : new AppError('FORBIDDEN', 'Requests from pages of this origin are not allowed.'));
  };
}

/** Whether an upgrade is allowed. Browsers always send an Origin with it, so that a cookie without one is refused. */
export function mayUpgrade(request: IncomingMessage, rule: OriginRule): boolean {
  const { origin, cookie } = request.headers;
  if (cookie === undefined) return true;
  return origin !== undefined && isOwnOrigin(origin, rule, request.socket.localPort);
}

const DAY_SECONDS = 86_400;

/**
 * Allows pages of these origins to call with an API key, but never with the cookie. All other pages of other origins
 * can't read any response.
 * @param origins such as https://dealer.example
 */
export function corsForKeys(origins: readonly string[]): RequestHandler {
  return cors<Request>((request, decide) => {
    decide(null, {
      origin: origins.length > 0 && mayHaveKey(request) ? [...origins] : false,
      methods: ['GET', 'POST', 'PATCH', 'DELETE'],
      allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match'],
      exposedHeaders: [
        'ETag',
        'Link',
        'Retry-After',
        'X-Request-Id',
        'Idempotency-Replayed',
        'RateLimit-Limit',
        'RateLimit-Remaining',
        'RateLimit-Reset',
        'RateLimit-Policy',
      ],
      maxAge: DAY_SECONDS,
      optionsSuccessStatus: 200,
    });
  });
}

/** Whether the request has a key, or is the preflight of one that has. */
function mayHaveKey({ method, headers }: Request): boolean {
  if (method !== 'OPTIONS') return headers.authorization !== undefined;
  const asked = headers['access-control-request-headers'] ?? '';
  return asked.split(',').some((name) => name.trim().toLowerCase() === 'authorization');
}
