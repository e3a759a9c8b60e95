import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { CallLimits } from '../../accounts/call-limits.ts';
import type { Caller, Viewer } from '../../accounts/signed-in.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { KnownKey } from '../../keys/find-key.ts';
import type { KeyAuthentication } from '../../keys/key-authentication.ts';
import type { RateLimitStatus } from '../../keys/request-quota.ts';
import type { AddressOf } from '../client-address.ts';
import type { Sessions } from '../sessions.ts';

/** Requests whose `Authorization` header is a token of the operator or a vendor. */
const ownTokens = /^\/api\/(?:ingest|webhooks)\//i;

export interface KeyCallers {
  /** The caller of a request or upgrade: by its key, else by its cookie. */
  callerOf(request: IncomingMessage): Caller;
  /** Whether a request has a key, valid or not; its cookie is ignored then. */
  hasKey(request: IncomingMessage): boolean;
  /** Authenticates a request with a key, and counts it. */
  middleware: RequestHandler;
  /** Authenticates the upgrade of a socket by a key. @throws AppError UNAUTHENTICATED, PLAN_REQUIRED, RATE_LIMITED */
  authenticateSocket(request: IncomingMessage, authorization: string): Promise<Viewer>;
  /** Counts an operation over a socket. @returns a function to call when it is done @throws AppError */
  countOperation(viewer: Viewer): Promise<() => void>;
  close(): void;
}

interface KeyCallerParts {
  authentication: KeyAuthentication;
  sessions: Pick<Sessions, 'callerOf'>;
  addressOf: AddressOf;
  limits: Pick<CallLimits, 'request'>;
  log: Log;
}

export function makeKeyCallers({ authentication, sessions, addressOf, limits, log }: KeyCallerParts): KeyCallers {
  const answers = watchLongAnswers(authentication, log);
  const callers = new WeakMap<IncomingMessage, Caller>();

  /** An unknown key counts as a request of a visitor, which limits guessing. */
  async function find(authorization: string, address: string): Promise<KnownKey> {
    try {
      return await authentication.find(authorization);
    } catch (error) {
      await limits.request(null, address);
      throw error;
    }
  }

  const viewerOf = ({ id, userId, scopes }: KnownKey): Viewer => ({ id: userId, sessionId: null, key: { id, scopes } });

  return {
    callerOf: (request) => callers.get(request) ?? sessions.callerOf(request),
    hasKey: (request) =>
      request.headersDistinct.authorization !== undefined &&
      !ownTokens.test((request as Partial<Request>).originalUrl ?? request.url ?? ''),
    async middleware(request, response, next) {
      const address = addressOf(request);
      const key = await find(authorizationOf(request), address);
      const { rateLimit, refusal, release } = await authentication.admit(key);
      if (response.closed) release();
      else response.once('close', release);
      if (rateLimit) response.set(headersOf(rateLimit));
      if (refusal) throw refusal;
      callers.set(request, { viewer: viewerOf(key), session: null, address, host: request.headers.host });
      answers.watch(response, key.id);
      next();
    },
    async authenticateSocket(request, authorization) {
      const address = addressOf(request);
      const key = await find(authorization, address);
      await authentication.check(key);
      const viewer = viewerOf(key);
      callers.set(request, { viewer, session: null, address, host: request.headers.host });
      return viewer;
    },
    async countOperation({ id, key }) {
      if (!key) throw new Error('The viewer has no key.');
      const { refusal, release } = await authentication.admit({ id: key.id, userId: id, scopes: key.scopes });
      if (!refusal) return release;
      release();
      throw refusal;
    },
    close: () => answers.close(),
  };
}

/** Reads the Authorization header. @throws AppError UNAUTHENTICATED when there are several */
export function authorizationOf(request: IncomingMessage): string {
  const [authorization = '', ...more] = request.headersDistinct.authorization ?? [];
  if (more.length > 0) throw new AppError('UNAUTHENTICATED', 'Send exactly one Authorization header.');
  return authorization;
}

function headersOf({ limit, remaining, resetSeconds }: RateLimitStatus): Record<string, string> {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
    'RateLimit-Policy': `${limit};w=3600`,
  };
}

/** A response continues for at most twice this time after its key has ended. */
const CHECK_EVERY_MS = 400;

interface LongAnswers {
  /** Aborts the response when the key ends before it. */
  watch(response: ServerResponse, keyId: number): void;
  close(): void;
}

/** Aborts long responses, such as exports, whose key has ended. Short ones end before the first check. */
export function watchLongAnswers(
  keys: Pick<KeyAuthentication, 'endedOf'>,
  log: Log,
  everyMs = CHECK_EVERY_MS,
): LongAnswers {
  const answers = new Map<ServerResponse, { keyId: number; since: number }>();

  async function checkKeys(): Promise<void> {
    const long = [...answers].filter(([, { since }]) => performance.now() - since >= everyMs);
    if (long.length === 0) return;
    const ended = await keys.endedOf([...new Set(long.map(([, { keyId }]) => keyId))]);
    for (const [response, { keyId }] of long) if (ended.has(keyId)) response.destroy();
  }
  const timer = setInterval(
    () =>
      void checkKeys().catch((error: unknown) => log.warn('keys of long responses could not be checked', { error })),
    everyMs,
  );
  timer.unref();

  return {
    watch(response, keyId) {
      answers.set(response, { keyId, since: performance.now() });
      response.once('close', () => answers.delete(response));
    },
    close: () => clearInterval(timer),
  };
}
