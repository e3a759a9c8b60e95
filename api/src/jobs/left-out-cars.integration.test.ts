import { beforeEach, describe, expect, it } from 'vitest';
import { storePage } from '../../test/factories.ts';
import { followedFacts, setUpFollowedCar } from '../../test/matching/followed-car.ts';
import { insertNewerMatches, noteAlert, shownListings } from '../../test/matching/many-matches.ts';
import { untilDone } from '../../test/until-done.ts';
import { dismissCar, findCarForLink, hideCar, restoreCar } from '../alerts/dismiss-car.ts';
import { ListingStatus } from '../domain/facts/listing-facts.ts';
import { MATCHES_KEPT } from '../domain/match-cap.ts';
import { DISMISSED } from '../entities/notification-rules.ts';
import { retireUnseen } from '../intake/retire-listings.ts';
import { trimMatches } from '../matching/trim-matches.ts';

/* A car of which an alert keeps no match, as there are too many newer ones. */

const world = setUpFollowedCar();
const { db, store, match, send, subjects } = world;
let alertId: number;
let listingId: number;
let newer: number[];

/** Facts of another car. */
const other = (externalId: string) => ({
  externalId,
  title: '2012 Toyota Camry',
  year: 2012,
  mileageMiles: 140_000,
  images: [`https://photos.example/${externalId}.jpg`],
});

const trim = async () => {
  await noteAlert(db, alertId);
  await untilDone(db.pool, trimMatches);
};
const pair = () => db.row('select * from matches where listing_id = $1', [listingId]);
const noted = () => db.rows('select kind, price, status from notifications order by id');

beforeEach(async () => {
  ({ alertId, listingId } = world);
  newer = await insertNewerMatches(db, alertId);
  await trim();
  expect(await pair()).toBeUndefined();
});

it('is not announced or shown again when it changes', async () => {
  await store({ title: 'Another title', mileageMiles: 12_345 });
  await store({ price: 11_900 });
  await store({ price: 12_500 });
  expect(await subjects()).toEqual([]);
  expect(await shownListings(db, alertId)).toEqual(newer);
});

it('is announced once as a price drop, and not as a new match, when it gets 5 % cheaper', async () => {
  const before = await db.row('select min(position) as position from matches');
  await store({ price: 11_000 });
  expect((await noted()).at(-1)).toMatchObject({ kind: 'price_drop', price: 11_000 });
  // No reader by cursor takes it for a new one.
  expect(await pair()).toMatchObject({ position: before?.position, announced: true });
  await trim();
  const [mail, ...others] = await send();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ kind: 'price_drop', alertId, matchIds: [`${listingId}:${alertId}`] });
  expect(mail?.text).toContain('$11,000 (price drop from $12,000)');
  await trim();
  expect(await pair()).toBeUndefined();
  await store({ price: 10_900 });
  await store({ price: 11_500 });
  expect(await subjects()).toEqual([]);
});

it('gets cheaper in small steps, which are announced when they are 5 % together', async () => {
  await store({ price: 11_700 });
  expect(await subjects()).toEqual([]);
  await store({ price: 11_350 });
  expect((await send()).map(({ kind }) => kind)).toEqual(['price_drop']);
});

it('is not announced when it no longer fits and then fits again', async () => {
  await store({ price: 25_000 });
  await store({ price: 12_000 });
  expect(await subjects()).toEqual([]);
  expect(await pair()).toBeUndefined();
});

it('is not announced when it is sold and then for sale again', async () => {
  await store({ status: ListingStatus.sold });
  await store({});
  expect(await subjects()).toEqual([]);
});

it('is not announced when it is listed again', async () => {
  const relisted = await store({ externalId: 'relisted' });
  expect(await subjects()).toEqual([]);
  expect(await shownListings(db, alertId)).toContain(relisted);
});

it('is dismissed by the link of its mail, and stays hidden until that is undone', async () => {
  const car = { alertId, listingId, userId: world.userId };
  expect(await findCarForLink(db.pool, car)).toMatchObject({ isDismissed: false });
  await dismissCar(db.orm.em.fork(), car);
  expect(await pair()).toMatchObject({ alert_version: DISMISSED });
  await trim();
  await store({ price: 10_500 });
  expect(await subjects()).toEqual([]);
  expect(await findCarForLink(db.pool, car)).toMatchObject({ isDismissed: true });
  await restoreCar(db.orm.em.fork(), car);
  expect(await shownListings(db, alertId)).toContain(listingId);
});

it('is hidden by the button of a page that still shows it, and shown again', async () => {
  const car = { listingId, userId: world.userId };
  await hideCar(db.orm.em.fork(), car, true);
  expect(await pair()).toMatchObject({ alert_version: DISMISSED });
  await store({ price: 10_500 });
  expect(await subjects()).toEqual([]);
  await hideCar(db.orm.em.fork(), car, false);
  expect(await shownListings(db, alertId)).toContain(listingId);
});

it('a dismissed car stays dismissed at the cap', async () => {
  const dismissed = await store(other('dismissed'));
  await send();
  await dismissCar(db.orm.em.fork(), { alertId, listingId: dismissed, userId: world.userId });
  await insertNewerMatches(db, alertId, 2 * MATCHES_KEPT);
  await trim();
  await store({ ...other('dismissed'), price: 10_000 });
  expect(await subjects()).toEqual([]);
  expect(await shownListings(db, alertId)).not.toContain(dismissed);
});

