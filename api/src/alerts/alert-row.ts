import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { channels } from '../base/channels.ts';
import type { Queryable } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import { alertName } from '../domain/alert-name.ts';
import type { AskedCars } from '../domain/criteria/asked-cars.ts';
import { alertKeys, alertSearch } from '../domain/criteria/search-columns.ts';
import { Alert } from '../entities/alert.ts';
import { columnOf } from '../entities/column-of.ts';
import { matchChannels } from '../entities/delivery-channels.ts';
import { sqlOf } from '../entities/sql-of.ts';

/**
 * Locks those of the viewer's alerts, all before the first edit: an edit also locks pairs, for which a search waits, so
 * that waiting for the next alert after an edit could deadlock.
 */
export async function lockOwnAlerts(em: EntityManager, viewer: { id: number }, ids: readonly number[]): Promise<void> {
  // They are not loaded as entities, in which a refused change would remain.
  await sqlOf(em).query('select id from alerts where id = any($1::int8[]) and user_id = $2 order by id for update', [
    ids,
    viewer.id,
  ]);
}

/**
 * Locks the viewer's alert until the transaction ends and reads its current state.
 * @throws AppError NOT_FOUND when it is missing or another user's
 */
export async function lockOwnAlert(em: EntityManager, viewer: { id: number }, alertId: number): Promise<Alert> {
  const own = { id: alertId, userId: viewer.id };
  const alert = await em.findOne(Alert, own, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!alert) throw new AppError('NOT_FOUND', 'Alert not found');
  return alert;
}

export interface LinkedAlert {
  /** 'Toyota Camry' */
  name: string;
  /** 'Los Angeles, CA' */
  place: string;
}

/** Finds the alert of a signed link; null when it is gone or another user's. */
export async function findAlertForLink(
  queryable: Queryable,
  claims: { alertId: number; userId: number },
): Promise<LinkedAlert | null> {
  const { rows } = await queryable.query<AskedCars & { place: string }>(
    'select make, model, models, place from alerts where id = $1 and user_id = $2',
    [claims.alertId, claims.userId],
  );
  const row = rows[0];
  return row ? { name: alertName(row), place: row.place } : null;
}

const cells = matchChannels.map(({ cell }) => cell).join(', ');
const flags = matchChannels.map(({ flag }) => `a.${flag}`).join(', ');

/**
 * Replaces the rows by which matching finds the alert, one for each cell that it covers. It must run in the transaction
 * that changed the alert, and only for an active, unexpired one.
 */
export async function writeAlertCells(em: EntityManager, alert: Alert): Promise<void> {
  await removeAlertCells(em, alert);
  const search = Object.fromEntries(Object.entries(alertSearch(alert)).map(([name, value]) => [columnOf(name), value]));
  await sqlOf(em).query(
    `insert into alert_cells (key, price_max, alert_id, alert_version, user_id, price_min, year_min, year_max,
                              color, only_images, asked, conditions, mileage_max, x, y, z, cos_radius, expires_at, ${cells})
     select k.key::int8, s.price_max, a.id, a.version, a.user_id, s.price_min, s.year_min, s.year_max, s.color,
            s.only_images, s.asked, s.conditions, s.mileage_max, s.x, s.y, s.z, s.cos_radius, a.expires_at, ${flags}
       from alerts a,
            json_populate_record(null::alert_cells, $1::json) as s,
            json_array_elements_text($2::json) as k (key)
      where a.id = $3 and a.user_id = $4`,
    [JSON.stringify(search), JSON.stringify(alertKeys(alert)), alert.id, alert.userId],
  );
}

/** Removes the alert from matching: searches that start after the commit don't find it. */
export async function removeAlertCells(em: EntityManager, { id, userId }: Pick<Alert, 'id' | 'userId'>): Promise<void> {
  await sqlOf(em).query('delete from alert_cells where alert_id = $1 and user_id = $2', [id, userId]);
}

/** Reads the database's clock, by which searches decide what has expired. */
export async function databaseNow(em: EntityManager): Promise<Date> {
  const { rows } = await sqlOf(em).query<{ now: Date }>('select now() as now');
  return rows[0]?.now ?? new Date(Number.NaN);
}

/** Notifies the worker, when the transaction commits, that alerts wait to be matched. */
export async function wakeMatching(em: EntityManager): Promise<void> {
  await sqlOf(em).query(`select pg_notify('${channels.work}', 'backfill')`);
}
