import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { emptyMailTables, insertAlert } from '../../../test/mail/mail-fixtures.ts';
import { recordingTexter } from '../../../test/texts/recording-texter.ts';
import { insertDueText, insertTexted, insertTextedAlert, PHONE, textParts } from '../../../test/texts/text-fixtures.ts';
import { inTransaction } from '../../base/database.ts';
import { seedPlans } from '../../billing/seed-plans.ts';
import { startTexts, stopTexts } from '../../entities/shared/text-stop.ts';
import { segments } from '../../messages/texts/gsm.ts';
import { type OutgoingText, type Texter, TextNotTaken, TextRefused } from '../../vendors/texts/text.ts';
import { claimText } from './claim-text.ts';
import { recordDelivery } from './record-delivery.ts';
import { makeTextSender } from './send-due-texts.ts';

let db: TestDatabase;
let texts: OutgoingText[];
beforeAll(async () => {
  db = await makeTestDatabase();
  await seedPlans(db.pool);
});
afterAll(() => db.close());
beforeEach(async () => {
  await emptyMailTables(db.pool);
  texts = [];
});

const all = async (sql: string, values: unknown[] = []) => (await db.pool.query(sql, values)).rows;
const run = (texter: Texter | null = recordingTexter(texts)) => makeTextSender(textParts(db, texter))();
const statuses = async () => (await all('select status from notifications order by id')).map(({ status }) => status);
const failing = (error: unknown): Texter => ({ timeoutMs: 1, send: () => Promise.reject(error) });
const stop = () => inTransaction(db.pool, (client) => stopTexts(client, PHONE));

describe('a text', () => {
  it('names alert, car, price, place and link, and is settled', async () => {
    const { alertId, listingId, notificationId, userId } = await insertTextedAlert(db.pool);
    expect(await run()).toEqual({ sent: 1, failed: 0, unknown: 0, nextDueInMs: null });
    expect(texts).toEqual([
      {
        id: expect.any(String),
        kind: 'match',
        to: PHONE,
        text: `Toyota Camry near Los Angeles, CA: 2018 Toyota Camry SE, $15,400, Pasadena, CA https://lotwatch.example/alert/${alertId}`,
        alertId,
        matchIds: [`${listingId}:${alertId}`],
        notificationIds: [notificationId],
      },
    ]);
    const [row] = await all('select * from texts');
    expect(row).toMatchObject({
      status: 'sent',
      user_id: userId,
      segments: segments(texts[0]?.text ?? ''),
      to_phone: PHONE,
    });
    expect(row.sid).toMatch(/^SM/);
    expect(await statuses()).toEqual(['sent']);
  });

  it('collects for five minutes after the last one, by its own pace', async () => {
    const { alertId } = await insertTextedAlert(db.pool, { last_mailed_at: new Date() });
    await run();
    await insertDueText(db.pool, alertId);
    await insertDueText(db.pool, alertId);
    const { nextDueInMs } = await run();
    expect(texts).toHaveLength(1);
    expect(nextDueInMs).toBeGreaterThan(295_000);
    await db.pool.query("update alerts set last_texted_at = now() - interval '5 minutes'");
    await db.pool.query('update notifications set due_at = now()');
    await run();
    expect(texts).toHaveLength(2);
    expect(texts[1]?.text).toContain('+1 more');
  });

  it('tells what a price was', async () => {
    const { alertId, listingId } = await insertTextedAlert(db.pool);
    await db.pool.query('insert into price_changes (listing_id, price) values ($1, 18000)', [listingId]);
    await db.pool.query("update notifications set kind = 'price_drop' where alert_id = $1", [alertId]);
    await run();
    expect(texts[0]?.text).toContain('$15,400, was $18,000');
  });

  it('leaves the mails alone', async () => {
    const { alertId, listingId } = await insertTextedAlert(db.pool);
    await db.pool.query('insert into notifications (user_id, alert_id, listing_id, due_at) select 0, $1, $2, now()', [
      alertId,
      listingId,
    ]);
    await run();
    expect(await statuses()).toEqual(['sent', 'waiting']);
  });
});

