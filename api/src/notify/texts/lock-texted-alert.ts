import type { Client } from '../../base/database.ts';
import { alertName } from '../../domain/alert-words.ts';
import type { AlertCriteria } from '../../domain/criteria/criteria.ts';
import { mayBeTexted } from '../../entities/shared/may-be-texted.ts';

export interface TextedAlert {
  id: number;
  userId: number;
  version: number;
  /** 'Toyota Camry' */
  name: string;
  /** 'Austin, TX' */
  place: string;
  /** E.164. */
  phone: string;
  planId: number;
  username: string;
  email: string | null;
  isEmailConfirmed: boolean;
  /** Of which month and cap its owner was told. */
  capTold: string | null;
  lastTextedAt: Date | null;
  /** By the database's clock. */
  lookedAt: Date;
  criteria: AlertCriteria;
}

interface Row extends AlertCriteria, Omit<TextedAlert, 'name' | 'criteria' | 'phone'> {
  phone: string | null;
  wanted: boolean;
  mayBeTexted: boolean;
  isRematching: boolean;
}

/**
 * Locks an alert and its owner that nobody else holds until the transaction ends: no switch, edit or other text of that
 * owner comes between this look and the claim. It never waits. `off`: nothing of it is texted any more.
 */
export async function lockTextedAlert(
  client: Client,
  alertId: number,
): Promise<TextedAlert | 'busy' | 'off' | 'rematching'> {
  const { rows } = await client.query<Row>({
    name: 'texts-lock-alert',
    text: `select a.id, a.user_id as "userId", a.version, a.make, a.model, a.year_min as "yearMin",
            a.year_max as "yearMax", a.price_min as "priceMin", a.price_max as "priceMax", a.color,
            a.only_with_images as "onlyWithImages", a.lat, a.lng, a.radius, a.place,
            a.pending_match as "isRematching", a.last_texted_at as "lastTextedAt",
            a.is_active and a.expires_at > now() and a.text_notifications as wanted,
            ${mayBeTexted('u')} as "mayBeTexted",
            u.phone, u.plan_id as "planId", u.username, u.email, u.email_confirmed_at is not null as "isEmailConfirmed",
            u.text_cap_told as "capTold", clock_timestamp() as "lookedAt"
       from alerts a join users u on u.id = a.user_id
      where a.id = $1 for no key update of a, u skip locked`,
    values: [alertId],
  });
  const [row] = rows;
  if (!row) {
    const { rowCount } = await client.query('select 1 from alerts where id = $1', [alertId]);
    return rowCount ? 'busy' : 'off';
  }
  const { wanted, isRematching, phone } = row;
  if (!wanted || !row.mayBeTexted || phone === null) return 'off';
  return isRematching ? 'rematching' : { ...row, phone, name: alertName(row), criteria: row };
}
