import { afterEach, describe, expect, it } from 'vitest';
import { onCluster, setUpDatabase } from '../../test/database.ts';
import { onServerOf } from '../../test/everywhere.ts';
import { buildFacts, storePage } from '../../test/factories.ts';
import { setUpDoubt } from '../../test/in-doubt.ts';
import { changeAlerts } from '../../test/matching/change-alerts.ts';
import { camryAlert, insertAlerts, insertUsers } from '../../test/matching/match-rows.ts';
import { changePhoto, takePhoto } from '../../test/same-car/photos.ts';
import { setUpServer } from '../../test/set-up.ts';
import { locks } from '../base/advisory-lock.ts';
import { silentLog } from '../base/log.ts';
import type { ListingFacts } from '../domain/facts/listing-facts.ts';
import { matchPendingListings } from '../matching/match-listings.ts';
import { PhotoFault, readPhoto } from '../vendors/photos/read-photo.ts';
import { comparePhotos } from './compare-photos-job.ts';

let userId: number;
let asked: string[] = [];
const answers = new Map<string, Buffer | number>();
const server = setUpServer((request, response) => {
  asked.push(request.url ?? '');
  const answer = answers.get(request.url ?? '') ?? 404;
  if (typeof answer === 'number') response.writeHead(answer).end();
  else response.writeHead(200, { 'content-type': 'image/jpeg' }).end(answer);
});

const db = setUpDatabase(async () => {
  const [photo, other] = [await takePhoto('scene', 1), await takePhoto('scene', 2)];
  answers.set('/first.jpg', photo);
  answers.set('/cropped.jpg', await changePhoto(photo, 5, 'both'));
  answers.set('/other.jpg', other);
  answers.set('/busy.jpg', 503);
  answers.set('/drawing.jpg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'));
  [userId = 0] = await insertUsers(db.pool);
  const settings = JSON.stringify({ url: `${server.url}/items`, allowPrivateNetwork: true });
  await db.pool.query("insert into sources (name, kind, settings) values ('lot', 'marketplace-items', $1)", [settings]);
});
afterEach(async () => {
  asked = [];
  await db.pool.query(
    'truncate listings, listings_to_match, car_candidates, matches, notifications, alerts, alert_cells restart identity',
  );
});
const { leaveInDoubt, commit } = setUpDoubt(db);

/** Without a mileage, so that only the photos can show whether two listings are one car. */
const unsure = (image: string, facts: Partial<ListingFacts> = {}) =>
  buildFacts({ mileageMiles: null, images: [`${server.url}/${image}`], ...facts });
const store = (source: string, ...facts: ListingFacts[]) => storePage(db.pool, source, facts);
const seenEarlier = () =>
  db.pool.query("update listings set seen_at = now() - interval '1 day', last_seen_at = now() - interval '1 hour'");
const cars = async () => (await db.rows('select car_id from listings order by id')).map((row) => row.car_id);
const compare = () => comparePhotos({ pool: db.pool, readPhoto, log: silentLog });
const waiting = async () => (await db.rows('select tries from car_candidates')).map((row) => row.tries);
const due = () => db.pool.query('update car_candidates set next_try_at = now()');

async function relist(image: string, source = 'lot'): Promise<void> {
  await store('lot', unsure('first.jpg'));
  await seenEarlier();
  await store(source, unsure(image));
}

