import { Temporal } from 'temporal-polyfill';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { buildFacts, storePage } from '../../test/factories.ts';
import { emailParts, recordingMailer, sendDueMails } from '../../test/mail/mail-fixtures.ts';
import { camryAlert, insertAlerts, insertUsers, type TestAlert } from '../../test/matching/match-rows.ts';
import { recordingTexter, smsParts } from '../../test/texts/text-fixtures.ts';
import { type ListingFacts, ListingStatus } from '../domain/facts/listing-facts.ts';
import { retireAbsent, retireUnseen } from '../intake/retire-listings.ts';
import { matchPendingAlerts } from '../matching/match-alerts.ts';
import { matchPendingListings } from '../matching/match-listings.ts';
import { makeSmsEngine } from '../notify/channels/sms/sms.ts';
import { releaseAlerts } from '../notify/release-waiting.ts';
import type { OutgoingMail } from '../vendors/mail.ts';
import type { OutgoingText } from '../vendors/texts/text.ts';

const wanted: TestAlert = { ...camryAlert, priceMin: 10_000, priceMax: 20_000 };
const car = buildFacts({ price: 12_000, lat: wanted.lat, lng: wanted.lng, model: camryAlert.model });

let userId: number;
let alertId: number;
let listingId: number;

const db = setUpDatabase();
beforeEach(async () => {
  [userId = 0] = await insertUsers(db.pool);
  [alertId = 0] = await insertAlerts(db.pool, userId, [wanted]);
  listingId = await store();
  await send();
});
afterEach(async () => {
  await db.pool.query(`truncate users, alerts, alert_cells, alert_throttles, listings, matches, notifications, mails, texts,
    price_changes, saved_listings, listing_views, sources restart identity cascade`);
});

/** Stores the car as a later read of its source would, and matches it. @returns its listing's id */
async function store(changes: Partial<ListingFacts> = {}): Promise<number> {
  const { results } = await storePage(db.pool, 'lot', [{ ...car, ...changes }]);
  await match();
  return results[0]?.listingId ?? 0;
}

async function match(): Promise<void> {
  while ((await matchPendingListings(db.pool)) > 0);
  while ((await matchPendingAlerts(db.pool)) > 0);
}

const save = (id = listingId) =>
  db.pool.query('insert into saved_listings (user_id, listing_id) values ($1, $2)', [userId, id]);
const view = (daysAgo = 0) =>
  db.pool.query(
    'insert into listing_views (user_id, listing_id, viewed_at) values ($1, $2, now() - make_interval(days => $3))',
    [userId, listingId, daysAgo],
  );

/** Delivers what is due some minutes later. */
async function send(): Promise<OutgoingMail[]> {
  await db.pool.query(`update alerts set last_mailed_at = last_mailed_at - interval '6 minutes'`);
  await db.pool.query(
    `update notifications set created_at = now() - interval '1 minute', due_at = least(due_at, now())
      where status = 'waiting' and held_by is distinct from 'digest'`,
  );
  return deliver();
}

