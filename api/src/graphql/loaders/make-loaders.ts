import type { EntityManager } from '@mikro-orm/postgresql';
import type { Viewer } from '../../accounts/signed-in.ts';
import type { Pool } from '../../base/database.ts';
import { Alert } from '../../entities/alert.ts';
import { keysOf } from '../../entities/owned-rows.ts';
import { countNewOfAlerts } from '../../listings/new-cars.ts';
import { withMatchCount } from '../../live/read-matches.ts';
import { readWaiting, type WaitingMessage } from '../../notify/read-waiting.ts';
import { asEntities, type BatchLoader, batch, columnsOf, type Loader, type UserKey, userKeyText } from './batch.ts';
import {
  carOffersLoader,
  isOwnLoader,
  listingForBuyerLoader,
  listingLoader,
  listingNoteLoader,
  marketTimeLoader,
  offersFor,
  priceHistoryLoader,
} from './listing.ts';
import { sourceFiguresLoader } from './source-health.ts';

/** Alerts by user and id; another user's alert is not found. */
function alertLoader(pool: Pool, em: EntityManager) {
  const text = `select ${columnsOf(em, Alert, 'a')}
     from unnest($1::int8[], $2::int8[]) k (user_id, id) join alerts a on a.id = k.id and a.user_id = k.user_id`;
  return batch<UserKey, Alert>(async (keys) => {
    const { rows } = await pool.query<object>({
      name: 'load-alerts',
      text,
      values: [keys.map(({ userId }) => userId), keys.map(({ id }) => id)],
    });
    return new Map(asEntities(Alert, rows).map((alert) => [userKeyText(alert), alert]));
  }, userKeyText);
}

/** How many matches an alert shows. */
function matchCountLoader(pool: Pool) {
  return batch<UserKey, number>(async (keys) => {
    const { rows } = await pool.query<UserKey & { count: number }>({
      name: 'load-match-counts',
      text: `select a.id, a.user_id as "userId", c.count from alerts a ${withMatchCount}
              where a.id = any($1::int8[]) and a.user_id = any($2::int8[])`,
      values: keysOf(keys),
    });
    return new Map(rows.map((row) => [userKeyText(row), row.count]));
  }, userKeyText);
}

/** How many cars of an alert are new. */
function newCountLoader(pool: Pool) {
  return batch<UserKey, number>(async (keys) => {
    const counts = await countNewOfAlerts(pool, keys);
    return new Map(counts.map((row) => [userKeyText(row), row.count]));
  }, userKeyText);
}

/** What waits of alerts, by channel. */
function waitingLoader(pool: Pool, confirmEmail: boolean) {
  return batch<UserKey, WaitingMessage[]>(async (keys) => {
    const waiting = await readWaiting(pool, keys, confirmEmail);
    const ofAlerts = Map.groupBy(waiting, ({ alertId }) => alertId);
    return new Map(keys.map((key) => [userKeyText(key), ofAlerts.get(key.id) ?? []]));
  }, userKeyText);
}

interface MatchKey {
  userId: number;
  alertId: number;
  listingId: number;
}

interface DeliveryTimes {
  handedOverAt: Date;
  deliveredAt: Date | null;
  /** The channel that `deliveredAt` is of. */
  deliveredBy: string | null;
}

/** When the first message about a match was passed to its provider, and when the first one arrived; of a push message it is known only that its service has accepted it. */
function deliveryTimeLoader(pool: Pool) {
  return batch<MatchKey, DeliveryTimes>(
    async (keys) => {
      const { rows } = await pool.query<MatchKey & DeliveryTimes>({
        name: 'load-delivery-times',
        text: `select n.user_id as "userId", n.alert_id as "alertId", n.listing_id as "listingId", min(least(m.sent_at, t.sent_at, p.sent_at)) as "handedOverAt",
                min(d.delivered_at) as "deliveredAt",
                (array_agg(n.channel order by d.delivered_at) filter (where d.delivered_at is not null))[1] as "deliveredBy"
           from unnest($1::int8[], $2::int8[], $3::int8[]) as k (alert_id, listing_id, user_id)
           join notifications n on n.alert_id = k.alert_id and n.user_id = k.user_id and n.listing_id = k.listing_id
           left join mails m on m.id = n.mail_id and m.user_id = n.user_id
           left join texts t on t.id = n.text_id and t.user_id = n.user_id
           left join pushes p on p.id = n.push_id and p.user_id = n.user_id
          cross join lateral (select coalesce(m.delivered_at, t.delivered_at, p.sent_at) as delivered_at) d
          where coalesce(m.sent_at, t.sent_at, p.sent_at) is not null group by n.user_id, n.alert_id, n.listing_id`,
        values: [keys.map((key) => key.alertId), keys.map((key) => key.listingId), keys.map((key) => key.userId)],
      });
      return new Map(rows.map((row) => [textOf(row), row]));
    },
    (key) => textOf(key),
  );
}

const textOf = (key: MatchKey) => `${key.userId}/${key.alertId}/${key.listingId}`;

/** The user id of a visitor: no user has it. */
const NOBODY = 0;

/** Loaders for all users; keys of what depends on the user contain the user. */
export type SharedLoaders = ReturnType<typeof makeSharedLoaders>;

interface LoaderParts {
  em: EntityManager;
  pool: Pool;
  confirmEmail: boolean;
}

export function makeSharedLoaders({ em, pool, confirmEmail }: LoaderParts) {
  return {
    alerts: alertLoader(pool, em),
    matchCounts: matchCountLoader(pool),
    newCounts: newCountLoader(pool),
    waiting: waitingLoader(pool, confirmEmail),
    listings: listingLoader(pool, em),
    listingsForBuyer: listingForBuyerLoader(pool),
    listingNotes: listingNoteLoader(pool),
    carOffers: carOffersLoader(pool),
    isOwn: isOwnLoader(pool),
    priceHistories: priceHistoryLoader(pool),
    marketTimes: marketTimeLoader(pool),
    deliveryTimes: deliveryTimeLoader(pool),
    sourceFigures: sourceFiguresLoader(pool),
  };
}

/** The same loaders, whether they read the database or hold prefetched values. */
export type AnyLoaders = {
  [Name in keyof SharedLoaders]: SharedLoaders[Name] extends BatchLoader<infer K, infer V> ? Loader<K, V> : never;
};

export type Loaders = ReturnType<typeof loadersFor>;

export const idOf = (viewer: Viewer | null): number => viewer?.id ?? NOBODY;

/** The loaders for one viewer. Viewers who share `shared` share its batches. */
export function loadersFor(viewer: Viewer | null, shared: AnyLoaders) {
  const userId = idOf(viewer);
  return {
    ...shared,
    alerts: { load: (id: number) => shared.alerts.load({ userId, id }) },
    matchCounts: { load: (id: number) => shared.matchCounts.load({ userId, id }) },
    newCounts: { load: (id: number) => shared.newCounts.load({ userId, id }) },
    waiting: { load: (id: number) => shared.waiting.load({ userId, id }) },
    deliveryTimes: { load: (match: Omit<MatchKey, 'userId'>) => shared.deliveryTimes.load({ userId, ...match }) },
    listingsForBuyer: { load: (id: number) => shared.listingsForBuyer.load({ userId, id }) },
    listingNotes: { load: (id: number) => shared.listingNotes.load({ userId, id }) },
    offers: { load: (id: number) => offersFor(userId, id, shared) },
  };
}
