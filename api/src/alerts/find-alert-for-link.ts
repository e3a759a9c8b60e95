import type { Queryable } from '../base/database.ts';
import { alertName } from '../domain/alert-words.ts';

export interface LinkedAlert {
  /** 'Toyota Camry' */
  name: string;
  /** 'Los Angeles, CA' */
  place: string;
}

/** The alert that a signed link is about; null when it is gone or another's. */
export async function findAlertForLink(
  queryable: Queryable,
  claims: { alertId: number; userId: number },
): Promise<LinkedAlert | null> {
  const { rows } = await queryable.query<{ make: string; model: string | null; place: string }>(
    'select make, model, place from alerts where id = $1 and user_id = $2',
    [claims.alertId, claims.userId],
  );
  const row = rows[0];
  return row ? { name: alertName(row), place: row.place } : null;
}
