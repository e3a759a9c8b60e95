import type { Queryable } from '../../../base/database.ts';
import type { PhotoSite } from '../../../domain/photo-paths.ts';
import { pressedPage, pushCard } from '../../../messages/push-card.ts';
import type { OutgoingPush, PushDevice } from '../../../vendors/push/push.ts';
import { readAccounts, readAlertWords, readMailCars } from '../email/read-mail-words.ts';
import { readEndedCars } from '../read-ended-cars.ts';
import type { ClaimedPush } from './claim-pushes.ts';

export interface RenderedDevice extends PushDevice {
  userId: number;
  /** How often in a row its push service has not answered. */
  failures: number;
  /** Milliseconds for which it is not called again; 0 where it may be called. */
  waitsMs: number;
  lastError: string | null;
}

/** A message and the devices that it goes to. */
export interface RenderedPush {
  push: OutgoingPush;
  devices: readonly RenderedDevice[];
}

/**
 * Reads the devices of claims, by claim id. A browser on which another user has turned push messages on since the claim is
 * no device of the claim's any more.
 */
async function readDevices(db: Queryable, claims: readonly ClaimedPush[]): Promise<Map<string, RenderedDevice[]>> {
  const asked = claims.flatMap(({ id, userId, devices }) => devices.map((device) => ({ id, userId, device })));
  const { rows } = await db.query<RenderedDevice & { claim: string }>({
    name: 'pushes-devices',
    text: `select a.claim, s.id, s.user_id as "userId", s.endpoint, s.p256dh, s.auth, s.failures, s.last_error as "lastError",
                  greatest(0, coalesce(extract(epoch from s.retry_at - now()), 0)::float8 * 1000) as "waitsMs"
             from unnest($1::uuid[], $2::int8[], $3::int8[]) a (claim, user_id, device)
             join push_subscriptions s on s.id = a.device and s.user_id = a.user_id
            order by s.id`,
    values: [asked.map(({ id }) => id), asked.map(({ userId }) => userId), asked.map(({ device }) => device)],
  });
  return Map.groupBy(rows, ({ claim }) => claim);
}

/** Renders claimed messages, in their order; null when the alert, its cars or all devices are gone. */
export async function renderPushes(
  db: Queryable,
  site: PhotoSite,
  claims: readonly ClaimedPush[],
): Promise<(RenderedPush | null)[]> {
  const alertKeys = claims.map(({ alertId, userId }) => ({ id: alertId, userId }));
  const alerts = await readAlertWords(db, site, alertKeys, new Date());
  const accounts = await readAccounts(db, [...new Set(claims.map(({ userId }) => userId))]);
  const devices = await readDevices(db, claims);
  const cars = await readMailCars(db, { ...site, marketplaceHome: site.publicUrl }, 'push_id', claims, alerts);
  const endedCars = await readEndedCars(db, 'push_id', claims);
  return claims.map((claim): RenderedPush | null => {
    const { id, kind, alertId } = claim;
    const alert = alerts.get(alertId)?.mail;
    const account = accounts.get(claim.userId);
    const found = cars.get(id);
    const ended = endedCars.get(id) ?? { shown: [], count: 0 };
    const reached = devices.get(id) ?? [];
    const areGone = claim.devices.length > 0 && reached.length === 0;
    const isEmpty = !found || found.shown.length + ended.shown.length === 0;
    if (!alert || !account || isEmpty || areGone) return null;
    const card = pushCard({
      id,
      alertName: alert.alertName,
      alertPlace: alert.alertPlace,
      url: pressedPage({
        publicUrl: site.publicUrl,
        alertUrl: alert.foot.alertUrl,
        cars: found.shown,
        ended,
        listingIds: found.listingIds,
      }),
      cars: found.shown,
      count: found.count,
      ended,
    });
    const push: OutgoingPush = {
      id,
      kind,
      to: account.username,
      alertId,
      matchIds: found.listingIds.map((listingId) => `${listingId}:${alertId}`),
      notificationIds: found.notificationIds,
      card,
      isUrgent: kind === 'match' || kind === 'price_drop',
    };
    return { push, devices: reached };
  });
}
