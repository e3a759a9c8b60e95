import { Temporal } from 'temporal-polyfill';
import { beforeEach, describe, expect, it } from 'vitest';
import { changeEverywhere } from '../../test/everywhere.ts';
import { storePage } from '../../test/factories.ts';
import { followedFacts as car, setUpFollowedCar } from '../../test/matching/followed-car.ts';
import { recordingTexter, smsParts } from '../../test/texts/text-fixtures.ts';
import { inTransaction } from '../base/database.ts';
import { ListingStatus } from '../domain/facts/listing-facts.ts';
import { announceEnded } from '../intake/announce-ended.ts';
import { retireAbsent, retireUnseen } from '../intake/retire-listings.ts';
import { makeSmsEngine } from '../notify/channels/sms/sms.ts';
import { releaseAlerts } from '../notify/release-waiting.ts';
import type { OutgoingText } from '../vendors/texts/text.ts';

const world = setUpFollowedCar();
const { db, store, match, save, view, send, deliver, subjects } = world;
let userId: number;
let alertId: number;
let listingId: number;
beforeEach(() => {
  ({ userId, alertId, listingId } = world);
});

const waiting = () =>
  db.rows(`select kind, held_by as "heldBy" from notifications where status = 'waiting' order by id`);

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

  describe('under one of two listings', () => {
    const sales = () =>
      db.rows(
        `select user_id::int as user, listing_id::int as listing from notifications where kind = 'sold' order by id`,
      );
    const sold = { status: ListingStatus.sold };
    const otherCar = { ...car, externalId: 'other', price: 19_000 };
    let other: number;
    beforeEach(async () => {
      other = (await storePage(db.pool, 'other-lot', [otherCar])).results[0]?.listingId ?? 0;
      await match();
      await db.pool.query('update listings set car_id = $1 where id in ($1, $2)', [listingId, other]);
    });

    it('is not told while the other one is for sale', async () => {
      await store(sold);
      expect(await sales()).toEqual([]);
    });

    it('is told when the other one ends after it', async () => {
      await store(sold);
      await storePage(db.pool, 'other-lot', [{ ...otherCar, ...sold }]);
      expect(await sales()).toEqual([{ user: userId, listing: listingId }]);
      expect(await subjects()).toEqual(['The 2018 Toyota Camry you saved was sold']);
    });

    it('is told once when both end concurrently', async () => {
      let second: Promise<unknown> = Promise.resolve();
      await inTransaction(db.pool, async (client) => {
        await client.query(`update listings set status = 'sold' where id = $1`, [listingId]);
        await announceEnded(client, [listingId]);
        let hasEnded = false;
        second = storePage(db.pool, 'other-lot', [{ ...otherCar, ...sold }]).finally(() => {
          hasEnded = true;
        });
        await expect.poll(async () => hasEnded || (await db.lockWaits()) > 0).toBe(true);
      });
      await second;
      expect(await sales()).toEqual([{ user: userId, listing: listingId }]);
    });

    it('is told once to who saved both, also when both end at the same time', async () => {
      await save(other);
      await db.pool.query(`update listings set status = 'gone'`);
      await inTransaction(db.pool, (client) => announceEnded(client, [listingId, other]));
      expect(await sales()).toHaveLength(1);
      await store();
      await store(sold);
      expect(await sales()).toHaveLength(1);
    });

    it('is told once to who saved both, when they end one after the other', async () => {
      await save(other);
      await store(sold);
      await storePage(db.pool, 'other-lot', [{ ...otherCar, ...sold }]);
      expect(await sales()).toEqual([{ user: userId, listing: other }]);
    });

    it('is told of a listing that ended long ago only if its end was not told then', async () => {
      await db.pool.query('update listings set car_id = null');
      await store(sold);
      expect(await send()).toHaveLength(1);
      await changeEverywhere(db, `update notifications set created_at = created_at - interval '60 days'`);
      await db.pool.query('update listings set car_id = $1', [listingId]);
      await storePage(db.pool, 'other-lot', [{ ...otherCar, ...sold }]);
      expect(await sales()).toHaveLength(1);
    });
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
    const text = `The 2018 Toyota Camry you saved was sold. Similar cars: https://lotwatch.example/alert/${alertId}`;
    expect(texts).toMatchObject([{ kind: 'sold', text }]);
    expect(await db.rows('select kind from texts')).toEqual([{ kind: 'sold' }]);
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
    await changeEverywhere(db, `update notifications set created_at = created_at - interval '1 day'`);
    await changeEverywhere(db, `update alerts set last_mailed_at = last_mailed_at - interval '1 day'`);
    await releaseAlerts(db.pool, [{ id: alertId, userId }]);
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
    await releaseAlerts(db.pool, [{ id: alertId, userId }]);
    expect(await subjects()).toEqual([]);
    expect(await waiting()).toEqual([]);
  });
});