describe('two listings that only their photos distinguish', () => {
  it('are one car when the photo is cropped and compressed again, and each photo is read once', async () => {
    await relist('cropped.jpg');
    expect(await cars()).toEqual([null, null]);
    expect(await compare()).toBe(1);
    expect(await cars()).toEqual([1, 1]);
    expect(asked.toSorted()).toEqual(['/cropped.jpg', '/first.jpg']);
    await seenEarlier();
    await store('lot', unsure('other.jpg'));
    await compare();
    expect(asked.slice(2)).toEqual(['/other.jpg']);
    expect(await cars()).toEqual([1, 1, null]);
    expect([await waiting(), await compare()]).toEqual([[], 0]);
  });

  it('stay two cars where a photo shows something else, is a drawing or is missing', async () => {
    for (const image of ['other.jpg', 'drawing.jpg', 'missing.jpg']) {
      await relist(image);
      await compare();
      expect([await cars(), await waiting()]).toEqual([[null, null], []]);
      await db.pool.query('truncate listings, listings_to_match restart identity');
    }
  });

  it('are tried three times while the server is busy, and then no more', async () => {
    await relist('busy.jpg');
    for (const left of [[1], [2], []]) {
      await compare();
      expect(await waiting()).toEqual(left);
      expect(await compare()).toBe(0);
      await due();
    }
    expect(asked.filter((path) => path === '/busy.jpg')).toHaveLength(3);
    expect(asked.filter((path) => path === '/first.jpg')).toHaveLength(1);
  });

  const turnCopy = () =>
    onServerOf(db.pool, userId, 'update listings set id = -id where image_url like $1 returning id', [
      '%/first.jpg',
    ]).then((rows) => expect(rows).toHaveLength(1));

  it.runIf(onCluster).each([
    ['has not committed a search yet', () => leaveInDoubt(`pg_advisory_xact_lock_shared(${locks.search})`), commit],
    ['does not have one of them yet', turnCopy, turnCopy],
  ])('are linked later, and others at once, while a server %s', async (_what, begin, end) => {
    await store('lot', unsure('first.jpg'), unsure('other.jpg', { year: 2010 }));
    await seenEarlier();
    await store('lot', unsure('cropped.jpg'), unsure('missing.jpg', { year: 2010 }));
    await begin();
    expect(await compare()).toBe(2);
    expect([await cars(), await waiting()]).toEqual([[null, null, null, null], [1]]);
    await end();
    await due();
    expect(await compare()).toBe(1);
    const linked = (await cars()).filter((car) => car !== null);
    expect([linked.length, new Set(linked).size, await waiting()]).toEqual([2, 1, []]);
  });

  it('are not compared while their source still shows both', async () => {
    await store('lot', unsure('first.jpg'), unsure('cropped.jpg'));
    await store('lot', unsure('cropped.jpg'));
    expect(await waiting()).toEqual([]);
  });
});

it('fetches photos from a private network only for a source that allows it', async () => {
  const read = (request: { allowPrivateNetwork: boolean }) =>
    readPhoto({ url: `${server.url}/first.jpg`, ...request }).then(
      ({ width }) => width,
      (error: unknown) => error instanceof PhotoFault && error.isFinal,
    );
  expect([await read({ allowPrivateNetwork: true }), await read({ allowPrivateNetwork: false })]).toEqual([256, true]);
  await relist('cropped.jpg', 'pushed');
  await compare();
  expect(asked.filter((path) => path === '/cropped.jpg')).toEqual([]);
});

it('keeps a match announced whose mail has left when its text is dropped', async () => {
  await insertAlerts(db.pool, userId, [camryAlert]);
  await db.pool.query("update users set phone = '+15125550123', phone_confirmed_at = now()");
  await changeAlerts(db, 'text_notifications = true');
  await store('lot', unsure('first.jpg'));
  await seenEarlier();
  await store('lot', unsure('cropped.jpg', { price: 15_000 }));
  while ((await matchPendingListings(db.pool)) > 0);
  await db.pool.query("update notifications set status = 'sent' where channel = 'email'");
  await compare();
  const rows = await db.rows(
    'select n.channel, n.status, m.announced from notifications n join matches m using (listing_id, alert_id, user_id) order by n.id',
  );
  expect(rows.map((row) => `${row.channel} ${row.status} ${row.announced}`).toSorted()).toEqual([
    'email sent true',
    'email sent true',
    'sms dropped true',
    'sms waiting true',
  ]);
});

it('drops a waiting announcement when its listing is linked later, and keeps one that is 5 % cheaper', async () => {
  await insertAlerts(db.pool, userId, [camryAlert]);
  const announced = async (price: number) => {
    await store('lot', unsure('first.jpg'));
    await seenEarlier();
    await store('lot', unsure('cropped.jpg', { price }));
    while ((await matchPendingListings(db.pool)) > 0);
    await compare();
    const rows = await db.rows(
      'select n.status, m.announced from notifications n join matches m using (listing_id, alert_id, user_id) order by n.id',
    );
    await db.pool.query('truncate listings, listings_to_match, matches, notifications restart identity');
    return rows.map((row) => [row.status, row.announced]);
  };
  expect(await announced(15_000)).toEqual([
    ['waiting', true],
    ['dropped', false],
  ]);
  expect(await announced(14_000)).toEqual([
    ['waiting', true],
    ['waiting', true],
  ]);
});
