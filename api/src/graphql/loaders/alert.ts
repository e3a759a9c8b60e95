import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from '../../base/database.ts';
import { Alert } from '../../entities/alert.ts';
import { batch, type OwnKey, ownColumns, ownText } from './batch.ts';
import { asEntities, columnsOf } from './entity-rows.ts';

/** Alerts of their users by id; another's is not found. */
export function alertLoader(pool: Pool, em: EntityManager) {
  const text = `select ${columnsOf(em, Alert, 'a')}
     from unnest($1::int8[], $2::int8[]) k (user_id, id) join alerts a on a.id = k.id and a.user_id = k.user_id`;
  return batch<OwnKey, Alert>(async (keys) => {
    const { rows } = await pool.query<object>({ name: 'load-alerts', text, values: ownColumns(keys) });
    return new Map(asEntities(Alert, rows).map((alert) => [ownText(alert), alert]));
  }, ownText);
}

/** How many matches an alert shows. */
export function matchCountLoader(pool: Pool) {
  return batch<number, number>(async (ids) => {
    const { rows } = await pool.query<{ id: number; count: number }>({
      name: 'load-match-counts',
      text: `select a.id, c.count from alerts a
         cross join lateral (
           select count(*)::int4 from matches where alert_id = a.id and alert_version = a.version offset 0) c
        where a.id = any($1::int8[])`,
      values: [ids],
    });
    return new Map(rows.map((row) => [String(row.id), row.count]));
  });
}
