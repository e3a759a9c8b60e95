import type { IncomingMessage } from 'node:http';
import connectPg from 'connect-pg-simple';
import type { Request, RequestHandler } from 'express';
import session from 'express-session';
import { type DeviceInfo, readDeviceInfo } from '../accounts/sessions/devices.ts';
import {
  ADMIN_IDLE_MS,
  endSession,
  extendSession,
  readLiveSessions,
  recordPasswordEntry,
  replaceSession,
  SESSION_IDLE_MS,
  sessionEnded,
} from '../accounts/sessions/sessions.ts';
import type { Caller, SessionControl } from '../accounts/signed-in.ts';
import { cookieName, SESSION_COOKIE } from '../base/cookie-name.ts';
import type { Pool } from '../base/database.ts';
import type { Log } from '../base/log.ts';
import { allOf, type Secret } from '../base/secret.ts';
import type { SessionRestriction } from '../domain/session-restriction.ts';
import { isAdmin } from '../policies/admin.ts';
import type { AddressOf } from './client-address.ts';
import { type KnownDevices, makeKnownDevices } from './known-devices.ts';

declare module 'express-session' {
  interface SessionData extends Partial<DeviceInfo> {
    userId: number;
    /** Milliseconds since 1970; undefined in old sessions. */
    passwordGivenAt?: number;
    restrictedTo?: SessionRestriction;
  }
}

const TOUCH_EVERY_MS = 3_600_000;
/** When the body takes longer than this, the session is read again after it. */
const SLOW_BODY_MS = 500;
const TOUCH_ADMIN_EVERY_MS = 60_000;

export interface SessionParts {
  pool: Pool;
  secret: Secret;
  /** The key of the proofs in the device cookie. */
  deviceSecret: Secret;
  /** With https the cookies are Secure. */
  publicUrl: string;
  addressOf: AddressOf;
  log: Log;
}

export interface Sessions {
  /** Reads the session of a request or upgrade and extends it. */
  middleware: RequestHandler;
  callerOf(request: IncomingMessage): Caller;
  /** Whether a request carries the cookie of a session, which may have ended. */
  mayBeSignedIn(request: IncomingMessage): boolean;
  /**
   * Checks the session of a request again when its body came in slowly, since it may have ended meanwhile.
   * @throws AppError UNAUTHENTICATED
   */
  revalidateSession(request: IncomingMessage): Promise<void>;
  close(): void;
}

/**
 * Stores sessions in PostgreSQL. They end after 30 days without use, and after 90 days in any case; those of the admin
 * after 30 minutes and 12 hours.
 */
export function makeSessions({ pool, secret, deviceSecret, publicUrl, addressOf, log }: SessionParts): Sessions {
  const Store = connectPg(session);
  const store = new Store({
    pool,
    tableName: 'session',
    createTableIfMissing: false,
    // It would write with each response; extendSession writes once an hour.
    disableTouch: true,
    errorLog: (...args: unknown[]) => log.error('session store', { error: args.map(String).join(' ') }),
  });
  const https = publicUrl.startsWith('https:');
  const cookie = cookieName(SESSION_COOKIE, publicUrl);
  const devices = makeKnownDevices(deviceSecret, publicUrl);
  const sessions = session({
    store,
    // The first one signs; a cookie that was signed with another is signed again with the response.
    secret: [...allOf(secret)],
    name: cookie,
    resave: false,
    saveUninitialized: false,
    rolling: true,
    cookie: { httpOnly: true, sameSite: 'lax', secure: https, maxAge: SESSION_IDLE_MS, path: '/' },
  });

  /** The time at which the session of a request was read, in milliseconds. */
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
    extendSession(pool, sessionId).catch((error: unknown) => log.warn('session could not be extended', { error }));
  }

  function recordUse({ session: { userId }, sessionID, headers }: Request): void {
    if (userId === undefined) return;
    if (!isAdmin({ id: userId })) keepAlive(sessionID, TOUCH_EVERY_MS);
    // A page may reconnect its socket by itself, which does not count as use of the admin's session.
    else if (!headers.upgrade) keepAlive(sessionID, TOUCH_ADMIN_EVERY_MS);
  }

  return {
    middleware(request, response, next) {
      // The public address decides, since the connection behind a proxy may be plain.
      if (https) Object.defineProperty(request, 'secure', { value: true, configurable: true });
      devices.middleware(request, response, () =>
        sessions(request, response, (error?: unknown) => {
          readAt.set(request, Date.now());
          if (!error) recordUse(request);
          next(error);
        }),
      );
    },
    mayBeSignedIn: ({ headers }) => headers.cookie?.includes(`${cookie}=`) ?? false,
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
        session: makeControl(request as Request, { pool, devices, cookie, https }),
        address: addressOf(request),
        host: request.headers.host,
      };
    },
    async revalidateSession(request) {
      const { session: current, sessionID } = request as Request;
      const readMs = Date.now() - (readAt.get(request) ?? Date.now());
      if (current?.userId === undefined || readMs < SLOW_BODY_MS) return;
      const alive = await readLiveSessions(pool, [sessionID]);
      if (!alive.has(sessionID)) throw sessionEnded();
    },
    close: () => store.close(),
  };
}

