import { timingSafeEqual } from 'node:crypto';
import type { Pool } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import { readApiKeyText } from '../domain/api-key-text.ts';
import type { ApiScope } from '../domain/api-scope.ts';

/** What never changes of a key; whether it still lives is asked each time. */
export interface KnownKey {
  id: number;
  userId: number;
  scopes: readonly ApiScope[];
}

const MOST_KNOWN = 10_000;
const NO_KEY = 'This API key is not valid. Send "Authorization: Bearer lw_live_…" with a key of yours.';

export const unknownKey = (): AppError => new AppError('UNAUTHENTICATED', NO_KEY);

export type FindKey = (authorization: string) => Promise<KnownKey>;

/**
 * Finds the key that an Authorization header holds. Rows are looked up by the part that is shown, and kept; the secret
 * part only meets its hash, in a time that tells nothing.
 * @throws AppError UNAUTHENTICATED for what is no key of ours
 */
export function makeKeyFinder(pool: Pool): FindKey {
  const known = new Map<string, KnownKey & { hash: Buffer }>();

  async function read(prefix: string): Promise<(KnownKey & { hash: Buffer }) | undefined> {
    const kept = known.get(prefix);
    if (kept) return kept;
    const { rows } = await pool.query<KnownKey & { hash: Buffer }>({
      name: 'find-api-key',
      text: `select id, user_id as "userId", scopes, secret_hash as hash from api_keys where prefix = $1`,
      values: [prefix],
    });
    const [row] = rows;
    if (!row) return undefined;
    const [oldest] = known.keys();
    if (known.size >= MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    known.set(prefix, row);
    return row;
  }

  return async (authorization) => {
    const sent = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    const text = sent === undefined ? null : readApiKeyText(sent);
    if (!text) throw unknownKey();
    const key = await read(text.prefix);
    if (!key || !timingSafeEqual(key.hash, text.hash)) throw unknownKey();
    return key;
  };
}
