import type { Pool } from '../base/database.ts';
import type { Log } from '../base/log.ts';
import type { Settings } from '../base/settings/settings.ts';
import { needsElite } from '../policies/owned-records.ts';
import { type KnownKey, makeKeyFinder, readKeyEnds, unknownKey } from './find-key.ts';
import { makeKeyUsage } from './key-usage.ts';
import { type Admission, makeRequestQuota } from './request-quota.ts';

/** Authenticates requests with API keys and counts them. */
export interface KeyAuthentication {
  /** Finds the key in an Authorization header, whether it is valid or has ended. @throws AppError UNAUTHENTICATED */
  find(authorization: string): Promise<KnownKey>;
  /** Checks that a key is valid now. @throws AppError UNAUTHENTICATED, PLAN_REQUIRED */
  check(key: KnownKey): Promise<void>;
  /** Checks that a key is valid now, and counts a request against its account's quota. */
  admit(key: KnownKey): Promise<Admission>;
  /** Which of these keys are not valid now. */
  endedOf(keyIds: readonly number[]): Promise<ReadonlySet<number>>;
  /** Writes the usage counts. */
  flushUsage(): Promise<void>;
  close(): Promise<void>;
}

interface KeyAuthenticationParts {
  pool: Pool;
  log: Log;
  limits: Settings['rateLimits'];
}

export function makeKeyAuthentication({ pool, log, limits }: KeyAuthenticationParts): KeyAuthentication {
  const { on, keyRequestsPerHour: perHour, keyRequestsAtOnce: atOnce } = limits;
  const quota = makeRequestQuota({ pool, log, quota: { on, perHour, atOnce } });
  const usage = makeKeyUsage(pool, log);
  return {
    find: makeKeyFinder(pool),
    async check(key) {
      const end = (await readKeyEnds(pool, [key.id])).get(key.id);
      if (end !== null) throw end === 'plan' ? needsElite() : unknownKey();
    },
    async admit(key) {
      const admission = await quota.admit(key);
      usage.count(key, admission.refusal === null);
      return admission;
    },
    async endedOf(keyIds) {
      const ends = await readKeyEnds(pool, keyIds);
      return new Set([...ends].filter(([, end]) => end !== null).map(([id]) => id));
    },
    flushUsage: () => usage.flush(),
    async close() {
      await quota.close();
      await usage.close();
    },
  };
}
