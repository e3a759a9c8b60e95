import { type Client, inTransaction } from '../../src/base/database.ts';
import type { ThrowAway } from '../rig/throw-away.ts';

/** One in ten of the old listings matched an alert. */
const MATCHED_EVERY = 10;
const IMAGES = 6;

/** Fills `listings` with cars that are for sale, and as many that nobody has shown for 100 days and more. */
export async function loadOldMarket({ pool }: ThrowAway, listings: number): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query("set local maintenance_work_mem = '512MB'");
    const indexes = await dropIndexes(client, 'listings');
    await client.query(
      `insert into listings (source, external_id, title, make, model, year, price, mileage, transmission, color, city,
         state, lat, lng, image_url, images, url, facts_hash, status, pending_match, make_key, model_key, color_code,
         x, y, z, listed_at, seen_at, last_seen_at, changed_at)
       select 'bench', n, '2018 Toyota Camry SE ' || n, 'toyota', 'camry', 2000 + n % 25, 1000 + n % 40000, n, 'automatic',
              'silver', 'Pasadena', 'CA', 34.1478, -118.1445, 'https://photos.example/' || n || '/0.jpg',
              (select array_agg('https://photos.example/' || n || '/' || i || '.jpg') from generate_series(0, ${IMAGES - 1}) i),
              'https://marketplace.example/item/' || n, md5(n::text), case when n % 2 = 0 then 'gone' else 'for_sale' end,
              false, n % 60000, n % 60000 * 7, 3, 0.1, 0.2, 0.3, seen_at, seen_at, seen_at, seen_at
         from generate_series(1, $1::int) n,
              lateral (select now() - case when n % 2 = 0 then 100 + n / 80 % 40 else n % 30 end * interval '1 day' as seen_at) s`,
      [listings],
    );
    for (const { definition } of indexes) await client.query(definition);
    await client.query(
      `insert into matches (listing_id, alert_id, alert_version, distance_miles, price, announced)
       select id, 1 + id % 10000, 1, 10, price, true from listings where status = 'gone' and id / 2 % ${MATCHED_EVERY} = 0`,
    );
    await client.query(
      "insert into price_changes (listing_id, price) select id, price from listings where status = 'gone' and id % 5 = 0",
    );
  });
  await pool.query('vacuum analyze listings, matches, price_changes');
}

async function dropIndexes(client: Client, table: string): Promise<{ definition: string }[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
       from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = $1::regclass and not i.indisunique`,
    [table],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows;
}