describe('nothing is texted', () => {
  it.each([
    ['on Free', 'update users set plan_id = 1'],
    ['to an unconfirmed phone', 'update users set phone_confirmed_at = null'],
    ['without a phone', 'update users set phone = null'],
    ['where the alert no longer asks for texts', 'update alerts set text_notifications = false'],
    ['of an alert that is off', 'update alerts set is_active = false'],
    ['of an alert that has ended', 'update alerts set expires_at = now()'],
    ['of an alert that is gone', 'delete from alerts'],
    ['of a car that is sold', "update listings set status = 'sold'"],
    ['of a car that no longer fits', 'update listings set price = 60000'],
    ['after STOP', `insert into text_stops (phone) values ('${PHONE}')`],
  ])('%s', async (_what, change) => {
    await insertTextedAlert(db.pool);
    await db.pool.query(change);
    expect(await run()).toMatchObject({ sent: 0, nextDueInMs: null });
    expect(await statuses()).toEqual(['dropped']);
    expect(texts).toEqual([]);
  });

  it('where texts are not set up', async () => {
    await insertTextedAlert(db.pool);
    await run(null);
    expect(await statuses()).toEqual(['dropped']);
  });
});

describe('STOP', () => {
  it('drops what is queued, and START lets new texts go', async () => {
    const { alertId } = await insertTextedAlert(db.pool);
    await insertDueText(db.pool, alertId);
    await stop();
    expect(await statuses()).toEqual(['dropped', 'dropped']);
    await stop();
    await startTexts(db.pool, PHONE);
    await run();
    expect(texts).toEqual([]);
    await insertDueText(db.pool, alertId);
    await run();
    expect(texts).toHaveLength(1);
  });

  it('that the provider knows of first is kept to', async () => {
    const { alertId } = await insertTextedAlert(db.pool);
    const other = await insertAlert(db.pool, (await all('select id from users'))[0].id, { text_notifications: true });
    await run(failing(new TextRefused('21610', 'stopped')));
    await insertDueText(db.pool, alertId);
    await insertDueText(db.pool, other);
    await run();
    expect(await statuses()).toEqual(['failed', 'dropped', 'dropped']);
    expect(texts).toEqual([]);
  });

  it('beside senders that are at work lets at most those leave that were under way', async () => {
    const userId = await insertTexted(db.pool);
    for (let n = 0; n < 12; n += 1) {
      await insertDueText(db.pool, await insertAlert(db.pool, userId, { text_notifications: true }));
    }
    let stopped = 0;
    const slow: Texter = {
      timeoutMs: 1_000,
      async send(text) {
        if (texts.length === 2) await stop().then(() => (stopped = texts.length));
        texts.push(text);
        return { sid: null };
      },
    };
    await Promise.all([run(slow), run(slow), run(slow)]);
    expect(stopped).toBeGreaterThan(0);
    expect(texts.length).toBeLessThanOrEqual(stopped + 3);
    const left = await statuses();
    expect(left.filter((status) => status === 'sent')).toHaveLength(texts.length);
    expect(left.filter((status) => status === 'dropped')).toHaveLength(12 - texts.length);
  });
});

describe("the month's cap", () => {
  const fill = (userId: number, count: number, columns = '') =>
    db.pool.query(
      `insert into texts (id, kind, user_id, to_phone, status${columns ? ', created_at' : ''})
       select gen_random_uuid(), 'match', $1, $2, 'sent'${columns} from generate_series(1, $3)`,
      [userId, PHONE, count],
    );

  it('holds under parallel claims, and one mail tells of it', async () => {
    const userId = await insertTexted(db.pool);
    await fill(userId, 97);
    await fill(userId, 500, ", date_trunc('month', now(), 'UTC') - interval '1 second'");
    for (let n = 0; n < 16; n += 1) {
      await insertDueText(db.pool, await insertAlert(db.pool, userId, { text_notifications: true }));
    }
    const senders = Array.from({ length: 6 }, () => makeTextSender(textParts(db, recordingTexter(texts))));
    for (let round = 0; round < 40; round += 1) {
      const results = await Promise.all(senders.map((send) => send()));
      if (results.every(({ nextDueInMs }) => nextDueInMs === null)) break;
      await new Promise((settle) => setTimeout(settle, 100));
    }
    expect(texts).toHaveLength(3);
    const left = await statuses();
    expect(left.filter((status) => status === 'dropped')).toHaveLength(13);
    const mails = await all('select kind, data from mails');
    expect(mails).toEqual([
      { kind: 'text_cap', data: { cap: 100, resetsAt: expect.stringMatching(/-01T00:00:00.000Z$/) } },
    ]);
  });

  it('is larger on a larger plan, and told of again there', async () => {
    const { userId, alertId } = await insertTextedAlert(db.pool);
    await fill(userId, 100);
    await run();
    expect(texts).toEqual([]);
    await db.pool.query('update users set plan_id = 3');
    await insertDueText(db.pool, alertId);
    await run();
    expect(texts).toHaveLength(1);
    await fill(userId, 399);
    await db.pool.query('update alerts set last_texted_at = null');
    await insertDueText(db.pool, alertId);
    await run();
    expect(texts).toHaveLength(1);
    expect((await all("select data ->> 'cap' as cap from mails order by created_at")).map(({ cap }) => cap)).toEqual([
      '100',
      '500',
    ]);
  });

  it('does not count what the provider refused', async () => {
    const { userId, alertId } = await insertTextedAlert(db.pool);
    await fill(userId, 99);
    await run(failing(new TextRefused('no', 'other')));
    await db.pool.query('update alerts set last_texted_at = null');
    await insertDueText(db.pool, alertId);
    await run();
    expect(texts).toHaveLength(1);
  });
});