async function deliver(): Promise<OutgoingMail[]> {
  const mailer = recordingMailer();
  await sendDueMails(emailParts(db, mailer, { confirmEmail: false }));
  return mailer.mails;
}
const subjects = async () => (await send()).map(({ subject }) => subject);
const waiting = () =>
  db.rows(`select kind, held_by as "heldBy" from notifications where status = 'waiting' order by id`);

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
    ['has ended the alert', () => save().then(() => db.pool.query(`update alerts set is_active = false`))],
    ['let the alert expire', () => save().then(() => db.pool.query(`update alerts set expires_at = now()`))],
    [
      'wants no messages of the alert',
      () => save().then(() => db.pool.query('update alerts set email_notifications = false')),
    ],
  ])('is not told to who %s', async (_who, prepare) => {
    await prepare();
    await store({ price: 9_000 });
    expect(await subjects()).toEqual([]);
    expect(await db.rows(`select from notifications where kind = 'price_drop'`)).toEqual([]);
  });

  it('is told through one of two alerts that matched the car', async () => {
    const [other = 0] = await insertAlerts(db.pool, userId, [{ ...wanted, model: null }]);
    await db.pool.query('update alerts set pending_match = true where id = $1', [other]);
    await match();
    await save();
    await store({ price: 9_000 });
    expect(await db.rows(`select alert_id::int from notifications where kind = 'price_drop'`)).toEqual([
      { alert_id: alertId },
    ]);
  });

  it('is told by the alert that still shows the car, and not again by the one that hides it', async () => {
    const [wide = 0] = await insertAlerts(db.pool, userId, [{ ...wanted, priceMin: null }]);
    await db.pool.query('update alerts set pending_match = true where id = $1', [wide]);
    await match();
    await save();
    await store({ price: 9_000 });
    expect((await send()).map((mail) => mail.alertId)).toEqual([wide]);
    await db.pool.query('update alerts set is_active = false where id = $1', [wide]);
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
    await db.pool.query('delete from saved_listings');
    expect(await subjects()).toEqual([]);
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

describe('a saved car that is no longer for sale', () => {
  beforeEach(() => save());

  it('is told at once, as sold where the seller says so', async () => {
    await store({ status: ListingStatus.sold });
    const [mail, ...others] = await send();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ kind: 'sold', alertId, subject: 'The 2018 Toyota Camry you saved was sold' });
    expect(mail?.text).toContain('Last listed at $12,000');
    expect(mail?.text).toContain(`/alert/${alertId}`);
    await store({ status: ListingStatus.sold, title: 'Another title' });
    expect(await subjects()).toEqual([]);
  });

  it('is told as no longer listed where nobody says that it is sold', async () => {
    await retireAbsent(db.pool, 'lot', new Set());
    expect(await subjects()).toEqual([]);
    await retireAbsent(db.pool, 'lot', new Set());
    expect(await subjects()).toEqual(['The 2018 Toyota Camry you saved is no longer listed']);
  });

  it('is told when no source has shown it for 30 days', async () => {
    await db.pool.query(`update listings set last_seen_at = now() - interval '31 days'`);
    expect(await retireUnseen(db.pool)).toMatchObject({ removed: 1 });
    expect(await subjects()).toEqual(['The 2018 Toyota Camry you saved is no longer listed']);
  });

  it('is told once in 30 days, however often it is for sale again', async () => {
    await store({ status: ListingStatus.sold });
    expect(await send()).toHaveLength(1);
    await store();
    await store({ status: ListingStatus.sold });
    expect(await subjects()).toEqual([]);
  });

  it('is not told where it is for sale again before the message leaves', async () => {
    await store({ status: ListingStatus.sold });
    await store();
    expect(await subjects()).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  it('is not told while the car is for sale under another listing', async () => {
    const [other] = (await storePage(db.pool, 'other-lot', [{ ...car, externalId: 'other', price: 19_000 }])).results;
    await db.pool.query('update listings set car_id = $1 where id in ($1, $2)', [listingId, other?.listingId]);
    await store({ status: ListingStatus.sold });
    expect(await db.rows(`select from notifications where kind = 'sold'`)).toEqual([]);
  });

  it('waits in quiet hours like every message of the alert', async () => {
    await db.pool.query(`update alerts set snoozed_until = now() + interval '1 day'`);
    await store({ status: ListingStatus.sold });
    expect(await subjects()).toEqual([]);
    expect(await waiting()).toEqual([{ kind: 'sold', heldBy: 'snoozed' }]);
  });

  it('does not announce a car that was only shown when it is for sale again', async () => {
    await db.pool.query('truncate notifications');
    await db.pool.query('update matches set announced = false');
    await store({ status: ListingStatus.sold });
    await store({ price: 11_900 });
    expect(await db.rows(`select kind from notifications where status = 'waiting' and kind <> 'sold'`)).toEqual([]);
  });

  it('is texted', async () => {
    await db.pool.query(`update users set phone = '+15125550123', phone_confirmed_at = now()`);
    await db.pool.query('update alerts set text_notifications = true, email_notifications = false');
    await db.pool.query('update alert_cells set texts = true, announces = false');
    await store({ status: ListingStatus.sold });
    const texts: OutgoingText[] = [];
    await db.pool.query(`update notifications set due_at = now(), created_at = now() - interval '1 minute'`);
    await makeSmsEngine(smsParts(db, recordingTexter(texts))).drain();
    expect(texts.map(({ text }) => text)).toEqual([
      `The 2018 Toyota Camry you saved was sold. Similar cars: https://lotwatch.example/alert/${alertId}`,
    ]);
  });
});

describe('a viewed car that is sold', () => {
  beforeEach(async () => {
    await view();
    await db.pool.query('update alerts set digest_hour = $1', [
      Temporal.Now.zonedDateTimeISO('America/New_York').add({ hours: 3 }).hour,
    ]);
    await store({ status: ListingStatus.sold });
  });

  it('waits for the hour of the digest', async () => {
    expect(await subjects()).toEqual([]);
    expect(await waiting()).toEqual([{ kind: 'sold', heldBy: 'digest' }]);
    await db.pool.query(`update notifications set created_at = created_at - interval '1 day'`);
    await db.pool.query(`update alerts set last_mailed_at = last_mailed_at - interval '1 day'`);
    await releaseAlerts(db.pool, [alertId]);
    expect((await deliver()).map(({ subject }) => subject)).toEqual(['The 2018 Toyota Camry you viewed was sold']);
  });

  it('leaves with the next message', async () => {
    expect(await subjects()).toEqual([]);
    await storePage(db.pool, 'lot', [{ ...car, externalId: 'another', year: 2019, mileageMiles: 99_000 }]);
    await match();
    const [mail, ...others] = await send();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ kind: 'match' });
    expect(mail?.matchIds).toHaveLength(2);
    expect(mail?.subject).not.toContain('2 new matches');
    expect(mail?.text).toContain('The 2018 Toyota Camry you viewed was sold. Last listed at $12,000.');
  });

  it('is not told to who wants no price drops', async () => {
    await db.pool.query('update alerts set price_drops = false');
    await releaseAlerts(db.pool, [alertId]);
    expect(await subjects()).toEqual([]);
    expect(await waiting()).toEqual([]);
  });
});
