import type { Queryable } from '../../base/database.ts';

/** A drop of 5 % or more, as matching noted it; of several alerts of one buyer as one. */
export interface PriceDrop {
  ids: number[];
  userId: number;
  listingId: number;
  price: number;
  priceBefore: number;
  droppedAt: Date;
}

const AT_ONCE = 500;

export async function readPriceDrops(db: Queryable): Promise<PriceDrop[]> {
  const { rows } = await db.query<PriceDrop>({
    name: 'webhooks-price-drops',
    text: `select array_agg(id::int4) as ids, user_id as "userId", listing_id as "listingId", price,
                  max(price_before) as "priceBefore", min(created_at) as "droppedAt"
             from (select * from price_drops order by id limit ${AT_ONCE}) d
            group by user_id, listing_id, price order by min(id)`,
  });
  return rows;
}

/** Takes away what events were made of. */
export async function purgePriceDrops(db: Queryable, drops: readonly PriceDrop[]): Promise<void> {
  if (drops.length === 0) return;
  await db.query('delete from price_drops where id = any($1::int8[])', [drops.flatMap(({ ids }) => ids)]);
}
