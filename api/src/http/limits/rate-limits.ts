import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes, RLWrapperTimeouts } from 'rate-limiter-flexible';
import type { CallLimits } from '../../accounts/signed-in.ts';
import type { Pool } from '../../base/database.ts';
import { AppError } from '../../base/errors.ts';
import type { Settings } from '../../base/settings/settings.ts';
import { inChunks } from './in-chunks.ts';
import { codesKey, networkKey, typedFromKey, typedKey, userKey } from './limit-keys.ts';
import { makeLoginLimits } from './login-limits.ts';

const MINUTE = 60;
const HOUR = 3600;
const MAILS_ON_DEMAND_AN_HOUR = 20;
/** Of one network address, and of all together. A link works for an hour as well, so whoever asked has one that works. */
const RESETS_OF_TARGET_AN_HOUR = { ofCaller: 5, ofAll: 20 };
const RESETS_OF_ADDRESS_AN_HOUR = 30;
const CONTACT_MESSAGES_AN_HOUR = { user: 10, address: 20 };
const EXPORTS_AN_HOUR = 5;
/** Three codes of a million are right at a time: fifty guesses a week find one in a hundred years. */
const CODES = { inQuarter: 10, inWeek: 50 };
const WEEK = 168 * HOUR;
/** A page of cars is one request, and many photos. */
const PHOTOS_A_REQUEST = 10;

/** A request does not wait longer for its count than this; the process then counts by itself for a minute. */
const COUNT_PATIENCE_MS = 3_000;

interface Limiter {
  consume(key: string): Promise<unknown>;
}

/**
 * Counts in PostgreSQL, for all processes together: each try by itself, and plain requests several at a time. Requests
 * are also counted while the database is away or takes no writes, then by each process alone: what they ask for may
 * still be answered.
 */
export function makeRateLimits(pool: Pool, settings: Settings['rateLimits']): CallLimits {
  const ofUsers: string[] = [];
  const kept = (keyPrefix: string, points: number, duration: number): RateLimiterPostgres => {
    if (keyPrefix.endsWith('-user')) ofUsers.push(keyPrefix);
    return new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix,
      points,
      duration,
    });
  };
  const ofRequests = (keyPrefix: string, points = settings.requestsPerUser): Limiter => {
    const shared = new RLWrapperTimeouts({
      limiter: kept(keyPrefix, points, MINUTE),
      timeoutMs: COUNT_PATIENCE_MS,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration: MINUTE }),
    });
    return inChunks(shared, points);
  };
  const loginsOfAddress = kept('login-address', settings.loginsPerAddress, 15 * MINUTE);
  const registrations = kept('register-address', settings.registrationsPerAddress, HOUR);
  const mailsOnDemand = kept('mail-user', MAILS_ON_DEMAND_AN_HOUR, HOUR);
  const contactsOfUser = kept('contact-user', CONTACT_MESSAGES_AN_HOUR.user, HOUR);
  const contactsOfAddress = kept('contact-address', CONTACT_MESSAGES_AN_HOUR.address, HOUR);
  const exports = kept('export-user', EXPORTS_AN_HOUR, HOUR);
  const codes = kept('code-user', CODES.inQuarter, 15 * MINUTE);
  const codesOfWeek = kept('code-week-user', CODES.inWeek, WEEK);
  const ownPasswords = kept('password-user', settings.loginsPerAccount, 15 * MINUTE);
  const resetsOfCaller = kept('reset-caller', RESETS_OF_TARGET_AN_HOUR.ofCaller, HOUR);
  const resetsOfTarget = kept('reset-target', RESETS_OF_TARGET_AN_HOUR.ofAll, HOUR);
  const resetsOfAddress = kept('reset-address', RESETS_OF_ADDRESS_AN_HOUR, HOUR);
  const requestsOfUser = ofRequests('request-user');
  const requestsOfAddress = ofRequests('request-address');
  const photosOfAddress = ofRequests('photo-address', PHOTOS_A_REQUEST * settings.requestsPerUser);

  const count = async (limiter: Limiter, key: string): Promise<void> => {
    if (!settings.on) return;
    try {
      await limiter.consume(key);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new AppError('RATE_LIMITED', 'Too many tries. Please wait a moment and try again.', {
        retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)),
      });
    }
  };

  const hasRoom = async (limiter: Limiter, key: string): Promise<boolean> => {
    try {
      await count(limiter, key);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'RATE_LIMITED') return false;
      throw error;
    }
  };

  return {
    ...makeLoginLimits({ settings, loginsOfAddress, kept, count, hasRoom }),
    registration: (address) => count(registrations, networkKey(address)),
    async secondFactorCode(userId, from) {
      await count(codes, codesKey(userId, from));
      await count(codesOfWeek, codesKey(userId, from));
    },
    async resetCodes(userId, from) {
      await codes.delete(codesKey(userId, from));
      await codesOfWeek.delete(codesKey(userId, from));
    },
    async ownPassword(userId, address) {
      await count(loginsOfAddress, networkKey(address));
      await count(ownPasswords, userKey(userId));
    },
    async passwordReset(email, address) {
      await count(resetsOfAddress, networkKey(address));
      return (
        (await hasRoom(resetsOfCaller, typedFromKey(email, address))) &&
        (await hasRoom(resetsOfTarget, typedKey(email)))
      );
    },
    mailOnDemand: (userId) => count(mailsOnDemand, userKey(userId)),
    async contactMessage(userId, address) {
      await count(contactsOfAddress, networkKey(address));
      if (userId !== null) await count(contactsOfUser, userKey(userId));
    },
    dataExport: (userId) => count(exports, userKey(userId)),
    request: (userId, address) =>
      userId === null ? count(requestsOfAddress, networkKey(address)) : count(requestsOfUser, userKey(userId)),
    photo: (address) => count(photosOfAddress, networkKey(address)),
    keysOf: ({ id, username, email }) => [
      `login-account:${typedKey(username)}`,
      `login-devices:${typedKey(username)}`,
      ...(email ? [`reset-target:${typedKey(email)}`] : []),
      ...ofUsers.map((keyPrefix) => `${keyPrefix}:${userKey(id)}`),
    ],
  };
}