describe('at most once', () => {
  it('however many senders run', async () => {
    const userId = await insertTexted(db.pool, { plan_id: 4 });
    for (let n = 0; n < 20; n += 1) {
      await insertDueText(db.pool, await insertAlert(db.pool, userId, { text_notifications: true }));
    }
    const senders = Array.from({ length: 4 }, () => makeTextSender(textParts(db, recordingTexter(texts))));
    for (let round = 0; round < 40 && texts.length < 20; round += 1) {
      await Promise.all(senders.map((send) => send()));
      await new Promise((settle) => setTimeout(settle, 50));
    }
    expect(texts).toHaveLength(20);
    expect(new Set(texts.flatMap(({ matchIds }) => matchIds)).size).toBe(20);
  });

  it('a text whose sender died is unknown after a while, and never sent', async () => {
    const { alertId } = await insertTextedAlert(db.pool);
    const claimed = await claimText(textParts(db, null), alertId);
    expect(claimed).toMatchObject({ text: { to: PHONE } });
    expect((await run()).nextDueInMs).toBeGreaterThan(10_000);
    await db.pool.query("update texts set created_at = now() - interval '1 minute'");
    expect(await run()).toMatchObject({ unknown: 1, sent: 0 });
    expect(await statuses()).toEqual(['unknown']);
    await run();
    expect(texts).toEqual([]);
  });

  it('an answer that says nothing leaves it unknown', async () => {
    await insertTextedAlert(db.pool);
    expect(await run(failing(new Error('timeout of 15000ms exceeded')))).toMatchObject({ unknown: 1 });
    expect(await all('select status, error from texts')).toEqual([
      { status: 'unknown', error: 'timeout of 15000ms exceeded' },
    ]);
    await run();
    expect(texts).toEqual([]);
  });

  it('what was certainly not taken is tried again, without waiting for the pace', async () => {
    const { alertId } = await insertTextedAlert(db.pool);
    const { nextDueInMs } = await run(failing(new TextNotTaken('429')));
    expect(nextDueInMs).toBeGreaterThan(25_000);
    expect(await statuses()).toEqual(['waiting']);
    await db.pool.query('update notifications set due_at = now() where alert_id = $1', [alertId]);
    await run();
    expect(texts).toHaveLength(1);
    expect(await all('select status from texts order by created_at')).toEqual([
      { status: 'failed' },
      { status: 'sent' },
    ]);
  });

  it('but not for ever', async () => {
    await insertTextedAlert(db.pool);
    await db.pool.query("update notifications set created_at = now() - interval '2 hours'");
    await run(failing(new TextNotTaken('429')));
    expect(await statuses()).toEqual(['failed']);
  });
});

describe('what the provider tells later', () => {
  it('settles a text of unknown fate, once and in any order', async () => {
    await insertTextedAlert(db.pool);
    await run(failing(new Error('reset')));
    const [{ id }] = await all('select id from texts');
    const tell = (status: string, sid = 'SM1', error: string | null = null) =>
      recordDelivery(db.pool, { textId: id, sid, status, error });
    expect(await tell('delivered')).toBe(true);
    expect(await tell('sent')).toBe(true);
    expect(await tell('failed', 'SM1', '30003')).toBe(true);
    expect(await tell('delivered', 'SM2')).toBe(false);
    expect(await tell('made-up')).toBe(false);
    expect(await all('select status, sid, delivery, delivery_error from texts')).toEqual([
      { status: 'sent', sid: 'SM1', delivery: 'delivered', delivery_error: null },
    ]);
    expect(await statuses()).toEqual(['sent']);
  });
});
