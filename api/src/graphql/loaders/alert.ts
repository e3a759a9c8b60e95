import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from '../../base/database.ts';
import { Alert } from '../../entities/alert.ts';
import { batch } from './batch.ts';

/** Alerts of one user by id; another's is not found. */
export function alertLoader(em: EntityManager, userId: number) {
  return batch<number, Alert>(async (ids) => {
    const alerts = await em.find(Alert, { id: { $in: ids }, userId }, { disableIdentityMap: true });
    return new Map(alerts.map((alert) => [String(alert.id), alert]));
  });
}

/** How many matches an alert shows. */
export function matchCountLoader(pool: Pool) {
  return batch<number, number>(async (ids) => {
    const { rows } = await pool.query<{ id: number; count: number }>(
      `select a.id, count(m.alert_id)::int4 as count
         from alerts a left join matches m on m.alert_id = a.id and m.alert_version = a.version
        where a.id = any($1::int8[]) group by a.id`,
      [ids],
    );
    return new Map(rows.map((row) => [String(row.id), row.count]));
  });
}
