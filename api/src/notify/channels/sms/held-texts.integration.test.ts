import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { alertsOf } from '../../../../test/mail/mail-fixtures.ts';
import { insertDueText, insertTextedAlert, setUpTexts } from '../../../../test/texts/text-fixtures.ts';
import { releaseAlerts, releaseUser } from '../../release-waiting.ts';

const { db, texts, run, all, statuses, stop } = setUpTexts();

const days = [0, 1, 2, 3, 4, 5, 6];

/** Quiet hours that began two hours ago, in the time zone of the buyer. */
function quietNow() {
  const now = Temporal.Now.zonedDateTimeISO('America/Los_Angeles');
  const hour = (hours: number) => `${String(now.add({ hours }).hour).padStart(2, '0')}:00`;
  return JSON.stringify({ from: hour(-2), to: hour(3), days });
}

const held = () => all('select status, held_by as "heldBy", due_at > now() as waits from notifications order by id');

async function end(alertId: number, column: string): Promise<void> {
  await db.pool.query(`update alerts set ${column} = null where id = $1`, [alertId]);
  await releaseAlerts(db.pool, await alertsOf(db.pool, alertId));
}

it.each([
  ['quiet_hours', 'quiet_hours', quietNow()],
  ['snoozed', 'snoozed_until', new Date(Date.now() + 86_400_000)],
])('texts held by %s leave as one when that ends', async (heldBy, column, value) => {
  const { alertId } = await insertTextedAlert(db.pool, { [column]: value });
  await run();
  await insertDueText(db.pool, alertId);
  await run();
  expect(texts).toEqual([]);
  expect(await held()).toEqual(Array.from({ length: 2 }, () => ({ status: 'waiting', heldBy, waits: true })));
  await end(alertId, column);
  await run();
  expect(texts.map(({ kind, notificationIds }) => [kind, notificationIds.length])).toEqual([['summary', 2]]);
  expect(await statuses()).toEqual(['sent', 'sent']);
});

it('texts held by a pause leave when messages are resumed', async () => {
  const { userId } = await insertTextedAlert(db.pool, {}, { messages_paused_at: new Date() });
  await run();
  expect(await held()).toEqual([{ status: 'waiting', heldBy: 'paused', waits: true }]);
  await db.pool.query('update users set messages_paused_at = null where id = $1', [userId]);
  await releaseUser(db.pool, userId);
  await run();
  expect(texts).toHaveLength(1);
});

it('a limit of mails a day does not hold texts', async () => {
  const { alertId } = await insertTextedAlert(db.pool, { max_mails_per_day: 1 });
  await run();
  await db.pool.query(`update alerts set last_texted_at = now() - interval '6 minutes'`);
  await insertDueText(db.pool, alertId);
  await run();
  expect(texts).toHaveLength(2);
});

it('STOP drops at once what quiet hours held', async () => {
  const { alertId } = await insertTextedAlert(db.pool, { quiet_hours: quietNow() });
  await run();
  await stop();
  expect(await statuses()).toEqual(['dropped']);
  await end(alertId, 'quiet_hours');
  await run();
  expect(texts).toEqual([]);
});
