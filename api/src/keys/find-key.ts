import { timingSafeEqual } from 'node:crypto';
import type { Pool, Queryable } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import { type ApiScope, parseApiKey } from '../domain/api-key.ts';
import { ELITE_PLAN_ID } from '../domain/plan-list.ts';

/** The parts of a key that never change. Whether it is still valid is read for each request. */
export interface KnownKey {
  id: number;
  userId: number;
  scopes: readonly ApiScope[];
}

const MAX_CACHED = 10_000;
const NO_KEY = 'This API key is not valid. Send "Authorization: Bearer lw_live_…" with a key of yours.';

export const unknownKey = (): AppError => new AppError('UNAUTHENTICATED', NO_KEY);

type FindKey = (authorization: string) => Promise<KnownKey>;

/**
 * Makes a function that finds the key of an Authorization header. Rows are looked up by the key's public prefix and
 * cached; the secret part is compared with its hash in constant time.
 * @throws AppError UNAUTHENTICATED for an unknown key
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
    if (known.size >= MAX_CACHED && oldest !== undefined) known.delete(oldest);
    known.set(prefix, row);
    return row;
  }

  return async (authorization) => {
    const sent = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    const text = sent === undefined ? null : parseApiKey(sent);
    if (!text) throw unknownKey();
    const key = await read(text.prefix);
    if (!key || !timingSafeEqual(key.hash, text.hash)) throw unknownKey();
    return key;
  };
}

/** Why a key is refused now; null while it is valid. */
export type KeyEnd = 'ended' | 'plan' | null;

/** Reads which of these keys are valid, and why the others are not. */
export async function readKeyEnds(db: Queryable, ids: readonly number[]): Promise<Map<number, KeyEnd>> {
  const { rows } = await db.query<{ id: number; end: KeyEnd }>({
    name: 'api-key-ends',
    text: `select k.id, case when k.revoked_at is not null or k.expires_at <= now() then 'ended'
                             when u.plan_id <> $2 then 'plan' end as "end"
             from api_keys k join users u on u.id = k.user_id
            where k.id = any ($1)`,
    values: [ids, ELITE_PLAN_ID],
  });
  const ends = new Map<number, KeyEnd>(ids.map((id) => [id, 'ended']));
  for (const { id, end } of rows) ends.set(id, end);
  return ends;
}
