import { afterEach, beforeEach, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { emailParts, recordingMailer, sendDueMails } from '../../test/mail/mail-fixtures.ts';
import { changeAlerts } from '../../test/matching/change-alerts.ts';
import { changeListings, endListings } from '../../test/matching/listing-marks.ts';
import { camry, camryAlert, insertAlerts, insertListings, insertUsers } from '../../test/matching/match-rows.ts';
import { failing, PHONE, recordingTexter, smsParts } from '../../test/texts/text-fixtures.ts';
import { matchPendingAlerts } from '../matching/match-alerts.ts';
import { matchPendingListings } from '../matching/match-listings.ts';
import { makeSmsEngine } from '../notify/channels/sms/sms.ts';
import { MailDelayed } from '../vendors/mail.ts';
import { type OutgoingText, type Texter, TextNotAccepted } from '../vendors/texts/text.ts';

let userId: number;
let alertId: number;
let listingId: number;

const db = setUpDatabase(async () => {
  [userId = 0] = await insertUsers(db.pool);
});
beforeEach(async () => {
  [alertId = 0] = await insertAlerts(db.pool, userId, [camryAlert]);
  [listingId = 0] = await insertListings(db.pool, [camry]);
  await match();
});
afterEach(async () => {
  await db.pool.query(
    'truncate alerts, alert_cells, alert_throttles, listings, listings_to_match, matches, notifications, mails cascade',
  );
});

async function match(): Promise<void> {
  while ((await matchPendingListings(db.pool)) > 0);
  while ((await matchPendingAlerts(db.pool)) > 0);
}

/** Changes the listing as a later read of its source would, and matches it. */
async function change(columns: string): Promise<void> {
  await changeListings(db.pool, columns);
  await endListings(db.pool, "status <> 'for_sale'");
  await match();
}

const makeDue = () =>
  db.pool.query(
    `update notifications set due_at = now(), created_at = now() - interval '1 minute' where status = 'waiting'`,
  );

/** Makes the waiting notifications due and delivers them. */
async function send(): Promise<string[]> {
  const mailer = recordingMailer();
  await makeDue();
  await sendDueMails(emailParts(db, mailer, { confirmEmail: false }));
  return mailer.mails.flatMap(({ matchIds }) => matchIds);
}

it.each([
  ['fits again', 'price = 30000', 'price = 10000'],
  ['is for sale again', "status = 'pending'", "status = 'for_sale'"],
])('announces a car that %s when it was not announced before', async (_name, away, back) => {
  await change(away);
  expect(await send()).toEqual([]);
  await change(back);
  expect(await send()).toEqual([`${listingId}:${alertId}`]);
  await change('price = 30000');
  await change('price = 10000');
  expect(await send()).toEqual([]);
  const rows = await db.rows('select kind, status from notifications order by id');
  expect(rows).toEqual([
    { kind: 'match', status: 'dropped' },
    { kind: 'match', status: 'sent' },
  ]);
});

it('does not announce a car again whose mail may have been delivered', async () => {
  const failing = recordingMailer(() => Promise.reject(new MailDelayed('broken', 0)));
  await db.pool.query("update notifications set due_at = now(), created_at = now() - interval '1 minute'");
  await sendDueMails(emailParts(db, failing, { confirmEmail: false }));
  await change('price = 30000');
  await db.pool.query('update mails set next_try_at = now()');
  expect(await send()).toEqual([]);
  await change('price = 10000');
  await db.pool.query('update alerts set last_mailed_at = null');
  expect(await send()).toEqual([]);
  expect(await db.rows('select status from notifications')).toEqual([{ status: 'dropped' }]);
});

it.each([
  ['the provider did not accept it', new TextNotAccepted('429'), ['dropped', 'sent']],
  ['its text may have left', new Error('timeout of 15000ms exceeded'), ['unknown']],
])('by text, where %s and the car left the range for a while', async (_name, error, expected) => {
  await db.pool.query('update users set phone = $1, phone_confirmed_at = now()', [PHONE]);
  await changeAlerts(db, 'text_notifications = true, email_notifications = false');
  await db.pool.query("update notifications set channel = 'sms'");
  const text = async (texter: Texter) => {
    await makeDue();
    await makeSmsEngine(smsParts(db, texter)).drain();
  };
  const sent: OutgoingText[] = [];
  await text(failing(error));
  await change('price = 30000');
  await text(recordingTexter(sent));
  expect(sent).toEqual([]);
  await change('price = 10000');
  await text(recordingTexter(sent));
  const rows = await db.rows('select kind, status from notifications order by id');
  expect(rows).toEqual(expected.map((status) => ({ kind: 'match', status })));
});

it('only shows the matches of an alert that was inactive', async () => {
  await changeAlerts(db, 'is_active = false');
  expect(await send()).toEqual([]);
  await changeAlerts(db, 'is_active = true, pending_match = true');
  await match();
  await change('price = 9900');
  expect(await send()).toEqual([]);
});

it('defers a notification that does not fit while its listing waits to be matched', async () => {
  await change('price = 30000');
  await changeListings(db.pool, 'price = 10000');
  expect(await send()).toEqual([]);
  await match();
  expect(await send()).toEqual([`${listingId}:${alertId}`]);
});

it('defers a notification that does not fit while its listing is being changed', async () => {
  await change('price = 30000');
  const client = await db.pool.connect();
  try {
    await client.query('begin');
    await changeListings(client, 'price = 10000');
    expect(await send()).toEqual([]);
    await client.query('commit');
  } finally {
    client.release();
  }
  await match();
  expect(await send()).toEqual([`${listingId}:${alertId}`]);
});