interface ControlParts {
  pool: Pool;
  devices: KnownDevices;
  /** The name of the session cookie. */
  cookie: string;
  https: boolean;
}

function makeControl(request: Request, { pool, devices, cookie, https }: ControlParts): SessionControl {
  /** The browser never learns the id of the session after it. */
  const discard = () => done((resolve) => request.session.regenerate(resolve));
  return {
    async signIn(userId, restrictedTo) {
      const former = request.session.userId === undefined ? null : request.sessionID;
      const start = async () => {
        await done((resolve) => request.session.regenerate(resolve));
        const words = readDeviceInfo(request.headers['user-agent']);
        Object.assign(request.session, { userId, passwordGivenAt: Date.now(), ...words });
        if (restrictedTo) request.session.restrictedTo = restrictedTo;
        if (isAdmin({ id: userId })) request.session.cookie.maxAge = ADMIN_IDLE_MS;
        try {
          await done((resolve) => request.session.save(resolve));
        } catch (error) {
          // It may be stored, and only the answer be lost.
          await discard().catch(() => {});
          throw error;
        } finally {
          disableSave(request.session);
        }
        return request.sessionID;
      };
      if (former === null) {
        await start();
        return;
      }
      try {
        await replaceSession(pool, userId, former, start);
      } catch (error) {
        // Where the new session is stored, nobody has checked yet whether the login still holds.
        if (request.sessionID !== former) await discard().catch(() => {});
        throw error;
      }
    },
    async signOut() {
      const ended = request.sessionID;
      const wasSignedIn = request.session?.userId !== undefined;
      if (!request.session) return;
      if (wasSignedIn) await endSession(pool, ended);
      await done((resolve) => request.session.destroy(resolve));
      request.res?.clearCookie(cookie, { path: '/', httpOnly: true, sameSite: 'lax', secure: https });
    },
    discard,
    recordPasswordEntry: () => recordPasswordEntry(pool, request.sessionID),
    deviceInfo: () => readDeviceInfo(request.headers['user-agent']),
    knownDeviceId: (username) => devices.idOf(request, username),
    rememberDevice(username) {
      if (!request.res) throw new Error('Only an HTTP response can set a cookie.');
      return devices.remember(request, request.res, username);
    },
  };
}

/**
 * express-session saves a new session again at the end of the response, which would restore a session that a change of
 * the password has ended meanwhile, or store one of a login that has failed.
 */
function disableSave(current: session.Session): void {
  Object.defineProperty(current, 'save', {
    configurable: true,
    value(resolve?: () => void) {
      resolve?.();
      return current;
    },
  });
}

function done(start: (resolve: (error?: unknown) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error ? reject(error) : resolve()));
  });
}
