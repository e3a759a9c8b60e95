import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from '../../base/database.ts';
import { Listing } from '../../entities/listing.ts';
import { type ListingForBuyer, listingForBuyer } from '../../entities/shared/listing-for-buyer.ts';
import { batch, type OwnKey, ownColumns, ownText } from './batch.ts';
import { asEntities, columnsOf } from './entity-rows.ts';

export function listingLoader(pool: Pool, em: EntityManager) {
  const text = `select ${columnsOf(em, Listing, 'l')} from listings l where l.id = any($1::int8[])`;
  return batch<number, Listing>(async (ids) => {
    const { rows } = await pool.query<object>({ name: 'load-listings', text, values: [ids] });
    return new Map(asEntities(Listing, rows).map((listing) => [String(listing.id), listing]));
  });
}

const forBuyer = `
  select k.user_id as "userId", k.id, ${listingForBuyer.columns}
    from unnest($1::int8[], $2::int8[]) k (user_id, id) ${listingForBuyer.joins}`;

export function listingForBuyerLoader(pool: Pool) {
  return batch<OwnKey, ListingForBuyer>(async (keys) => {
    const { rows } = await pool.query<ListingForBuyer & OwnKey>({
      name: 'load-listings-for-buyer',
      text: forBuyer,
      values: ownColumns(keys),
    });
    return new Map(rows.map((row) => [ownText(row), row]));
  }, ownText);
}
