import type { EntityManager } from '@mikro-orm/postgresql';
import { alertKeys, alertSearch } from '../domain/criteria/search-columns.ts';
import type { Alert } from '../entities/alert.ts';
import { sqlOf } from '../entities/sql-of.ts';

/**
 * Lays down where matching finds the alert: one row a cell it covers, in place of those before.
 * Only for an active, unexpired alert, in the transaction that changed it.
 */
export async function writeAlertCells(em: EntityManager, alert: Alert): Promise<void> {
  await removeAlertCells(em, alert.id);
  const search = alertSearch(alert);
  await sqlOf(em).query(
    `insert into alert_cells (key, price_max, alert_id, alert_version, user_id, price_min, year_min, year_max,
                              color, only_images, announces, texts, x, y, z, cos_radius, expires_at)
     select k.key::int8, s."priceMax", a.id, a.version, a.user_id, s."priceMin", s."yearMin", s."yearMax", s.color,
            s."onlyImages", a.email_notifications, a.text_notifications, s.x, s.y, s.z, s."cosRadius", a.expires_at
       from alerts a,
            json_to_record($1::json) as s ("priceMin" int4, "priceMax" int4, "yearMin" int2, "yearMax" int2, color int2,
              "onlyImages" bool, x float8, y float8, z float8, "cosRadius" float8),
            json_array_elements_text($2::json) as k (key)
      where a.id = $3`,
    [JSON.stringify(search), JSON.stringify(alertKeys(alert)), alert.id],
  );
}

/** From here on no search that starts later finds the alert. */
export async function removeAlertCells(em: EntityManager, alertId: number): Promise<void> {
  await sqlOf(em).query('delete from alert_cells where alert_id = $1', [alertId]);
}