describe('of which a message waits', () => {
  it('keeps its match until the message is sent', async () => {
    const waiting = await store(other('waiting'));
    await insertNewerMatches(db, alertId);
    await trim();
    expect(await shownListings(db, alertId)).toContain(waiting);
    expect((await send()).flatMap(({ matchIds }) => matchIds)).toEqual([`${waiting}:${alertId}`]);
    await trim();
    expect(await shownListings(db, alertId)).not.toContain(waiting);
  });

  it('is announced when its message was dropped, and it fits again', async () => {
    const car = other('waiting');
    const waiting = await store(car);
    await insertNewerMatches(db, alertId);
    await store({ ...car, status: ListingStatus.pending });
    expect(await subjects()).toEqual([]);
    await trim();
    expect(await shownListings(db, alertId)).not.toContain(waiting);
    await store(car);
    expect((await send()).flatMap(({ matchIds }) => matchIds)).toEqual([`${waiting}:${alertId}`]);
  });
});

describe('that its backfill did not write', () => {
  let unwritten: number;
  const car = { ...other('old'), price: 15_000 };

  beforeEach(async () => {
    await db.pool.query('update alerts set is_active = false');
    await db.pool.query('update alert_cells set expires_at = now()');
    unwritten = await store(car);
    await db.pool.query(`update listings set seen_at = now() - interval '1 day' where id = $1`, [unwritten]);
    await db.pool.query(`update alerts set is_active = true, is_capped = true, backfill_requested_at = now()`);
    await db.pool.query(`update alert_cells set expires_at = now() + interval '1 day'`);
    expect(await shownListings(db, alertId)).not.toContain(unwritten);
  });

  it('is not announced as a new match when it changes, but as a price drop', async () => {
    await store({ ...car, title: 'Another title' });
    await store({ ...car, price: 14_900 });
    expect(await subjects()).toEqual([]);
    await store({ ...car, price: 14_000 });
    expect((await send()).map(({ kind, matchIds }) => [kind, matchIds])).toEqual([
      ['price_drop', [`${unwritten}:${alertId}`]],
    ]);
  });

  it.each([
    ['gets into the range', { ...car, price: 25_000 }, car],
    ['changes its place', { ...car, lat: 41.9, lng: -87.6 }, car],
  ])('is a new match when it %s', async (_how, away, back) => {
    await db.pool.query('update alert_cells set expires_at = now()');
    await store(away);
    await db.pool.query(`update alert_cells set expires_at = now() + interval '1 day'`);
    await store(back);
    expect((await send()).map(({ kind, matchIds }) => [kind, matchIds])).toEqual([
      ['match', [`${unwritten}:${alertId}`]],
    ]);
    expect(await shownListings(db, alertId)).toContain(unwritten);
  });

  it('is a new match when it was not for sale as the alert looked for it', async () => {
    await store({ ...car, status: ListingStatus.sold });
    await db.pool.query('update alerts set backfill_requested_at = now()');
    await store(car);
    expect((await send()).map(({ kind }) => kind)).toEqual(['match']);
  });

  it('is a new match when it came before the days of the backfill', async () => {
    await db.pool.query(`update listings set seen_at = now() - interval '15 days' where id = $1`, [unwritten]);
    await store({ ...car, price: 14_900 });
    expect((await send()).map(({ kind }) => kind)).toEqual(['match']);
  });
});

describe('that was not searched for before', () => {
  beforeEach(() => db.pool.query('update alerts set backfill_requested_at = now()'));

  it('is a new match when it came as pending, and is for sale later', async () => {
    const car = await store({ ...other('pending'), status: ListingStatus.pending });
    await store(other('pending'));
    expect((await send()).map(({ kind, matchIds }) => [kind, matchIds])).toEqual([['match', [`${car}:${alertId}`]]]);
  });

  it.each([
    [
      'was sold',
      (id: number) =>
        storePage(db.pool, 'lot', [{ ...followedFacts, ...other('hasty'), status: ListingStatus.sold }]).then(() => id),
    ],
    [
      'was not seen for 30 days',
      async (id: number) => {
        await db.pool.query(`update listings set last_seen_at = now() - interval '31 days' where id = $1`, [id]);
        await untilDone(db.pool, retireUnseen);
      },
    ],
  ])('is a new match when it %s before, and is for sale again', async (_how, end) => {
    const { results } = await storePage(db.pool, 'lot', [{ ...followedFacts, ...other('hasty') }]);
    const car = results[0]?.listingId ?? 0;
    await end(car);
    await match();
    expect(await subjects()).toEqual([]);
    await store(other('hasty'));
    expect((await send()).map(({ kind, matchIds }) => [kind, matchIds])).toEqual([['match', [`${car}:${alertId}`]]]);
  });
});

it('that never fitted is a new match when it begins to fit', async () => {
  const late = await store({ ...other('late'), price: 25_000 });
  await store({ ...other('late'), price: 19_000 });
  expect((await send()).map(({ kind, matchIds }) => [kind, matchIds])).toEqual([['match', [`${late}:${alertId}`]]]);
});
