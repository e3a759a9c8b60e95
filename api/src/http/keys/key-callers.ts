import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { Caller, CallLimits, Viewer } from '../../accounts/signed-in.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { KnownKey } from '../../keys/find-key.ts';
import type { KeyAuthentication } from '../../keys/key-authentication.ts';
import type { RateLimitStatus } from '../../keys/request-quota.ts';
import type { AddressOf } from '../client-address.ts';
import type { Sessions } from '../sessions.ts';
import { watchLongAnswers } from './long-answers.ts';

/** Requests that come with an `Authorization` header of their own kind: their tokens are the operator's or a vendor's. */
const ownTokens = /^\/api\/(?:ingest|webhooks)\//i;

export interface KeyCallers {
  /** Whoever stands behind a request or an upgrade: the owner of its key, else of its cookie. */
  callerOf(request: IncomingMessage): Caller;
  /** Whether a request comes with a key, or with something in its place; then its cookie never counts. */
  hasKey(request: IncomingMessage): boolean;
  /** Authenticates a request with a key, and counts it. */
  middleware: RequestHandler;
  /** Makes the key the caller of a socket's upgrade. @throws AppError UNAUTHENTICATED, PLAN_REQUIRED, RATE_LIMITED */
  signSocket(request: IncomingMessage, authorization: string): Promise<Viewer>;
  /** Counts an operation of a socket's, and says when it is done. @throws AppError */
  enter(viewer: Viewer): Promise<() => void>;
  close(): void;
}

export interface KeyCallerParts {
  authentication: KeyAuthentication;
  sessions: Pick<Sessions, 'callerOf'>;
  addressOf: AddressOf;
  limits: Pick<CallLimits, 'request'>;
  log: Log;
}

export function makeKeyCallers({ authentication, sessions, addressOf, limits, log }: KeyCallerParts): KeyCallers {
  const answers = watchLongAnswers(authentication, log);
  const callers = new WeakMap<IncomingMessage, Caller>();

  /** Guessing is counted like a visitor's requests. */
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
    async signSocket(request, authorization) {
      const address = addressOf(request);
      const key = await find(authorization, address);
      await authentication.check(key);
      const viewer = viewerOf(key);
      callers.set(request, { viewer, session: null, address, host: request.headers.host });
      return viewer;
    },
    async enter({ id, key }) {
      if (!key) throw new Error('Only operations with a key are counted by it.');
      const { refusal, release } = await authentication.admit({ id: key.id, userId: id, scopes: key.scopes });
      if (!refusal) return release;
      release();
      throw refusal;
    },
    close: () => answers.close(),
  };
}

/** @throws AppError UNAUTHENTICATED where there are several */
export function authorizationOf(request: IncomingMessage): string {
  const [authorization = '', ...more] = request.headersDistinct.authorization ?? [];
  if (more.length > 0) throw new AppError('UNAUTHENTICATED', 'Send one Authorization header.');
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
