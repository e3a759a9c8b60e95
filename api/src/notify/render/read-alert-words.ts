import type { Queryable } from '../../base/database.ts';
import type { Secret } from '../../base/secret.ts';
import { linkExpiry, signToken } from '../../domain/action-links.ts';
import { alertName, reasonWords } from '../../domain/alert-words.ts';
import { isExpired } from '../../domain/expiry.ts';
import { localDate } from '../../domain/local-date.ts';
import type { AlertMail } from '../../messages/alert-mails.ts';

interface AlertRow {
  id: number;
  userId: number;
  make: string;
  model: string | null;
  yearMin: number | null;
  yearMax: number | null;
  radius: number;
  place: string;
  expiresAt: Date;
  timeZone: string;
}

function alertMail(site: { publicUrl: string; secret: Secret }, alert: AlertRow, now: Date): AlertMail {
  const actionUrl = (action: 'renew' | 'pause' | 'unsubscribe') => {
    const claims = { action, alertId: alert.id, userId: alert.userId, expiresAt: linkExpiry(action, now) };
    return `${site.publicUrl}/m/${signToken(site.secret, claims)}`;
  };
  const name = alertName(alert);
  return {
    alertName: name,
    alertPlace: alert.place,
    reason: reasonWords(alert),
    foot: {
      alertName: name,
      alertUrl: `${site.publicUrl}/alert/${alert.id}`,
      renewUrl: actionUrl('renew'),
      pauseUrl: actionUrl('pause'),
      unsubscribeUrl: actionUrl('unsubscribe'),
      expiresOn: localDate(alert.expiresAt, alert.timeZone),
      ended: isExpired(alert.expiresAt, now),
    },
  };
}

/** What mails say of these alerts, with signed links, by the alerts' ids. Dates are of each owner's time zone. */
export async function readAlertWords(
  queryable: Queryable,
  site: { publicUrl: string; secret: Secret },
  alertIds: readonly number[],
  now: Date,
): Promise<Map<number, AlertMail>> {
  if (alertIds.length === 0) return new Map();
  const { rows } = await queryable.query<AlertRow>({
    name: 'notify-alert-words',
    text: `select a.id, a.user_id as "userId", a.make, a.model, a.year_min as "yearMin", a.year_max as "yearMax", a.radius, a.place,
            a.expires_at as "expiresAt", u.time_zone as "timeZone"
       from alerts a join users u on u.id = a.user_id where a.id = any($1::int8[])`,
    values: [alertIds],
  });
  return new Map(rows.map((alert) => [alert.id, alertMail(site, alert, now)]));
}
