import type { Queryable } from '../base/database.ts';
import { ELITE_PLAN_ID } from '../domain/plan-limits.ts';

/** Why a key is not taken now; null while it is. */
export type KeyEnd = 'ended' | 'plan' | null;

/** Which of these keys still open the API, and why the others don't. */
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
