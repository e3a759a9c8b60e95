import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes, RLWrapperTimeouts } from 'rate-limiter-flexible';
import type { CallLimits } from '../../accounts/call-limits.ts';
import type { Pool } from '../../base/database.ts';
import { AppError } from '../../base/errors.ts';
import type { Settings } from '../../base/settings/settings.ts';
import { makeChunkedLimiter } from './chunked-limiter.ts';
import {
  accountFromNetworkKey,
  accountOnDeviceKey,
  codesKey,
  networkKey,
  typedFromKey,
  typedKey,
  userKey,
} from './limit-keys.ts';

const WINDOW_SECONDS = 900;

interface Counting {
  settings: Settings['rateLimits'];
  loginsOfAddress: RateLimiterPostgres;
  makeLimiter(keyPrefix: string, points: number, seconds: number): RateLimiterPostgres;
  /** @throws AppError RATE_LIMITED */
  count(limiter: RateLimiterPostgres, key: string): Promise<void>;
  /** Counts. @returns false over the limit */
  countAndCheck(limiter: RateLimiterPostgres, key: string): Promise<boolean>;
}

type LoginLimits = Pick<CallLimits, 'login' | 'startDevice' | 'resetLogins'>;

/**
 * Logins are counted by account and network, so that nobody can lock the owner out from another network. All networks
 * together have a limit too, which slows guessing from many of them. A device that was signed in to the account before
 * has a counter of its own instead of these two, so that nobody else can lock it out. The limits for all known devices of
 * an account, and for all in one network, stop an attacker who has collected many of them.
 */
function makeLoginLimits({ settings, loginsOfAddress, makeLimiter, count, countAndCheck }: Counting): LoginLimits {
  const { loginsPerAccount, loginsPerAccountEverywhere, loginsPerAddress } = settings;
  const ofAccountFromNetwork = makeLimiter('login-here', loginsPerAccount, WINDOW_SECONDS);
  const ofAccount = makeLimiter('login-account', loginsPerAccountEverywhere, WINDOW_SECONDS);
  const ofDevice = makeLimiter('login-device', loginsPerAccount, WINDOW_SECONDS);
  const ofDevices = makeLimiter('login-devices', loginsPerAccountEverywhere, WINDOW_SECONDS);
  const ofDevicesInNetwork = makeLimiter('login-devices-address', loginsPerAddress, WINDOW_SECONDS);

  async function passesAsDevice(username: string, address: string, device: string): Promise<boolean> {
    await count(ofDevice, accountOnDeviceKey(username, device));
    return (
      (await countAndCheck(ofDevicesInNetwork, networkKey(address))) &&
      (await countAndCheck(ofDevices, typedKey(username)))
    );
  }

  return {
    async login(username, address, device) {
      if (device !== null && (await passesAsDevice(username, address, device))) return;
      await count(loginsOfAddress, networkKey(address));
      await count(ofAccountFromNetwork, accountFromNetworkKey(username, address));
      await count(ofAccount, typedKey(username));
    },
    async startDevice(username, address, device) {
      if (!settings.on) return;
      const before = await ofAccountFromNetwork.get(accountFromNetworkKey(username, address));
      if (before === null) return;
      const seconds = Math.max(1, Math.ceil(before.msBeforeNext / 1000));
      await ofDevice.set(accountOnDeviceKey(username, device), before.consumedPoints, seconds);
    },
    async resetLogins(username, address, device) {
      await ofAccount.delete(typedKey(username));
      await ofDevices.delete(typedKey(username));
      await ofAccountFromNetwork.delete(accountFromNetworkKey(username, address));
      if (device !== null) await ofDevice.delete(accountOnDeviceKey(username, device));
    },
  };
}

const MINUTE = 60;
const HOUR = 3600;
const MAILS_ON_DEMAND_AN_HOUR = 20;
const RESENDS_A_DAY = 10;
/** Each compares up to 8,000 listings. */
const EXPLANATIONS_AN_HOUR = 120;
/** Each compares all listings of a make near a place. The form asks at most 150 times a minute. */
const PREVIEWS_A_MINUTE = 300;
const SOURCE_TRIALS_IN_10_MINUTES = 30;
/**
 * Reset mails to one address an hour: asked for from one network, and from all. A link works for an hour as well, so that a
 * user over the limit has a working link.
 */
const RESETS_OF_TARGET_AN_HOUR = { fromOneNetwork: 5, fromAllNetworks: 20 };
const RESETS_OF_ADDRESS_AN_HOUR = 30;
const CONTACT_MESSAGES_AN_HOUR = { user: 10, address: 20 };
const EXPORTS_AN_HOUR = 5;
/** Files of lists; each reads a list with all of its pages. */
const LIST_EXPORTS_AN_HOUR = 30;
/** Three of a million codes are valid at a time, so that fifty guesses a week find one in a hundred years. */
const CODES = { in15Minutes: 10, inWeek: 50 };
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** A page of cars is one request with many photos. */
const PHOTOS_A_REQUEST = 10;
/** A mail has many links, and a scanner of mail follows them for many readers from one network. */
const LINKS_A_REQUEST = 10;

