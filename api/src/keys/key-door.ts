import type { Pool } from '../base/database.ts';
import type { Log } from '../base/log.ts';
import type { Settings } from '../base/settings/settings.ts';
import { needsElite } from '../policies/api-access.ts';
import { type Admission, makeRequestQuota } from './allowance/requests-gate.ts';
import { type KnownKey, makeKeyFinder, unknownKey } from './find-key.ts';
import { readKeyEnds } from './living-keys.ts';
import { makeUsageBook } from './usage/usage-book.ts';

/** What stands between a request with a key and the API. */
export interface KeyAuthentication {
  /** The key in an Authorization header, whether it lives or not. @throws AppError UNAUTHENTICATED for none of ours */
  find(authorization: string): Promise<KnownKey>;
  /** Whether a key opens the API now. @throws AppError UNAUTHENTICATED, PLAN_REQUIRED */
  check(key: KnownKey): Promise<void>;
  /** Counts a request. */
  enter(key: KnownKey): Promise<Admission>;
  /** Which of these keys do not open the API now. */
  endedOf(keyIds: readonly number[]): Promise<ReadonlySet<number>>;
  /** Writes what was counted for the chart. */
  flushUsage(): Promise<void>;
  close(): Promise<void>;
}

export interface KeyAuthenticationParts {
  pool: Pool;
  log: Log;
  limits: Settings['rateLimits'];
}

export function makeKeyAuthentication({ pool, log, limits }: KeyAuthenticationParts): KeyAuthentication {
  const { on, keyRequestsPerHour: perHour, keyRequestsAtOnce: atOnce } = limits;
  const gate = makeRequestQuota({ pool, log, allowance: { on, perHour, atOnce } });
  const book = makeUsageBook(pool, log);
  return {
    find: makeKeyFinder(pool),
    async check(key) {
      const end = (await readKeyEnds(pool, [key.id])).get(key.id);
      if (end !== null) throw end === 'plan' ? needsElite() : unknownKey();
    },
    async enter(key) {
      const admission = await gate.enter(key);
      book.note(key, admission.refusal === null);
      return admission;
    },
    async endedOf(keyIds) {
      const ends = await readKeyEnds(pool, keyIds);
      return new Set([...ends].filter(([, end]) => end !== null).map(([id]) => id));
    },
    flushUsage: () => book.flush(),
    async close() {
      await gate.close();
      await book.close();
    },
  };
}
