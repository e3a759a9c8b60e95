import { describe, expect, it } from 'vitest';
import { onServerOf } from '../../../../test/everywhere.ts';
import { insertAlert } from '../../../../test/mail/mail-fixtures.ts';
import {
  failing,
  insertDueText,
  insertTexted,
  insertTextedAlert,
  PHONE,
  recordingTexter,
  setUpTexts,
  smsParts,
} from '../../../../test/texts/text-fixtures.ts';
import { segments } from '../../../messages/texts.ts';
import { type Texter, TextRefused } from '../../../vendors/texts/text.ts';
import { makeSmsEngine } from './sms.ts';
import { startTexts } from './stop-texts.ts';

const used = setUpTexts();
const { texts, all, run, statuses, stop } = used;

describe('a text', () => {
  it('names alert, car, price, place and link, and is recorded', async () => {
    const { alertId, listingId, notificationId, userId } = await insertTextedAlert(used.db.pool);
    expect(await run()).toEqual({ sent: 1, deferred: 0, failed: 0, dropped: 0, unknown: 0, nextInMs: null });
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

  it('is sent five minutes after the last one, with all matches since then, independently of mails', async () => {
    const { alertId } = await insertTextedAlert(used.db.pool, { last_mailed_at: new Date() });
    await run();
    await insertDueText(used.db.pool, alertId);
    await insertDueText(used.db.pool, alertId);
    const { nextInMs } = await run();
    expect(texts).toHaveLength(1);
    expect(nextInMs).toBeGreaterThan(295_000);
    await used.db.pool.query("update alerts set last_texted_at = now() - interval '5 minutes'");
    await used.db.pool.query('update notifications set due_at = now()');
    await run();
    expect(texts).toHaveLength(2);
    expect(texts[1]?.text).toContain('+1 more');
  });

  it.each([
    ['digest', "update alerts set delivery = 'daily'", "created_at = now() - interval '25 hours'"],
    [
      'summary',
      "update alerts set delivery = 'daily'",
      "created_at = now() - interval '25 hours', held_by = 'snoozed'",
    ],
    ['price_drop', 'select 1', "kind = 'price_drop'"],
  ])('has the kind %s as a mail of its cars has', async (kind, alert, notification) => {
    await insertTextedAlert(used.db.pool);
    await used.db.pool.query(alert);
    await used.db.pool.query(`update notifications set ${notification}`);
    await run();
    expect(texts.map((text) => text.kind)).toEqual([kind]);
    expect(await all('select kind from texts')).toEqual([{ kind }]);
  });

  it('states the price before a drop', async () => {
    const { alertId, listingId } = await insertTextedAlert(used.db.pool);
    await used.db.pool.query('insert into price_changes (listing_id, price) values ($1, 18000)', [listingId]);
    await used.db.pool.query("update notifications set kind = 'price_drop' where alert_id = $1", [alertId]);
    await run();
    expect(texts[0]?.text).toContain('$15,400, was $18,000');
  });

  it('does not affect the mails', async () => {
    const { alertId, listingId } = await insertTextedAlert(used.db.pool);
    await used.db.pool.query(
      'insert into notifications (user_id, alert_id, listing_id, due_at) select 0, $1, $2, now()',
      [alertId, listingId],
    );
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
    await insertTextedAlert(used.db.pool);
    await used.db.pool.query(change);
    expect(await run()).toMatchObject({ sent: 0, nextInMs: null });
    expect(await statuses()).toEqual(['dropped']);
    expect(texts).toEqual([]);
  });

  it('where texts are not set up', async () => {
    await insertTextedAlert(used.db.pool);
    await run(null);
    expect(await statuses()).toEqual(['waiting']);
    await used.db.pool.query(`update notifications set due_at = now() - interval '61 minutes'`);
    await run(null);
    expect(await statuses()).toEqual(['dropped']);
  });
});

describe('STOP', () => {
  it('drops queued texts, and START allows new ones', async () => {
    const { alertId } = await insertTextedAlert(used.db.pool);
    await insertDueText(used.db.pool, alertId);
    await stop();
    expect(await statuses()).toEqual(['dropped', 'dropped']);
    await stop();
    await startTexts(used.db.pool, PHONE);
    await run();
    expect(texts).toEqual([]);
    await insertDueText(used.db.pool, alertId);
    await run();
    expect(texts).toHaveLength(1);
  });

  it('is respected even if only the provider has received it', async () => {
    const { alertId } = await insertTextedAlert(used.db.pool);
    const other = await insertAlert(used.db.pool, (await all('select id from users'))[0].id, {
      text_notifications: true,
    });
    await run(failing(new TextRefused('21610', 'stopped')));
    await insertDueText(used.db.pool, alertId);
    await insertDueText(used.db.pool, other);
    await run();
    expect(await statuses()).toEqual(['failed', 'dropped', 'dropped']);
    expect(texts).toEqual([]);
  });

  it('during deliveries stops all texts except those that are being delivered already', async () => {
    const userId = await insertTexted(used.db.pool);
    for (let n = 0; n < 12; n += 1) {
      await insertDueText(used.db.pool, await insertAlert(used.db.pool, userId, { text_notifications: true }));
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

  it('waits for a running claim of the owner before it locks rows that the claim may need', async () => {
    const { userId } = await insertTextedAlert(used.db.pool);
    const claim = await used.db.pool.connect();
    await claim.query('begin');
    await onServerOf(claim, userId, 'select from users for no key update');
    const stopping = stop();
    await expect.poll(() => used.db.lockWaits()).toBe(1);
    await onServerOf(claim, userId, 'select from notifications for update nowait');
    await claim.query('commit');
    claim.release();
    await stopping;
    expect(await statuses()).toEqual(['dropped']);
  });
});

describe("the month's cap", () => {
  const fill = (userId: number, count: number, columns = '') =>
    used.db.pool.query(
      `insert into texts (id, kind, user_id, to_phone, status${columns ? ', created_at' : ''})
       select gen_random_uuid(), (array['match', 'price_drop', 'digest', 'summary', 'sold'])[1 + n % 5], $1, $2, 'sent'${columns}
         from generate_series(1, $3) n`,
      [userId, PHONE, count],
    );

  it('is not exceeded by parallel claims, and one mail informs the user', async () => {
    const userId = await insertTexted(used.db.pool);
    await fill(userId, 97);
    await fill(userId, 500, ", date_trunc('month', now(), 'UTC') - interval '1 second'");
    for (let n = 0; n < 16; n += 1) {
      await insertDueText(used.db.pool, await insertAlert(used.db.pool, userId, { text_notifications: true }));
    }
    const engines = Array.from({ length: 6 }, () => makeSmsEngine(smsParts(used.db, recordingTexter(texts))));
    for (let round = 0; round < 40; round += 1) {
      const results = await Promise.all(engines.map((engine) => engine.drain()));
      if (results.every(({ nextInMs }) => nextInMs === null)) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(texts).toHaveLength(3);
    const left = await statuses();
    expect(left.filter((status) => status === 'dropped')).toHaveLength(13);
    const mails = await all('select kind, data from mails');
    expect(mails).toEqual([
      { kind: 'text_cap', data: { cap: 100, resetsAt: expect.stringMatching(/-01T00:00:00.000Z$/) } },
    ]);
  });

  it('is larger on a larger plan, whose user is informed again', async () => {
    const { userId, alertId } = await insertTextedAlert(used.db.pool);
    await fill(userId, 100);
    await run();
    expect(texts).toEqual([]);
    await used.db.pool.query('update users set plan_id = 3');
    await insertDueText(used.db.pool, alertId);
    await run();
    expect(texts).toHaveLength(1);
    await fill(userId, 399);
    await used.db.pool.query('update alerts set last_texted_at = null');
    await insertDueText(used.db.pool, alertId);
    await run();
    expect(texts).toHaveLength(1);
    expect((await all("select data ->> 'cap' as cap from mails order by created_at")).map(({ cap }) => cap)).toEqual([
      '100',
      '500',
    ]);
  });

  it('does not count what the provider refused', async () => {
    const { userId, alertId } = await insertTextedAlert(used.db.pool);
    await fill(userId, 99);
    await run(failing(new TextRefused('no', 'other')));
    await used.db.pool.query('update alerts set last_texted_at = null');
    await insertDueText(used.db.pool, alertId);
    await run();
    expect(texts).toHaveLength(1);
  });
});
