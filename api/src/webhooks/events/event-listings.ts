import type { Queryable } from '../../base/database.ts';
import { cautionsOf } from '../../domain/cautions/cautions.ts';
import type { ListingCriteria } from '../../domain/criteria/criteria.ts';
import type { ListingStatus } from '../../domain/facts/listing-facts.ts';
import { toHundredths } from '../../domain/places/place.ts';
import { type StoredBand, shownBand } from '../../domain/prices/shown-band.ts';
import { type MarketTime, marketTime } from '../../domain/same-car/market-time.ts';
import { factColumns } from '../../entities/criteria-columns.ts';
import { type ListingForBuyer, listingForBuyer } from '../../listings/listing-for-buyer.ts';
import { readMarketTimes } from '../../listings/market-times.ts';

interface OwnListing {
  userId: number;
  listingId: number;
}

interface ListingRow extends ListingCriteria, ListingForBuyer, StoredBand {
  id: number;
  userId: number;
  /** Null while no other listing is known to be of the same car. */
  carId: number | null;
  title: string;
  images: string[];
  trim: string | null;
  mileage: number | null;
  transmission: string | null;
  condition: string | null;
  city: string | null;
  state: string | null;
  status: ListingStatus;
  url: string | null;
  source: string;
  listedAt: Date | null;
  seenAt: Date;
  lastSeenAt: Date;
  vin: string | null;
  prepayment: string | null;
  photoPlace: string | null;
}

/** A listing as events show it to one buyer, and its facts. */
interface EventListing {
  facts: ListingCriteria;
  listedAt: Date | null;
  seenAt: Date;
  shown: Record<string, unknown>;
}

export const toTenths = (miles: number): number => Math.round(miles * 10) / 10;

/** Presents a listing with the fields of REST, but for the buyer's note. */
function presentListing(row: ListingRow, { daysOnMarket, relists }: MarketTime, now: Date): EventListing {
  const { id, title, images, mileage, transmission, condition, city, state, listedAt, seenAt } = row;
  const shown = {
    id,
    carId: row.carId ?? id,
    title,
    price: row.price,
    imageUrl: row.imageUrl,
    images,
    trim: row.trim,
    mileage,
    transmission,
    fuel: row.fuel,
    drive: row.drive,
    body: row.body,
    titleStatus: row.titleStatus,
    seller: row.seller,
    color: row.color,
    condition,
    location: city === null ? null : { reverse_geocode: { city, state } },
    latitude: row.lat == null ? null : toHundredths(row.lat),
    longitude: row.lng == null ? null : toHundredths(row.lng),
    distance: row.distance === null ? null : toTenths(row.distance),
    year: row.year,
    make: row.make,
    model: row.model,
    isNew: row.isNew,
    viewed: row.viewed,
    saved: row.saved,
    hidden: row.hidden,
    status: row.status,
    url: row.url,
    createdAt: listedAt ?? seenAt,
    alertIds: row.carAlertIds,
    priceBand: shownBand(row),
    daysOnMarket,
    relists,
    cautions: cautionsOf(row, now),
  };
  return { facts: row, listedAt, seenAt, shown };
}

const listingsSql = `
  select k.user_id as "userId", l.id, l.car_id as "carId", ${factColumns('l')}, l.images, l.condition,
         l.city, l.state, l.status, l.url, l.source, l.listed_at as "listedAt", l.seen_at as "seenAt",
         l.last_seen_at as "lastSeenAt", l.band_cars as "bandCars", l.band_refusal as "bandRefusal", l.vin,
         l.prepayment, l.photo_place as "photoPlace", ${listingForBuyer.columns}
    from unnest($1::int8[], $2::int8[]) k (user_id, id)
   cross join lateral (select * from listings where id = k.id offset 0) l ${listingForBuyer.joins}`;

export const listingKey = ({ userId, listingId }: OwnListing): string => `${userId}/${listingId}`;

/** Reads listings as they are now, each for its buyer, by `listingKey`. */
export async function readEventListings(
  db: Queryable,
  wanted: readonly OwnListing[],
): Promise<Map<string, EventListing>> {
  const distinct = [...new Map(wanted.map((one) => [listingKey(one), one])).values()];
  if (distinct.length === 0) return new Map();
  const { rows } = await db.query<ListingRow>({
    name: 'webhooks-listings',
    text: listingsSql,
    values: [distinct.map(({ userId }) => userId), distinct.map(({ listingId }) => listingId)],
  });
  // Most cars have one listing, whose own row says how long it has been for sale.
  const linked = [...new Set(rows.flatMap(({ id, carId }) => (carId === null ? [] : [id])))];
  const times = linked.length === 0 ? new Map<string, MarketTime>() : await readMarketTimes(db, linked);
  const now = new Date();
  return new Map(
    rows.map((row) => {
      const alone = { ...row, listedAt: row.listedAt ?? row.seenAt };
      const time = times.get(String(row.id)) ?? marketTime([alone], now);
      return [listingKey({ userId: row.userId, listingId: row.id }), presentListing(row, time, now)];
    }),
  );
}
