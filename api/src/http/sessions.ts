import type { IncomingMessage } from 'node:http';
import connectPg from 'connect-pg-simple';
import type { Request, RequestHandler } from 'express';
import session from 'express-session';
import { type DeviceInfo, readDeviceInfo } from '../accounts/sessions/devices.ts';
import { ADMIN_IDLE_MS, extendSession, SESSION_IDLE_MS } from '../accounts/sessions/sessions.ts';
import type { Caller, SessionControl } from '../accounts/signed-in.ts';
import { channels } from '../base/channels.ts';
import { cookieName } from '../base/cookie-name.ts';
import type { Pool } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { allOf, type Secret } from '../base/secret.ts';
import type { SessionRestriction } from '../domain/session-restriction.ts';
import { isAdmin } from '../policies/admin.ts';
import type { AddressOf } from './client-address.ts';
import { type KnownDevices, makeKnownDevices } from './known-devices.ts';

declare module 'express-session' {
  interface SessionData extends Partial<DeviceInfo> {
    userId: number;
    /** Milliseconds since 1970; not there in sessions from before it was noted. */
    passwordGivenAt?: number;
    restrictedTo?: SessionRestriction;
  }
}

const COOKIE = 'lotwatch_session';
const TOUCH_EVERY_MS = 3_600_000;
/** What has ended does nothing a second later. */
const SLOW_BODY_MS = 500;
const TOUCH_ADMIN_EVERY_MS = 60_000;

export interface SessionParts {
  pool: Pool;
  secret: Secret;
  /** Signs what a device proves that it was signed in with before. */
  deviceSecret: Secret;
  /** Cookies are Secure when it is https. */
  publicUrl: string;
  addressOf: AddressOf;
  log: Log;
}

export interface Sessions {
  /** Reads the cookie of a request or an upgrade and keeps the session alive. */
  middleware: RequestHandler;
  callerOf(request: IncomingMessage): Caller;
  /**
   * Reads the session of a request again where its body came in slowly, because it may have ended meanwhile.
   * @throws AppError UNAUTHENTICATED
   */
  revalidateSession(request: IncomingMessage): Promise<void>;
  close(): void;
}

/**
 * Sessions of 30 days in PostgreSQL, rolling: each hour of use moves the end, up to 90 days from the sign-in. Those of
 * the admin last for 30 minutes without use, up to 12 hours.
 */
export function makeSessions({ pool, secret, deviceSecret, publicUrl, addressOf, log }: SessionParts): Sessions {
  const Store = connectPg(session);
  const store = new Store({
    pool,
    tableName: 'session',
    createTableIfMissing: false,
    // A touch an answer would be a write an answer: touchLastSeen does it once an hour.
    disableTouch: true,
    errorLog: (...args: unknown[]) => log.error('session store', { error: args.map(String).join(' ') }),
  });
  const https = publicUrl.startsWith('https:');
  const cookie = cookieName(COOKIE, publicUrl);
  const devices = makeKnownDevices(deviceSecret, publicUrl);
  const sessions = session({
    store,
    // The first signs, and a cookie of one of the others is signed anew with its answer.
    secret: [...allOf(secret)],
    name: cookie,
    resave: false,
    saveUninitialized: false,
    rolling: true,
    cookie: { httpOnly: true, sameSite: 'lax', secure: https, maxAge: SESSION_IDLE_MS, path: '/' },
  });

  /** When the session of a request was read. */
  const readAt = new WeakMap<IncomingMessage, number>();
  let touched = new Map<string, number>();
  let touchedSince = Date.now();
  function keepAlive(sessionId: string, everyMs: number): void {
    const now = Date.now();
    if (now - touchedSince > TOUCH_EVERY_MS) {
      touched = new Map();
      touchedSince = now;
    }
    if (now - (touched.get(sessionId) ?? Number.NEGATIVE_INFINITY) < everyMs) return;
    touched.set(sessionId, now);
    extendSession(pool, sessionId).catch((error: unknown) => log.warn('session not kept alive', { error }));
  }

  function noteUse({ session: { userId }, sessionID, headers }: Request): void {
    if (userId === undefined) return;
    if (!isAdmin({ id: userId })) keepAlive(sessionID, TOUCH_EVERY_MS);
    // A page that connects its socket again by itself is no use of the admin's session.
    else if (!headers.upgrade) keepAlive(sessionID, TOUCH_ADMIN_EVERY_MS);
  }

  return {
    middleware(request, response, next) {
      // The address that people use decides, not the connection behind a proxy.
      if (https) Object.defineProperty(request, 'secure', { value: true, configurable: true });
      devices.middleware(request, response, () =>
        sessions(request, response, (error?: unknown) => {
          readAt.set(request, Date.now());
          if (!error) noteUse(request);
          next(error);
        }),
      );
    },
    callerOf(request) {
      const { session: current, sessionID } = request as Request;
      const userId = current?.userId;
      const givenAt = current?.passwordGivenAt;
      const passwordGivenAt = givenAt === undefined ? null : new Date(givenAt);
      return {
        viewer:
          userId === undefined
            ? null
            : { id: userId, sessionId: sessionID, passwordGivenAt, restrictedTo: current?.restrictedTo ?? null },
        session: controlOf(request as Request, { pool, devices, cookie, https }),
        address: addressOf(request),
        host: request.headers.host,
      };
    },
    async revalidateSession(request) {
      const { session: current, sessionID } = request as Request;
      const readMs = Date.now() - (readAt.get(request) ?? Date.now());
      if (current?.userId === undefined || readMs < SLOW_BODY_MS) return;
      const there = await pool.query('select from session where sid = $1 and expire > now()', [sessionID]);
      if (there.rowCount === 0) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
    },
    close: () => store.close(),
  };
}

