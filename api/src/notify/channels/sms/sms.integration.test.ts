import { describe, expect, it } from 'vitest';
import { setUpTexts } from '../../../../test/texts/set-up-texts.ts';
import { insertDueText, insertTextedAlert, PHONE } from '../../../../test/texts/text-fixtures.ts';
import { segments } from '../../../messages/texts.ts';

const used = setUpTexts();
const { texts, all, run, statuses } = used;

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

  it('collects for five minutes after the last one, apart from the mails', async () => {
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

  it('tells what a price was', async () => {
    const { alertId, listingId } = await insertTextedAlert(used.db.pool);
    await used.db.pool.query('insert into price_changes (listing_id, price) values ($1, 18000)', [listingId]);
    await used.db.pool.query("update notifications set kind = 'price_drop' where alert_id = $1", [alertId]);
    await run();
    expect(texts[0]?.text).toContain('$15,400, was $18,000');
  });

  it('leaves the mails alone', async () => {
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
