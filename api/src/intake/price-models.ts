import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { lockSearch } from '../base/advisory-lock.ts';
import { cached } from '../base/cached.ts';
import { beginWithShortIdle, type Client, inTransaction, type Pool, pipeline } from '../base/database.ts';
import { BELOW_FAIR } from '../domain/criteria/filters.ts';
import { ListingStatus } from '../domain/facts/listing-facts.ts';
import type { PricedCar } from '../domain/prices/fit-price-model.ts';
import { bandColumns } from '../domain/prices/price-band.ts';
import type { CarFacts, PriceModel } from '../domain/prices/price-model.ts';
import { isBelowFair } from '../entities/criteria-columns.ts';
import { markChanged, requireCopies, settingsOfMarked } from '../placement/listing-marks.ts';
import { lockSearchOnServers } from '../placement/server-locks.ts';
import type { FitRequest } from './fit-prices-thread.ts';

/** Reads the price model in force; null before the first was fitted. */
export type ReadPriceModel = () => Promise<PriceModel | null>;

const READ_EVERY_MS = 60_000;

/** Reads the model at most once a minute, and its coefficients only when another was fitted since. */
export function makePriceModelReader(pool: Pool): ReadPriceModel {
  let version = 0;
  let model: PriceModel | null = null;
  return cached(async () => {
    const { rows } = await pool.query<{ version: number; model: PriceModel | null }>({
      name: 'price-model-read',
      text: 'select version, model from price_models where version > $1',
      values: [version],
    });
    const [newer] = rows;
    if (newer) ({ version, model } = newer);
    return model;
  }, READ_EVERY_MS);
}

/** Fewer cars make no model. */
const MIN_CARS = 100;
/** So many of the newest cars are enough for each make and model, and are fitted within seconds. */
const MAX_CARS = 30_000;

/** While there are fewer, the model is fitted again when there are twice as many. */
const FEW_CARS = MAX_CARS / 2;
const MAX_FIT_MS = 480_000;

/**
 * Claims the next fit for an hour, after which a worker has died of it.
 * @returns the number of cars of the last fit if another depends on that there are twice as many, 0 if it is due anyway;
 *   null when none is due, or another worker has claimed it
 */
async function claimFit(pool: Pool): Promise<number | null> {
  const { rows } = await pool.query<{ before: number }>({
    name: 'price-model-claim',
    text: `update price_models set claimed_until = now() + interval '1 hour'
            where (claimed_until is null or claimed_until < now())
              and (fitted_at is null or fitted_at < now() - interval '1 day'
                   or (fitted_at < now() - interval '10 minutes' and cars < ${FEW_CARS}))
           returning case when fitted_at > now() - interval '1 day' then cars else 0 end as before`,
  });
  return rows[0]?.before ?? null;
}

/** Lets workers claim the next fit again after a pause. */
async function releaseFit(pool: Pool, pause: '0 minutes' | '10 minutes'): Promise<void> {
  await pool.query(`update price_models set claimed_until = now() + interval '${pause}'`);
}

/** The newest cars with a stated price, each car once. */
async function readPricedCars(pool: Pool): Promise<PricedCar[]> {
  const { rows } = await pool.query<PricedCar>({
    name: 'price-model-cars',
    text: `select make, model, year, mileage, state, title, price from (
             select distinct on (coalesce(car_id, id)) id, make, model, year, mileage, state, title, price from (
               select * from listings
                where price between 500 and 500000 and year is not null and seen_at > now() - interval '180 days'
                order by id desc limit ${MAX_CARS}) as newest
              order by coalesce(car_id, id), id desc) as cars
            order by id`,
  });
  return rows;
}

/** Fits in a thread of its own, whose memory ends with it, while the worker goes on. */
async function fitInThread(cars: readonly PricedCar[], now: number, signal: AbortSignal): Promise<PriceModel> {
  const thread = new Worker(new URL('./fit-prices-thread.ts', import.meta.url), {
    workerData: { cars, now } satisfies FitRequest,
    execArgv: ['--import', import.meta.resolve('tsx')],
  });
  try {
    const [model] = await once(thread, 'message', {
      signal: AbortSignal.any([signal, AbortSignal.timeout(MAX_FIT_MS)]),
    });
    return model as PriceModel;
  } finally {
    await thread.terminate();
  }
}

const yearOf = (time: Date): number => time.getUTCFullYear() + time.getUTCMonth() / 12;

/**
 * Fits the price model again when it is due.
 * @returns how many cars it was fitted with; null when it was not due or there are too few cars
 */
export async function fitPrices(pool: Pool, now: Date, signal: AbortSignal): Promise<number | null> {
  const before = await claimFit(pool);
  if (before === null) return null;
  const cars = await readPricedCars(pool);
  if (cars.length < MIN_CARS || cars.length < 2 * before) {
    await releaseFit(pool, before === 0 ? '0 minutes' : '10 minutes');
    return null;
  }
  let model: PriceModel;
  try {
    model = await fitInThread(cars, yearOf(now), signal);
  } catch (error) {
    await releaseFit(pool, '10 minutes');
    throw error;
  }
  await pool.query({
    name: 'price-model-store',
    text: `update price_models
              set claimed_until = null, version = version + 1, model = $1::json, cars = $2, fitted_at = now()`,
    values: [JSON.stringify(model), cars.length],
  });
  return cars.length;
}

