import cors from 'cors';
import type { Request, RequestHandler } from 'express';

const DAY_SECONDS = 86_400;

/**
 * Lets pages of other origins call with a key of their user's, never with our cookie: without `Authorization`, and
 * without the setting, no page but ours may read an answer.
 * @param origins like https://dealer.example
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

/** A request with a key, or the question whether one may be sent. */
function mayHaveKey({ method, headers }: Request): boolean {
  if (method !== 'OPTIONS') return headers.authorization !== undefined;
  const asked = headers['access-control-request-headers'] ?? '';
  return asked.split(',').some((name) => name.trim().toLowerCase() === 'authorization');
}
