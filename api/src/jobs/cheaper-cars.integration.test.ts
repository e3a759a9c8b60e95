import { Temporal } from 'temporal-polyfill';
import { beforeEach, describe, expect, it } from 'vitest';
import { changeEverywhere } from '../../test/everywhere.ts';
import { storePage } from '../../test/factories.ts';
import { changeAlerts } from '../../test/matching/change-alerts.ts';
import { followedFacts, setUpFollowedCar, wantedCar } from '../../test/matching/followed-car.ts';
import { insertAlerts } from '../../test/matching/match-rows.ts';
import { ListingStatus } from '../domain/facts/listing-facts.ts';
import { releaseAlerts } from '../notify/release-waiting.ts';

const world = setUpFollowedCar();
const { db, store, match, save, view, send, subjects, deliver } = world;
let userId: number;
let alertId: number;
let listingId: number;
beforeEach(() => {
  ({ userId, alertId, listingId } = world);
});

const drops = () =>
  db.rows(`select alert_id::int as id, channel from notifications where kind = 'price_drop' order by id`);

describe('a price drop below what the alert asks', () => {
  it.each([
    ['saved', () => save()],
    ['viewed', () => view(29)],
  ])('is told once to who %s the car', async (_how, follow) => {
    await follow();
    await store({ price: 9_000 });
    const [mail, ...others] = await send();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ kind: 'price_drop', alertId, matchIds: [`${listingId}:${alertId}`] });
    expect(mail?.text).toContain('$9,000 (price drop from $12,000)');
    await store({ price: 9_000, title: 'Another title' });
    await store({ price: 8_900 });
    expect(await subjects()).toEqual([]);
    await store({ price: 8_000 });
    expect(await send()).toHaveLength(1);
  });

  it.each([
    ['neither saved nor viewed it', () => undefined],
    ['viewed it long ago', () => view(31)],
    ['wants no price drops', () => save().then(() => db.pool.query('update alerts set price_drops = false'))],
    ['has ended the alert', () => save().then(() => changeAlerts(db, 'is_active = false'))],
    ['let the alert expire', () => save().then(() => changeAlerts(db, 'expires_at = now()'))],
    ['wants no messages of the alert', () => save().then(() => changeAlerts(db, 'email_notifications = false'))],
  ])('is not told to who %s', async (_who, prepare) => {
    await prepare();
    await store({ price: 9_000 });
    expect(await subjects()).toEqual([]);
    expect(await db.rows(`select from notifications where kind = 'price_drop'`)).toEqual([]);
  });

  it('is told through one of two alerts that matched the car', async () => {
    const [other = 0] = await insertAlerts(db.pool, userId, [{ ...wantedCar, model: null }]);
    await db.pool.query('update alerts set pending_match = true where id = $1', [other]);
    await match();
    await save();
    await store({ price: 9_000 });
    expect(await db.rows(`select alert_id::int from notifications where kind = 'price_drop'`)).toEqual([
      { alert_id: alertId },
    ]);
  });

  it('is told by the alert that still shows the car, and not again by the one that hides it', async () => {
    const [wide = 0] = await insertAlerts(db.pool, userId, [{ ...wantedCar, priceMin: null }]);
    await db.pool.query('update alerts set pending_match = true where id = $1', [wide]);
    await match();
    await save();
    await store({ price: 9_000 });
    expect((await send()).map((mail) => mail.alertId)).toEqual([wide]);
    await changeAlerts(db, 'is_active = false', { where: 'id = $1', values: [wide] });
    await store({ price: 8_900 });
    expect(await subjects()).toEqual([]);
  });

  it('is not told once the car is sold', async () => {
    await view();
    await store({ price: 9_000 });
    await store({ price: 9_000, status: ListingStatus.pending });
    expect(await subjects()).toEqual([]);
  });

  it('is not told once the car is no longer saved', async () => {
    await save();
    await store({ price: 9_000 });
    await db.pool.query('update saved_listings set removed_at = now()');
    expect(await subjects()).toEqual([]);
  });

  describe('of a viewed car is told through an alert whose messages arrive:', () => {
    let mailed: number;
    beforeEach(async () => {
      [mailed = 0] = await insertAlerts(db.pool, userId, [{ ...wantedCar, model: null }]);
      await db.pool.query('update alerts set pending_match = true where id = $1', [mailed]);
      await match();
      await send();
      await view();
    });

    it.each([
      ['not one that only texts', 'text_notifications', "phone = '+15125550123', phone_confirmed_at = now()"],
      ['not one that only sends to devices, of which there are none', 'push_notifications', 'phone = null'],
    ])('%s', async (_which, flag, user) => {
      await db.pool.query(`update users set ${user}`);
      await changeAlerts(db, `email_notifications = false, ${flag} = true`, { where: 'id = $1', values: [alertId] });
      await store({ price: 9_000 });
      expect(await drops()).toEqual([{ id: mailed, channel: 'email' }]);
    });

    it('rather one that sends to a device while mails to the address wait', async () => {
      await db.pool.query(`insert into suppressed_addresses (address, reason, since)
        select lower(email), 'bounced', now() from users`);
      await db.pool.query(`insert into push_subscriptions (user_id, endpoint, p256dh, auth) values ($1, '', '', '')`, [
        userId,
      ]);
      await changeAlerts(db, 'email_notifications = false, push_notifications = true', {
        where: 'id = $1',
        values: [mailed],
      });
      await store({ price: 9_000 });
      expect(await drops()).toEqual([{ id: mailed, channel: 'push' }]);
    });

    it('if there is none, it counts as not told', async () => {
      await db.pool.query(`update users set phone = '+15125550123', phone_confirmed_at = now()`);
      await changeAlerts(db, 'email_notifications = false, text_notifications = true');
      await store({ price: 9_000 });
      expect(await drops()).toEqual([]);
      await changeAlerts(db, 'email_notifications = true');
      await store({ price: 8_990 });
      expect(await drops()).toEqual([{ id: alertId, channel: 'email' }]);
    });
  });

  it('is announced as a match when the car fits again only if it was not told', async () => {
    await save();
    await store({ price: 9_000 });
    expect(await send()).toHaveLength(1);
    await store({ price: 10_000 });
    expect(await subjects()).toEqual([]);
  });
});