interface StoredCar extends CarFacts {
  id: number;
  facts_hash: string;
}

const ROWS_A_BATCH = 500;

/** SQL: whether an alert asks for what the new band changes. */
const asksAgain = `(
  ${isBelowFair('l.price', 'l')} <> ${isBelowFair('l.price', 'b')} and exists (
    select from alert_cells c where c.key = any (array[l.make_key, l.model_key]) and c.asked & ${BELOW_FAIR} <> 0))`;

/** SQL: listings `l` whose bands `b` are others, after "from". The bands are JSON in $1. */
const otherBands = `
  json_to_recordset($1::json) as b (id int8, facts_hash text, band_low int4, band_middle int4,
         band_high int4, band_cars int4, band_refusal text)
  join listings l on l.id = b.id and l.facts_hash = b.facts_hash and l.status = '${ListingStatus.forSale}'
 where (l.band_low, l.band_middle, l.band_high, l.band_refusal)
       is distinct from (b.band_low, b.band_middle, b.band_high, b.band_refusal)`;

/** The listings for which an alert asks again. It is a statement of its own, as each server has some of the alerts. */
const askedBandsSql = { name: 'price-bands-asked', text: `select l.id from ${otherBands} and ${asksAgain}` };

const updateBandsSql = {
  name: 'price-bands-update',
  text: `with b as materialized (
           select l.id, l.id = any ($2::int8[]) as asks, b.band_low, b.band_middle, b.band_high, b.band_cars, b.band_refusal
             from ${otherBands}
         ), marked as (${markChanged('listings l where l.id in (select id from b where asks)', true)})
         update listings l
            set band_low = b.band_low, band_middle = b.band_middle, band_high = b.band_high, band_cars = b.band_cars,
                band_refusal = b.band_refusal, ${settingsOfMarked('b.asks')}
           from b where l.id = b.id`,
};

/** A statement of its own, so that the next one sees the rows and their marks as they are once these are locked. */
const lockCarsSql = {
  name: 'price-bands-lock',
  text: 'select id from listings where id = any ($1::int8[]) order by id for no key update',
};

/**
 * Gives the bands of a model to the next listings that are for sale. Those that change meanwhile get theirs at intake. A
 * listing whose price is below the fair one only now, or no longer, is matched again where an alert asks for that.
 */
async function updateBatch(pool: Pool, model: PriceModel, after: number): Promise<{ last: number; updated: number }> {
  const { rows } = await pool.query<StoredCar>({
    name: 'price-bands-read',
    text: `select id, facts_hash, make, model, year, mileage, state, title from listings
            where id > $1 and status = 'for_sale' order by id limit ${ROWS_A_BATCH}`,
    values: [after],
  });
  const bands = rows.map((car) => ({ id: car.id, facts_hash: car.facts_hash, ...bandColumns(model, car) }));
  const write = async (client: Client) => {
    const values = [JSON.stringify(bands)];
    const [locked, , , asked] = await pipeline(client, () => [
      client.query<{ id: number }>({ ...lockCarsSql, values: [rows.map(({ id }) => id)] }),
      // An alert that is not seen by the next statement is searched for afterwards, and then sees these bands. Whoever has this
      // lock waits for no listing: who holds one may wait for an alert, and a backfill with that alert for this lock.
      lockSearch(client),
      lockSearchOnServers(client),
      client.query<{ id: number }>({ ...askedBandsSql, values }),
    ]);
    // The copy of a server that has not committed a listing yet would never get the version of the others.
    await requireCopies(
      client,
      locked.rows.map(({ id }) => id),
    );
    return client.query({ ...updateBandsSql, values: [...values, asked.rows.map(({ id }) => id)] });
  };
  const { rowCount } = await inTransaction(pool, write, beginWithShortIdle);
  return { last: rows.at(-1)?.id ?? after, updated: rowCount ?? 0 };
}

/**
 * Gives all listings that are for sale their bands by the model in force, if they do not have them yet. It goes on where
 * a process that ended has stopped, as that changes nothing twice.
 * @returns how many bands changed
 * @throws ConcurrentWrite where a server of a cluster has not committed a listing yet
 */
export async function updateBands(pool: Pool, signal: AbortSignal): Promise<number> {
  const { rows } = await pool.query<{ version: number; model: PriceModel | null }>({
    name: 'price-bands-due',
    text: 'select version, model from price_models where bands_version < version',
  });
  const [due] = rows;
  if (!due?.model) return 0;
  let total = 0;
  for (let after = 0; ; ) {
    if (signal.aborted) return total;
    const { last, updated } = await updateBatch(pool, due.model, after);
    total += updated;
    if (last === after) break;
    after = last;
  }
  await pool.query({
    name: 'price-bands-done',
    // Until then processes may still store listings by the model that they read before.
    text: `update price_models set bands_version = greatest(bands_version, $1)
            where fitted_at < now() - interval '${2 * READ_EVERY_MS} ms'`,
    values: [due.version],
  });
  return total;
}
