import type { Queryable } from '../../base/database.ts';
import type { ListingCriteria } from '../../domain/criteria/criteria.ts';
import { type ListingForBuyer, listingForBuyer } from '../../entities/shared/listing-for-buyer.ts';

export interface OwnListing {
  userId: number;
  listingId: number;
}

interface ListingRow extends ListingCriteria, ListingForBuyer {
  id: number;
  userId: number;
  carId: number;
  title: string;
  images: string[];
  mileage: number | null;
  transmission: string | null;
  condition: string | null;
  city: string | null;
  state: string | null;
  status: string;
  url: string | null;
  listedAt: Date | null;
  seenAt: Date;
}

/** A listing as events show it to one buyer, and what it says. */
export interface ToldListing {
  facts: ListingCriteria;
  listedAt: Date | null;
  seenAt: Date;
  shown: Record<string, unknown>;
}

export const toTenths = (miles: number): number => Math.round(miles * 10) / 10;

/** The same fields as REST's. */
function present(row: ListingRow): ToldListing {
  const { id, carId, title, images, mileage, transmission, condition, city, state, listedAt, seenAt } = row;
  const shown = {
    id,
    carId,
    title,
    price: row.price,
    imageUrl: row.imageUrl,
    images,
    mileage,
    transmission,
    color: row.color,
    condition,
    location: city === null ? null : { reverse_geocode: { city, state } },
    distance: row.distance === null ? null : toTenths(row.distance),
    year: row.year,
    make: row.make,
    model: row.model,
    isNew: row.isNew,
    viewed: row.viewed,
    status: row.status,
    url: row.url,
    createdAt: listedAt ?? seenAt,
    alertIds: row.carAlertIds,
  };
  return { facts: row, listedAt, seenAt, shown };
}

const text = `
  select k.user_id as "userId", l.id, coalesce(l.car_id, l.id) as "carId", l.title, l.price, l.image_url as "imageUrl",
         l.images, l.mileage, l.transmission, l.color, l.condition, l.city, l.state, l.year, l.make, l.model, l.status,
         l.url, l.listed_at as "listedAt", l.seen_at as "seenAt", l.lat, l.lng, ${listingForBuyer.columns}
    from unnest($1::int8[], $2::int8[]) k (user_id, id)
   cross join lateral (select * from listings where id = k.id offset 0) l ${listingForBuyer.joins}`;

export const keyOfOwn = ({ userId, listingId }: OwnListing): string => `${userId}/${listingId}`;

/** Listings as they are now, each for its buyer, by `keyOfOwn`. */
export async function readToldListings(
  db: Queryable,
  wanted: readonly OwnListing[],
): Promise<Map<string, ToldListing>> {
  const distinct = [...new Map(wanted.map((one) => [keyOfOwn(one), one])).values()];
  if (distinct.length === 0) return new Map();
  const { rows } = await db.query<ListingRow>({
    name: 'webhooks-listings',
    text,
    values: [distinct.map(({ userId }) => userId), distinct.map(({ listingId }) => listingId)],
  });
  return new Map(rows.map((row) => [keyOfOwn({ userId: row.userId, listingId: row.id }), present(row)]));
}
