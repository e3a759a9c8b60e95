import type { Queryable } from '../../../base/database.ts';
import type { Secret } from '../../../base/secret.ts';
import { type AlertAction, linkExpiry, signToken } from '../../../domain/action-links.ts';
import { alertName, alertSummary } from '../../../domain/alert-name.ts';
import { cautionsOf } from '../../../domain/cautions/cautions.ts';
import { type AlertCriteria, fits, type ListingCriteria, verdictsFor } from '../../../domain/criteria/criteria.ts';
import { isExpired } from '../../../domain/expiry.ts';
import { type PhotoSite, photoPaths } from '../../../domain/photo-paths.ts';
import type { PriceBand } from '../../../domain/prices/rate-price.ts';
import { MANY_MAILS } from '../../../domain/throttle.ts';
import { localDate } from '../../../domain/time-zone.ts';
import { followedBy } from '../../../entities/car-followers.ts';
import { criteriaColumns, factColumns } from '../../../entities/criteria-columns.ts';
import { carMails, ruleThatHeld } from '../../../entities/notification-rules.ts';
import { keysOf, type OwnedRow } from '../../../entities/owned-rows.ts';
import type { AlertMail } from '../../../messages/alert-mails.ts';
import type { Flood, MailCar } from '../../../messages/match-mails.ts';

/** The owner of an account that a mail is about. */
export interface Account {
  id: number;
  username: string;
  timeZone: string;
}