it('a price drop of a saved car that fits is told once', async () => {
  await save();
  await view();
  await store({ price: 11_000 });
  expect(await send()).toHaveLength(1);
  expect(await db.rows(`select from notifications where kind = 'price_drop'`)).toHaveLength(1);
});

it('price drops and matches of a day leave as one digest, with the former price', async () => {
  await db.pool.query(`update alerts set delivery = 'daily', digest_hour = $1`, [
    Temporal.Now.zonedDateTimeISO('America/New_York').add({ hours: 3 }).hour,
  ]);
  await store({ price: 11_000 });
  const other = { ...followedFacts, externalId: 'another', year: 2019, mileageMiles: 99_000, price: 13_000 };
  await storePage(db.pool, 'lot', [other]);
  await match();
  expect(await subjects()).toEqual([]);
  expect(
    await db.rows('select kind, held_by as "heldBy" from notifications where status = \'waiting\' order by kind'),
  ).toEqual([
    { kind: 'match', heldBy: 'digest' },
    { kind: 'price_drop', heldBy: 'digest' },
  ]);
  await changeEverywhere(
    db,
    `update notifications set created_at = created_at - interval '1 day' where status = 'waiting'`,
  );
  await changeEverywhere(db, `update alerts set last_mailed_at = last_mailed_at - interval '1 day'`);
  await releaseAlerts(db.pool, [{ id: alertId, userId }]);
  const [mail, ...others] = await deliver();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ kind: 'digest', subject: '1 new match, 1 price drop: Toyota Camry' });
  expect(mail?.matchIds).toHaveLength(2);
  expect(mail?.text).toContain('$11,000 (price drop from $12,000)');
  expect(mail?.text).not.toContain('$13,000 (price drop');
  expect(await send()).toEqual([]);
});