interface ControlParts {
  pool: Pool;
  devices: KnownDevices;
  /** The session's cookie. */
  cookie: string;
  https: boolean;
}

function controlOf(request: Request, { pool, devices, cookie, https }: ControlParts): SessionControl {
  const announceEnd = (sessionId: string) => pool.query('select pg_notify($1, $2)', [channels.sessions, sessionId]);
  return {
    async signIn(userId, restrictedTo) {
      const before = request.session.userId === undefined ? null : request.sessionID;
      await done((settle) => request.session.regenerate(settle));
      const words = readDeviceInfo(request.headers['user-agent']);
      Object.assign(request.session, { userId, passwordGivenAt: Date.now(), ...words });
      if (restrictedTo) request.session.restrictedTo = restrictedTo;
      if (isAdmin({ id: userId })) request.session.cookie.maxAge = ADMIN_IDLE_MS;
      await done((settle) => request.session.save(settle));
      saveNoMore(request.session);
      if (before) await announceEnd(before);
    },
    async signOut() {
      const ended = request.sessionID;
      const wasSignedIn = request.session?.userId !== undefined;
      if (!request.session) return;
      await done((settle) => request.session.destroy(settle));
      request.res?.clearCookie(cookie, { path: '/', httpOnly: true, sameSite: 'lax', secure: https });
      if (wasSignedIn) await announceEnd(ended);
    },
    async recordPasswordEntry() {
      // Not through the session's own save, which would bring back one that has ended in the meantime.
      const noted = await pool.query(
        `update session set sess = jsonb_set(sess::jsonb, '{passwordGivenAt}', to_jsonb($2::int8))::json
          where sid = $1 and expire > now()`,
        [request.sessionID, Date.now()],
      );
      if (noted.rowCount === 0) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
    },
    deviceInfo: () => readDeviceInfo(request.headers['user-agent']),
    knownDeviceId: (username) => devices.nameOf(request, username),
    rememberDevice(username) {
      if (!request.res) throw new Error('Only what is answered by HTTP can carry a cookie.');
      return devices.remember(request, request.res, username);
    },
  };
}

/**
 * express-session saves a new session once more when the answer ends. That would bring back a session which a change of
 * the password has ended in the meantime.
 */
function saveNoMore(current: session.Session): void {
  Object.defineProperty(current, 'save', {
    configurable: true,
    value(settle?: () => void) {
      settle?.();
      return current;
    },
  });
}

function done(start: (settle: (error?: unknown) => void) => void): Promise<void> {
  return new Promise((settle, fail) => {
    start((error) => (error ? fail(error) : settle()));
  });
}
