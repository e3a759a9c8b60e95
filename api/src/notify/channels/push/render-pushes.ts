import type { Queryable } from '../../../base/database.ts';
import type { PhotoSite } from '../../../domain/photo-paths.ts';
import { pushCard } from '../../../messages/push-card.ts';
import type { OutgoingPush, PushDevice } from '../../../vendors/push/push.ts';
import { readAccounts, readAlertWords, readMailCars } from '../email/read-mail-words.ts';
import { readEndedCars } from '../read-ended-cars.ts';
import type { ClaimedPush } from './claim-pushes.ts';

/** A message and the devices that it goes to. */
export interface RenderedPush {
  push: OutgoingPush;
  devices: readonly PushDevice[];
}

async function readDevices(db: Queryable, ids: readonly number[]): Promise<Map<number, PushDevice>> {
  const { rows } = await db.query<PushDevice>({
    name: 'pushes-devices',
    text: 'select id, endpoint, p256dh, auth from push_subscriptions where id = any($1::int8[])',
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Renders claimed messages, in their order; null when the alert, its cars or all devices are gone. */
export async function renderPushes(
  db: Queryable,
  site: PhotoSite,
  claims: readonly ClaimedPush[],
): Promise<(RenderedPush | null)[]> {
  const alertIds = [...new Set(claims.map(({ alertId }) => alertId))];
  const alerts = await readAlertWords(db, site, alertIds, new Date());
  const accounts = await readAccounts(db, [...new Set(claims.map(({ userId }) => userId))]);
  const devices = await readDevices(db, [...new Set(claims.flatMap((claim) => claim.devices))]);
  const ids = claims.map(({ id }) => id);
  const cars = await readMailCars(db, { ...site, marketplaceHome: site.publicUrl }, 'push_id', ids, alerts);
  const endedCars = await readEndedCars(db, 'push_id', ids);
  return claims.map((claim): RenderedPush | null => {
    const { id, kind, alertId } = claim;
    const alert = alerts.get(alertId)?.mail;
    const account = accounts.get(claim.userId);
    const found = cars.get(id);
    const ended = endedCars.get(id) ?? { shown: [], count: 0 };
    const reached = claim.devices.flatMap((deviceId) => devices.get(deviceId) ?? []);
    const areGone = claim.devices.length > 0 && reached.length === 0;
    const isEmpty = !found || found.shown.length + ended.shown.length === 0;
    if (!alert || !account || isEmpty || areGone) return null;
    const card = pushCard({
      id,
      alertName: alert.alertName,
      alertPlace: alert.alertPlace,
      alertUrl: alert.foot.alertUrl,
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