/** The accounts that mails are about, by their ids. */
export async function readAccounts(queryable: Queryable, userIds: readonly number[]): Promise<Map<number, Account>> {
  if (userIds.length === 0) return new Map();
  const { rows } = await queryable.query<Account>(
    'select id, username, time_zone as "timeZone" from users where id = any($1::int8[])',
    [userIds],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

interface AlertRow extends AlertCriteria {
  id: number;
  userId: number;
  place: string;
  expiresAt: Date;
  timeZone: string;
  /** Mails about cars in the last 24 hours; 0 for an alert that sends one a day anyway. */
  sent: number;
}

/** What mails say about an alert. */
export interface AlertWords {
  mail: AlertMail;
  criteria: AlertCriteria;
  flood: Flood | null;
  /** The signed link that dismisses a car. */
  dismissUrl(listingId: number): string;
}

interface LinkSite {
  publicUrl: string;
  secret: Secret;
}

function wordsOf(site: LinkSite, alert: AlertRow, now: Date): AlertWords {
  const ids = { alertId: alert.id, userId: alert.userId };
  const urlOf = (token: string) => `${site.publicUrl}/m/${token}`;
  const actionUrl = (action: AlertAction) =>
    urlOf(signToken(site.secret, { action, ...ids, expiresAt: linkExpiry(action, now) }));
  const name = alertName(alert);
  const narrowUrl = `${site.publicUrl}/edit-alert/${alert.id}`;
  const years = { yearMin: alert.yearMin ?? null, yearMax: alert.yearMax ?? null };
  const mail = {
    alertName: name,
    alertPlace: alert.place,
    reason: alertSummary({ ...alert, ...years }),
    foot: {
      alertName: name,
      alertUrl: `${site.publicUrl}/alert/${alert.id}`,
      renewUrl: actionUrl('renew'),
      pauseUrl: actionUrl('pause'),
      fewerUrl: actionUrl('fewer'),
      unsubscribeUrl: actionUrl('unsubscribe'),
      expiresOn: localDate(alert.expiresAt, alert.timeZone),
      ended: isExpired(alert.expiresAt, now),
    },
  };
  return {
    mail,
    criteria: alert,
    flood: alert.sent > MANY_MAILS ? { sent: alert.sent, dailyUrl: actionUrl('daily'), narrowUrl } : null,
    dismissUrl: (listingId) =>
      urlOf(signToken(site.secret, { action: 'dismiss', ...ids, listingId, expiresAt: linkExpiry('dismiss', now) })),
  };
}

/** Reads the texts about alerts for mails, with signed links, by alert id. Dates are in each owner's time zone. */
export async function readAlertWords(
  queryable: Queryable,
  site: LinkSite,
  alerts: readonly OwnedRow[],
  now: Date,
): Promise<Map<number, AlertWords>> {
  if (alerts.length === 0) return new Map();
  const { rows } = await queryable.query<AlertRow>({
    name: 'notify-alert-words',
    text: `select a.id, a.user_id as "userId", ${criteriaColumns('a')}, a.place, a.expires_at as "expiresAt", u.time_zone as "timeZone",
            case when a.delivery = 'instant' then (
              select count(*)::int4 from mails m
               where m.alert_id = a.id and m.user_id = a.user_id and m.sent_at > now() - interval '24 hours' and m.kind in (${carMails})) else 0 end as sent
       from alerts a join users u on u.id = a.user_id
      where a.id = any($1::int8[]) and a.user_id = any($2::int8[])`,
    values: keysOf(alerts),
  });
  return new Map(rows.map((alert) => [alert.id, wordsOf(site, alert, now)]));
}

/** The column of `notifications` that names the message in which a notification leaves. */
export type MessageColumn = 'mail_id' | 'push_id';

/** The cars of a message: those that it shows, and the ids of all that it announces. */
export interface MailCars {
  shown: MailCar[];
  /** How many cars it is about that are for sale. */
  count: number;
  /** How many of these got cheaper. */
  drops: number;
  listingIds: number[];
  notificationIds: number[];
  /** The rule that held it. */
  heldBy: string | null;
}

/** Most cars that a message shows. The others are on the alert's page. */
const MAX_SHOWN = 20;
/** Cars whose distances differ by less count as equally near. */
const RANKED_MILES = 25;

interface CarRow extends ListingCriteria {
  messageId: string;
  alertId: number;
  listingId: number;
  priceBefore: number | null;
  title: string;
  make: string;
  model: string | null;
  year: number | null;
  price: number | null;
  imageUrl: string | null;
  url: string | null;
  marketplaceHome: string | null;
  mileage: number | null;
  transmission: string | null;
  color: string | null;
  city: string | null;
  state: string | null;
  lat: number | null;
  lng: number | null;
  distanceMiles: number;
  followed: string | null;
  bandLow: number | null;
  bandMiddle: number | null;
  bandHigh: number | null;
  bandCars: number | null;
  bandRefusal: string | null;
  vin: string | null;
  prepayment: string | null;
  photoPlace: string | null;
}

function absolute(address: string | null, publicUrl: string): string | null {
  return address !== null && URL.canParse(address, publicUrl) ? new URL(address, publicUrl).href : null;
}

type CarSite = PhotoSite & { marketplaceHome: string };

/** The photo's address at LotWatch, so that no seller learns who opens the mail, and where. */
function photoOf({ listingId, imageUrl }: CarRow, site: CarSite): string | null {
  return imageUrl === null ? null : (photoPaths(site, { id: listingId, images: [imageUrl] })[0] ?? null);
}

function bandOf({ bandLow: low, bandMiddle: middle, bandHigh: high, bandCars: n }: CarRow): PriceBand | null {
  return low === null || middle === null || high === null ? null : { low, middle, high, n: n ?? 0 };
}

function toCar(row: CarRow, site: CarSite, alert: AlertWords, now: Date): MailCar {
  const verdicts = verdictsFor(alert.criteria, row);
  return {
    title: row.title,
    price: row.price,
    priceBefore: row.priceBefore,
    band: bandOf(row),
    bandRefusal: row.bandRefusal,
    caution: cautionsOf(row, now)[0]?.reason ?? null,
    photo: absolute(photoOf(row, site), site.publicUrl),
    href: absolute(row.url, site.publicUrl) ?? row.marketplaceHome ?? site.marketplaceHome,
    trim: row.trim ?? null,
    fuel: row.fuel ?? null,
    drive: row.drive ?? null,
    body: row.body ?? null,
    titleStatus: row.titleStatus ?? null,
    mileage: row.mileage,
    transmission: row.transmission,
    color: row.color,
    place: row.city === null ? null : [row.city, row.state].filter((part) => part !== null).join(', '),
    distanceMiles: row.distanceMiles,
    verdicts,
    followed: fits(verdicts) ? null : row.followed === 'saved' ? 'saved' : 'viewed',
    dismissUrl: alert.dismissUrl(row.listingId),
  };
}

/** The ids of the cars and notifications of each message. */
async function readIds(queryable: Queryable, column: MessageColumn, messages: readonly OwnedRow<string>[]) {
  const { rows } = await queryable.query<Omit<MailCars, 'shown'> & { messageId: string }>({
    name: `notify-ids-by-${column}`,
    text: `select ${column} as "messageId", array_agg(distinct listing_id) as "listingIds", array_agg(id order by id) as "notificationIds",
                  (count(distinct listing_id) filter (where kind <> 'sold'))::int4 as count,
                  (count(distinct listing_id) filter (where kind = 'price_drop'))::int4 as drops,
                  ${ruleThatHeld('n')} as "heldBy"
             from notifications n
            where ${column} = any($1::uuid[]) and user_id = any($2::int8[]) and status = 'sending' group by ${column}`,
    values: keysOf(messages),
  });
  return rows;
}

/**
 * Reads the cars of claimed messages by message id. A car with two notifications occurs once. Of many cars those are shown that
 * state most of what the alert asks for and are nearest, by steps of 25 miles; the newest listing comes first.
 */
export async function readMailCars(
  queryable: Queryable,
  site: CarSite,
  column: MessageColumn,
  messages: readonly OwnedRow<string>[],
  alerts: ReadonlyMap<number, AlertWords>,
): Promise<Map<string, MailCars>> {
  if (messages.length === 0) return new Map();
  const ids = await readIds(queryable, column, messages);
  const cars = new Map<string, MailCars>(ids.map(({ messageId, ...found }) => [messageId, { ...found, shown: [] }]));
  const { rows } = await queryable.query<CarRow>({
    name: `notify-cars-by-${column}`,
    // "offset 0" makes each step a look-up by index, whatever sizes the planner assumes.
    text: `with noted as materialized (
       select ${column} as message_id, listing_id, alert_id, user_id, bool_or(kind = 'price_drop') as dropped
         from notifications
        where ${column} = any($1::uuid[]) and user_id = any($2::int8[]) and status = 'sending' and kind <> 'sold' group by 1, 2, 3, 4
     ), ranked as (
       select n.*, m.distance_miles, m.not_stated, row_number() over (
                partition by n.message_id
                order by m.not_stated <> 0, floor(m.distance_miles / ${RANKED_MILES}), l.listed_at desc, n.listing_id desc
              ) as rank
         from noted n
        cross join lateral (
          select coalesce(listed_at, seen_at) as listed_at from listings where id = n.listing_id offset 0) l
        cross join lateral (
          select m.distance_miles, m.not_stated from matches m
           where m.listing_id = n.listing_id and m.alert_id = n.alert_id and m.user_id = n.user_id offset 0) m
     )
     select n.message_id as "messageId", n.alert_id as "alertId", l.id as "listingId", before.price as "priceBefore", ${factColumns('l')}, l.url,
            s.settings ->> 'marketplaceHome' as "marketplaceHome", l.city, l.state, l.band_cars as "bandCars",
            l.band_refusal as "bandRefusal", l.vin, l.prepayment, l.photo_place as "photoPlace",
            n.distance_miles as "distanceMiles",
            case when n.dropped then ${followedBy('n.user_id', 'n.listing_id')} end as followed
       from (select * from ranked where rank <= ${MAX_SHOWN} offset 0) n
      cross join lateral (select * from listings l where l.id = n.listing_id offset 0) l
       left join sources s on s.name = l.source
       left join lateral (
         select p.price from price_changes p where p.listing_id = l.id and p.price > l.price
          order by p.seen_at desc limit 1
       ) before on n.dropped
      order by coalesce(l.listed_at, l.seen_at) desc, l.id desc`,
    values: keysOf(messages),
  });
  for (const row of rows) {
    const alert = alerts.get(row.alertId);
    if (alert) cars.get(row.messageId)?.shown.push(toCar(row, site, alert, new Date()));
  }
  return cars;
}
