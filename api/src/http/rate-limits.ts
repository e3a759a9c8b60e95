import { createHash } from 'node:crypto';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { CallLimits } from '../accounts/signed-in.ts';
import type { Pool } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import type { Settings } from '../base/settings/settings.ts';

const MINUTE = 60;
const HOUR = 3600;
const MAILS_ON_DEMAND_AN_HOUR = 20;
/** Of one network address, and of all together. A link works for an hour as well, so whoever asked has one that works. */
const RESETS_OF_TARGET_AN_HOUR = { ofCaller: 5, ofAll: 20 };
const RESETS_OF_ADDRESS_AN_HOUR = 30;
const CONTACT_MESSAGES_AN_HOUR = { user: 10, address: 20 };
const EXPORTS_AN_HOUR = 5;

interface Limiter {
  consume(key: string): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}

/** Logins and registrations are counted in PostgreSQL, by all processes together; calls in memory. */
export function makeRateLimits(pool: Pool, settings: Settings['rateLimits']): CallLimits {
  const ofUsers: string[] = [];
  const kept = (keyPrefix: string, points: number, duration: number): Limiter => {
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
  const loginsOfAccount = kept('login-account', settings.loginsPerAccount, 15 * MINUTE);
  const loginsOfAddress = kept('login-address', settings.loginsPerAddress, 15 * MINUTE);
  const registrations = kept('register-address', settings.registrationsPerAddress, HOUR);
  const mailsOnDemand = kept('mail-user', MAILS_ON_DEMAND_AN_HOUR, HOUR);
  const contactsOfUser = kept('contact-user', CONTACT_MESSAGES_AN_HOUR.user, HOUR);
  const contactsOfAddress = kept('contact-address', CONTACT_MESSAGES_AN_HOUR.address, HOUR);
  const exports = kept('export-user', EXPORTS_AN_HOUR, HOUR);
  const passwordChanges = kept('password-user', settings.loginsPerAccount, 15 * MINUTE);
  const resetsOfCaller = kept('reset-caller', RESETS_OF_TARGET_AN_HOUR.ofCaller, HOUR);
  const resetsOfTarget = kept('reset-target', RESETS_OF_TARGET_AN_HOUR.ofAll, HOUR);
  const resetsOfAddress = kept('reset-address', RESETS_OF_ADDRESS_AN_HOUR, HOUR);
  const requests = new RateLimiterMemory({ points: settings.requestsPerUser, duration: MINUTE });

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
    async login(username, address) {
      await count(loginsOfAddress, address);
      await count(loginsOfAccount, typedKey(username));
    },
    async forgiveLogins(username) {
      await loginsOfAccount.delete(typedKey(username));
    },
    registration: (address) => count(registrations, address),
    passwordChange: (userId) => count(passwordChanges, String(userId)),
    async passwordReset(email, address) {
      await count(resetsOfAddress, address);
      return (
        (await hasRoom(resetsOfCaller, typedKey(`${email.trim()}\n${address}`))) &&
        (await hasRoom(resetsOfTarget, typedKey(email)))
      );
    },
    mailOnDemand: (userId) => count(mailsOnDemand, String(userId)),
    async contactMessage(userId, address) {
      await count(contactsOfAddress, address);
      if (userId !== null) await count(contactsOfUser, String(userId));
    },
    dataExport: (userId) => count(exports, String(userId)),
    request: (userId, address) => count(requests, userId === null ? `address ${address}` : `user ${userId}`),
    keysOf: ({ id, username, email }) => [
      `login-account:${typedKey(username)}`,
      ...(email ? [`reset-target:${typedKey(email)}`] : []),
      ...ofUsers.map((keyPrefix) => `${keyPrefix}:${id}`),
    ],
  };
}

/** Names and addresses are typed by strangers: of any length, in any case. */
function typedKey(text: string): string {
  return createHash('sha256').update(text.trim().toLowerCase()).digest('base64url');
}
