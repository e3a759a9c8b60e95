import type { Queryable } from '../../base/database.ts';
import type { ListingCriteria } from '../../domain/criteria/criteria.ts';

export interface OwnListing {
  userId: number;
  listingId: number;
}

interface ListingRow extends ListingCriteria {
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
  distance: number | null;
  viewed: boolean;
  isNew: boolean;
  alertIds: number[];
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
    alertIds: row.alertIds,
  };
  return { facts: row, listedAt, seenAt, shown };
}

const ofBuyer = `
  select k.user_id as "userId", l.id, coalesce(l.car_id, l.id) as "carId", l.title, l.price, l.image_url as "imageUrl",
         l.images, l.mileage, l.transmission, l.color, l.condition, l.city, l.state, l.year, l.make, l.model, l.status,
         l.url, l.listed_at as "listedAt", l.seen_at as "seenAt", l.lat, l.lng, m.distance,
         v.user_id is not null as viewed,
         v.user_id is null and coalesce(m.matched_at > now() - interval '24 hours', false) as "isNew",
         coalesce(c.ids, m.ids, '{}') as "alertIds"
    from unnest($1::int8[], $2::int8[]) k (user_id, id)
   cross join lateral (select * from listings where id = k.id offset 0) l
    left join lateral (
      select array_agg(a.id::int4 order by m.distance_miles, a.id) as ids, min(m.distance_miles)::float8 as distance,
             max(m.matched_at) as matched_at
        from alerts a
       cross join lateral (
         select distance_miles, matched_at from matches
          where listing_id = k.id and alert_id = a.id and alert_version = a.version offset 0) m
       where a.user_id = k.user_id) m on true
    left join lateral (
      select array_agg(id::int4 order by distance, id) as ids
        from (select a.id, min(m.distance_miles) as distance
                from listings o
               cross join lateral (select id, version from alerts where user_id = k.user_id offset 0) a
               cross join lateral (
                 select distance_miles from matches
                  where listing_id = o.id and alert_id = a.id and alert_version = a.version offset 0) m
               where o.car_id = l.car_id group by a.id) of_car) c on l.car_id is not null
    left join listing_views v on v.listing_id = k.id and v.user_id = k.user_id`;

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
    text: ofBuyer,
    values: [distinct.map(({ userId }) => userId), distinct.map(({ listingId }) => listingId)],
  });
  return new Map(rows.map((row) => [keyOfOwn({ userId: row.userId, listingId: row.id }), present(row)]));
}
