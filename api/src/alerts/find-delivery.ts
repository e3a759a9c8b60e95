import type { Queryable } from '../base/database.ts';
import { alertName } from '../domain/alert-name.ts';
import type { AskedCars } from '../domain/criteria/asked-cars.ts';
import { alertFieldNames } from '../domain/forms/alert.ts';
import { type DeliveryChoice, deliveryWords } from '../domain/forms/delivery.ts';
import { columnOf } from '../entities/column-of.ts';
import type { LinkedAlert } from './alert-row.ts';

/** How an alert notifies, for the page that offers fewer mails. */
export interface LinkedDelivery extends LinkedAlert {
  /** 'At once by mail, never between 22:00 and 07:00.' */
  words: string;
  delivery: 'instant' | 'daily';
  maxMailsPerDay: number | null;
  isSnoozed: boolean;
  isActive: boolean;
}

type Row = Omit<LinkedDelivery, 'name' | 'words'> & DeliveryChoice & AskedCars;

/** Whatever the form asks about delivery. */
const fields = alertFieldNames.map((name) => `${columnOf(name)} as "${name}"`).join(', ');

/** Finds how the alert of a signed link notifies; null when it is gone or another user's. */
export async function findDelivery(
  queryable: Queryable,
  claims: { alertId: number; userId: number },
): Promise<LinkedDelivery | null> {
  const { rows } = await queryable.query<Row>(
    `select ${fields}, place, coalesce(snoozed_until > now(), false) as "isSnoozed", is_active as "isActive"
       from alerts where id = $1 and user_id = $2`,
    [claims.alertId, claims.userId],
  );
  const row = rows[0];
  return row ? { ...row, name: alertName(row), words: deliveryWords(row) } : null;
}