/** When counting takes longer, the process counts by itself for a minute. */
const COUNT_TIMEOUT_MS = 3_000;

interface Limiter {
  consume(key: string): Promise<unknown>;
}

/**
 * Counts in PostgreSQL, for all processes together: logins and other guarded acts one by one, plain requests in chunks.
 * While the database is unavailable or read-only, each process counts plain requests by itself, since some of them can
 * still be answered.
 */
export function makeRateLimits(pool: Pool, settings: Settings['rateLimits']): CallLimits {
  const userPrefixes: string[] = [];
  const makeLimiter = (keyPrefix: string, points: number, duration: number): RateLimiterPostgres => {
    if (keyPrefix.endsWith('-user')) userPrefixes.push(keyPrefix);
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
  const makeRequestLimiter = (keyPrefix: string, points = settings.requestsPerUser): Limiter => {
    const shared = new RLWrapperTimeouts({
      limiter: makeLimiter(keyPrefix, points, MINUTE),
      timeoutMs: COUNT_TIMEOUT_MS,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration: MINUTE }),
    });
    return makeChunkedLimiter(shared, points);
  };
  const loginsOfAddress = makeLimiter('login-address', settings.loginsPerAddress, 15 * MINUTE);
  const registrations = makeLimiter('register-address', settings.registrationsPerAddress, HOUR);
  const mailsOnDemand = makeLimiter('mail-user', MAILS_ON_DEMAND_AN_HOUR, HOUR);
  const resends = makeLimiter('resend-user', RESENDS_A_DAY, DAY);
  const explanations = makeLimiter('explain-user', EXPLANATIONS_AN_HOUR, HOUR);
  const previews = makeLimiter('preview-user', PREVIEWS_A_MINUTE, MINUTE);
  const sourceTrials = makeLimiter('source-trial-user', SOURCE_TRIALS_IN_10_MINUTES, 10 * MINUTE);
  const contactsOfUser = makeLimiter('contact-user', CONTACT_MESSAGES_AN_HOUR.user, HOUR);
  const contactsOfAddress = makeLimiter('contact-address', CONTACT_MESSAGES_AN_HOUR.address, HOUR);
  const exports = makeLimiter('export-user', EXPORTS_AN_HOUR, HOUR);
  const listExports = makeLimiter('list-export-user', LIST_EXPORTS_AN_HOUR, HOUR);
  const codes = makeLimiter('code-user', CODES.in15Minutes, 15 * MINUTE);
  const codesOfWeek = makeLimiter('code-week-user', CODES.inWeek, WEEK);
  const ownPasswords = makeLimiter('password-user', settings.loginsPerAccount, 15 * MINUTE);
  const resetsOfCaller = makeLimiter('reset-caller', RESETS_OF_TARGET_AN_HOUR.fromOneNetwork, HOUR);
  const resetsOfTarget = makeLimiter('reset-target', RESETS_OF_TARGET_AN_HOUR.fromAllNetworks, HOUR);
  const resetsOfAddress = makeLimiter('reset-address', RESETS_OF_ADDRESS_AN_HOUR, HOUR);
  const requestsOfUser = makeRequestLimiter('request-user');
  const requestsOfAddress = makeRequestLimiter('request-address');
  const photosOfAddress = makeRequestLimiter('photo-address', PHOTOS_A_REQUEST * settings.requestsPerUser);
  const linksOfAddress = makeRequestLimiter('link-address', LINKS_A_REQUEST * settings.requestsPerUser);

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

  const countAndCheck = async (limiter: Limiter, key: string): Promise<boolean> => {
    try {
      await count(limiter, key);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'RATE_LIMITED') return false;
      throw error;
    }
  };

  return {
    ...makeLoginLimits({ settings, loginsOfAddress, makeLimiter, count, countAndCheck }),
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
        (await countAndCheck(resetsOfCaller, typedFromKey(email, address))) &&
        (await countAndCheck(resetsOfTarget, typedKey(email)))
      );
    },
    mailOnDemand: (userId) => count(mailsOnDemand, userKey(userId)),
    resend: (userId) => count(resends, userKey(userId)),
    explanation: (userId) => count(explanations, userKey(userId)),
    preview: (userId) => count(previews, userKey(userId)),
    sourceTrial: (userId) => count(sourceTrials, userKey(userId)),
    async contactMessage(userId, address) {
      await count(contactsOfAddress, networkKey(address));
      if (userId !== null) await count(contactsOfUser, userKey(userId));
    },
    listExport: (userId) => count(listExports, userKey(userId)),
    dataExport: (userId) => count(exports, userKey(userId)),
    request: (userId, address) =>
      userId === null ? count(requestsOfAddress, networkKey(address)) : count(requestsOfUser, userKey(userId)),
    photo: (address) => count(photosOfAddress, networkKey(address)),
    mailLink: (address) => count(linksOfAddress, networkKey(address)),
    keysOf: ({ id, username, email }) => [
      `login-account:${typedKey(username)}`,
      `login-devices:${typedKey(username)}`,
      ...(email ? [`reset-target:${typedKey(email)}`] : []),
      ...userPrefixes.map((keyPrefix) => `${keyPrefix}:${userKey(id)}`),
    ],
  };
}
