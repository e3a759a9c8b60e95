import { afterEach, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { buildFacts, storePage } from '../../test/factories.ts';
import { changePhoto, takePhoto } from '../../test/same-car/photos.ts';
import { setUpServer } from '../../test/set-up.ts';
import { rowsRead } from '../../test/statements/rows-read.ts';
import { silentLog } from '../base/log.ts';
import type { ListingFacts } from '../domain/facts/listing-facts.ts';
import { queueDistantPhotos } from '../intake/distant-photos.ts';
import { readPhoto } from '../vendors/photos/read-photo.ts';
import { comparePhotosJob } from './compare-photos-job.ts';

let asked: string[] = [];
const answers = new Map<string, Buffer>();
const server = setUpServer((request, response) => {
  asked.push(request.url ?? '');
  const answer = answers.get(request.url ?? '');
  if (answer) response.writeHead(200, { 'content-type': 'image/jpeg' }).end(answer);
  else response.writeHead(404).end();
});
const db = setUpDatabase(async () => {
  const photo = await takePhoto('scene', 1);
  answers.set('/first.jpg', photo);
  answers.set('/again.jpg', await changePhoto(photo, 5, 'both'));
  answers.set('/other.jpg', await takePhoto('scene', 2));
  const settings = JSON.stringify({ url: `${server.url}/items`, allowPrivateNetwork: true });
  await db.pool.query("insert into sources (name, kind, settings) values ('lot', 'marketplace-items', $1)", [settings]);
});
afterEach(async () => {
  asked = [];
  await db.pool.query('truncate listings, listings_to_match, car_candidates restart identity');
  await db.pool.query('update photo_searches set listing_id = 0');
});

const tampa = { city: 'Tampa', state: 'FL', lat: 27.95, lng: -82.46 };
const car = (image: string, facts: Partial<ListingFacts> = {}) =>
  buildFacts({ mileageMiles: 43_217, images: [`${server.url}/${image}`], ...facts });
const settle = () => db.pool.query("update listings set seen_at = now() - interval '1 minute'");

/** Stores cars one after the other, and runs the job until nothing is left. @returns the places that cautions name */
async function placesOf(...cars: ListingFacts[]): Promise<(string | null)[]> {
  for (const facts of cars) await storePage(db.pool, 'lot', [facts]);
  await settle();
  await comparePhotosJob.run({ pool: db.pool, readPhoto, log: silentLog });
  return (await db.rows('select photo_place from listings order by id')).map((row) => row.photo_place);
}

it('names at both listings where the other one is that has the same photo, far away', async () => {
  expect(await placesOf(car('first.jpg'), car('again.jpg', { ...tampa, title: 'Camry, must go' }))).toEqual([
    'Tampa, FL',
    'Pasadena, CA',
  ]);
  expect(asked.toSorted()).toEqual(['/again.jpg', '/first.jpg']);
  // The seller takes another photo.
  const [first] = await db.rows('select external_id from listings order by id');
  await storePage(db.pool, 'lot', [car('other.jpg', { externalId: first?.external_id })]);
  expect((await db.rows('select photo_place from listings order by id')).map((row) => row.photo_place)).toEqual([
    null,
    'Pasadena, CA',
  ]);
});

it.each<[string, Partial<ListingFacts>, Partial<ListingFacts>]>([
  ['another photo', {}, { images: [`${server.url}/other.jpg`] }],
  ['a car nearby', {}, { city: 'Glendale', state: 'CA', lat: 34.15, lng: -118.25 }],
  [
    'the same VIN, as dealers have one car in several towns',
    { vin: '1HGCM82633A004352' },
    { vin: '1HGCM82633A004352' },
  ],
])('says nothing of %s', async (_what, first, second) => {
  const { images = [`${server.url}/again.jpg`], ...rest } = second;
  expect(await placesOf(car('first.jpg', first), car('', { ...tampa, images, ...rest }))).toEqual([null, null]);
});

it.each<[string, Partial<ListingFacts>, Partial<ListingFacts>]>([
  ['another mileage', {}, { mileageMiles: 43_218 }],
  ['another year', {}, { year: 2017 }],
  ['a round mileage with another title', { mileageMiles: 43_000 }, { mileageMiles: 43_000, title: '2018 Camry XLE' }],
  ['a new car', { mileageMiles: 12 }, { mileageMiles: 12 }],
  ['no mileage', { mileageMiles: null }, { mileageMiles: null }],
  ['no photo', {}, { images: [] }],
])('fetches no photo for %s', async (_what, first, second) => {
  expect(await placesOf(car('first.jpg', first), car('again.jpg', { ...tampa, ...second }))).toEqual([null, null]);
  expect(asked).toEqual([]);
});

it('waits for listings that were stored a moment ago, and searches each once', async () => {
  await storePage(db.pool, 'lot', [car('first.jpg'), car('again.jpg', tampa)]);
  expect(await queueDistantPhotos(db.pool)).toBe(0);
  await settle();
  expect(await queueDistantPhotos(db.pool)).toBe(2);
  expect(await queueDistantPhotos(db.pool)).toBe(0);
  expect(await db.rows('select listing_id, other_id from car_candidates')).toEqual([{ listing_id: 2, other_id: 1 }]);
});

it('compares what is due before it searches for what is new, as a relist is announced until then', async () => {
  await storePage(db.pool, 'lot', [car('first.jpg'), car('other.jpg'), car('again.jpg', tampa)]);
  await settle();
  await db.pool.query('insert into car_candidates (listing_id, other_id) values (2, 1)');
  const searched: number[] = [];
  await comparePhotosJob.run({
    pool: db.pool,
    log: silentLog,
    async readPhoto(photo) {
      searched.push((await db.row('select listing_id from photo_searches')).listing_id);
      return readPhoto(photo);
    },
  });
  expect(searched).toEqual([0, 0, 3]);
  expect(await db.rows('select from car_candidates')).toEqual([]);
});

it('reads the listings of a model once for a whole batch of them', async () => {
  const [listings, batch] = [2_000, 500];
  await db.pool.query(
    `insert into listings (source, external_id, title, make, model, year, mileage, image_url, x, y, z, facts_hash,
                           pending_match, seen_at)
     select 'lot', n::text, 'A car', 'toyota', 'camry', 2018, 50001 + n % $2::int4, 'https://photos.example/1.jpg',
            case when n > $1 - $2 then 0 else 1 end, case when n > $1 - $2 then 1 else 0 end, 0, '', false,
            now() - interval '1 hour' + n * interval '1 second'
       from generate_series(1, $1::int4) n`,
    [listings, batch],
  );
  await db.pool.query('update photo_searches set listing_id = $1', [listings - batch]);
  const read = await rowsRead(db, /car_candidates/, queueDistantPhotos);
  expect(
    await db.rows(
      'select listing_id, array_agg(other_id order by other_id desc) as others from car_candidates group by 1 order by 1 limit 1',
    ),
  ).toEqual([{ listing_id: 1_501, others: [1_001, 501, 1] }]);
  expect(await db.row('select count(*)::int4 as count from car_candidates')).toEqual({ count: 3 * batch });
  expect(read).toHaveLength(1);
  expect(read.filter(({ rows }) => rows > 5 * listings)).toEqual([]);
});
