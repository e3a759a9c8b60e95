import { expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { insertDueMatch, insertPlan } from '../../test/mail/mail-fixtures.ts';
import { makeSiteReader } from './site-reader.ts';

const db = setUpDatabase(() => insertPlan(db.pool));
const settings = {
  testMode: false,
  confirmEmail: false,
  supportEmail: 'help@example.com',
  marketplaceHome: 'https://example.com',
  checkEverySeconds: 60,
};

/** A match that was mailed so many seconds after its listing was seen. */
async function insertMailed(seconds: number, more: Record<string, unknown> = {}): Promise<void> {
  const { notificationId, listingId, userId } = await insertDueMatch(db.pool);
  await db.pool.query("update listings set seen_at = now() - $2 * interval '1 s' where id = $1", [listingId, seconds]);
  const [mail] = await db.rows(
    `insert into mails (kind, user_id, to_address, status, sent_at) values ('match', $1, 'a@example.com', 'sent', now())
     returning id`,
    [userId],
  );
  await db.pool.query("update notifications set mail_id = $2, status = 'sent' where id = $1", [
    notificationId,
    mail.id,
  ]);
  for (const [column, value] of Object.entries(more))
    await db.pool.query(`update notifications set ${column} = $2 where id = $1`, [notificationId, value]);
}

it('the median to a mail leaves out what a rule of its reader held, price drops, and what was sent again', async () => {
  expect((await makeSiteReader(db.pool, settings).figures()).medianSecondsToMail).toBeNull();
  for (const seconds of [2, 4, 90]) await insertMailed(seconds);
  for (const rule of ['digest', 'quiet_hours', 'snooze', 'interval']) await insertMailed(7_000, { held_by: rule });
  await insertMailed(500_000, { kind: 'price_drop' });
  await insertMailed(500_000, { resent: true });
  const { medianSecondsToMail } = await makeSiteReader(db.pool, settings).figures();
  expect(medianSecondsToMail).toBeGreaterThanOrEqual(4);
  expect(medianSecondsToMail).toBeLessThan(60);
});
