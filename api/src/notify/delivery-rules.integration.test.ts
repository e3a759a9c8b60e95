import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { changeEverywhere } from '../../test/everywhere.ts';
import {
  alertsOf,
  emailParts,
  insertDueMatch,
  insertListing,
  insertMatch,
  insertPlan,
  recordingMailer,
  sendDueMails,
  setUpMails,
} from '../../test/mail/mail-fixtures.ts';
import { disableOldTriggers } from '../../test/schema/triggers.ts';
import { matchCountText } from '../domain/match-cap.ts';
import { claimAlerts } from './channels/email/claim-mails.ts';
import { releaseAlerts, releaseUser } from './release-waiting.ts';

const { db, all } = setUpMails(async () => {
  await insertPlan(db.pool);
  await disableOldTriggers(db.pool);
});

const HOUR = 3_600_000;
const allDay = { from: '00:00', to: '00:00', days: [0, 1, 2, 3, 4, 5, 6].filter((day) => day !== dayIn(3)) };

function dayIn(days: number): number {
  return Temporal.Now.zonedDateTimeISO('America/Los_Angeles').add({ days }).dayOfWeek % 7;
}

const later = (ms: number) => new Date(Date.now() + ms);
const held = () => all('select status, held_by as "heldBy", due_at > now() as waits from notifications order by id');

async function send() {
  const mailer = recordingMailer();
  await sendDueMails(emailParts(db, mailer));
  return mailer.mails.map(({ kind, notificationIds }) => ({ kind, cars: notificationIds.length }));
}

describe('a match waits and nothing is lost', () => {
  it.each([
    ['quiet_hours', { quiet_hours: JSON.stringify(allDay) }, {}, { quiet_hours: null }],
    ['snoozed', { snoozed_until: later(24 * HOUR) }, {}, { snoozed_until: null }],
    ['paused', {}, { messages_paused_at: new Date() }, {}],
  ])('%s, until the rule ends and one summary leaves', async (heldBy, alert, user, ended) => {
    const { userId, alertId } = await insertDueMatch(db.pool, alert, user);
    expect(await send()).toEqual([]);
    await insertMatch(db.pool, alertId, await insertListing(db.pool));
    expect(await send()).toEqual([]);
    expect(await held()).toEqual(Array.from({ length: 2 }, () => ({ status: 'waiting', heldBy, waits: true })));

    for (const column of Object.keys(ended))
      await db.pool.query(`update alerts set ${column} = null where id = $1`, [alertId]);
    await db.pool.query('update users set messages_paused_at = null where id = $1', [userId]);
    await releaseUser(db.pool, userId);
    expect(await send()).toEqual([{ kind: 'summary', cars: 2 }]);
  });
});

it('a daily digest waits for its hour, and leaves as one mail at another hour that has come', async () => {
  const hour = (ms: number) =>
    Temporal.Now.instant().add({ milliseconds: ms }).toZonedDateTimeISO('America/Los_Angeles').hour;
  const { alertId } = await insertDueMatch(db.pool, { delivery: 'daily', digest_hour: hour(2 * HOUR) });
  await insertMatch(db.pool, alertId, await insertListing(db.pool));
  expect(await send()).toEqual([]);
  expect(await held()).toMatchObject([{ heldBy: 'digest' }, { heldBy: 'digest' }]);
  await changeEverywhere(db, `update notifications set created_at = created_at - interval '1 day'`);
  await releaseAlerts(db.pool, await alertsOf(db.pool, alertId));
  expect(await send()).toEqual([{ kind: 'digest', cars: 2 }]);
});

const busy = () => recordingMailer(() => Promise.reject(new Error('busy')));
const hourIn = (hours: number) => Temporal.Now.zonedDateTimeISO('America/Los_Angeles').add({ hours }).hour;
async function change(alertId: number, rule: Record<string, unknown>): Promise<void> {
  for (const [column, value] of Object.entries(rule))
    await db.pool.query(`update alerts set ${column} = $2 where id = $1`, [alertId, value]);
  await releaseAlerts(db.pool, await alertsOf(db.pool, alertId));
}

describe('a mail that waits for its next try', () => {
  it.each([
    ['snoozed', { snoozed_until: later(HOUR) }, { snoozed_until: null }, 'summary'],
    ['made a daily digest', { delivery: 'daily', digest_hour: hourIn(4) }, { delivery: 'instant' }, 'digest'],
  ])('is held when its alert is %s meanwhile', async (_what, rule, ended, kind) => {
    const { alertId } = await insertDueMatch(db.pool);
    await sendDueMails(emailParts(db, busy()));
    await change(alertId, rule);
    expect(await send()).toEqual([]);
    expect(
      await all(
        `select attempts - attempts_before as tries, next_try_at > now() + interval '50 minutes' as waits from mails`,
      ),
    ).toEqual([{ tries: 0, waits: true }]);
    await change(alertId, ended);
    expect(await send()).toEqual([{ kind, cars: 1 }]);
  });

  it('leaves as a digest at the hour of the digest, and goes on to be tried after it', async () => {
    const { alertId } = await insertDueMatch(db.pool);
    await sendDueMails(emailParts(db, busy()));
    await change(alertId, { delivery: 'daily', digest_hour: hourIn(4) });
    await send();
    const [{ due }] = await all('select next_try_at as due from mails');
    expect(Temporal.Instant.from(due.toISOString()).toZonedDateTimeISO('America/Los_Angeles').hour).toBe(hourIn(4));
    // The hour comes, as its match was found a day earlier.
    await changeEverywhere(db, `update notifications set created_at = created_at - interval '1 day'`);
    await db.pool.query('update mails set next_try_at = now()');
    await sendDueMails(emailParts(db, busy()));
    await db.pool.query('update mails set next_try_at = now()');
    expect(await send()).toEqual([{ kind: 'digest', cars: 1 }]);
  });

  it('leaves when the hour of the digest becomes one that has come since its first match', async () => {
    const { alertId } = await insertDueMatch(db.pool, { delivery: 'daily', digest_hour: hourIn(4) });
    await changeEverywhere(db, `update notifications set created_at = created_at - interval '1 day'`);
    await sendDueMails(emailParts(db, busy()));
    await db.pool.query(`update notifications set created_at = now() - interval '2 hours'`);
    await change(alertId, { digest_hour: hourIn(6) });
    expect(await send()).toEqual([]);
    await change(alertId, { digest_hour: hourIn(0) });
    expect(await send()).toEqual([{ kind: 'digest', cars: 1 }]);
  });
});

it('matches of a claimed mail that was not tried yet wait again, and leave in one message with what else waits', async () => {
  const { alertId } = await insertDueMatch(db.pool);
  const throttles = () =>
    all(
      'select t.alert_id as id, t.last_mailed_at = a.last_mailed_at as same from alert_throttles t join alerts a using (user_id)',
    );
  await claimAlerts(db.pool, await alertsOf(db.pool, alertId), true);
  expect(await throttles()).toEqual([{ id: alertId, same: true }]);
  await db.pool.query(`update mails set status = 'waiting', attempts = 0`);
  await change(alertId, { snoozed_until: later(HOUR) });
  expect(await send()).toEqual([]);
  expect([await all('select id from mails'), await throttles()]).toEqual([[], []]);
  expect(await held()).toEqual([{ status: 'waiting', heldBy: 'snoozed', waits: true }]);
  await insertMatch(db.pool, alertId, await insertListing(db.pool));
  await change(alertId, { snoozed_until: null });
  expect(await send()).toEqual([{ kind: 'summary', cars: 2 }]);
});

it('what exceeds the mails of a day waits for the hour of the digest', async () => {
  const { alertId } = await insertDueMatch(db.pool, { max_mails_per_day: 1 });
  expect(await send()).toEqual([{ kind: 'match', cars: 1 }]);
  await db.pool.query(`update alerts set last_mailed_at = now() - interval '6 minutes'`);
  await insertMatch(db.pool, alertId, await insertListing(db.pool));
  expect(await send()).toEqual([]);
  expect(await held()).toMatchObject([{ status: 'sent' }, { status: 'waiting', heldBy: 'daily_limit', waits: true }]);
});

it.each([21, 1_200])('%i cars at once become one digest that shows twenty', async (cars) => {
  const { alertId, listingId } = await insertDueMatch(db.pool);
  await db.pool.query(
    `with more as (
       insert into listings (source, external_id, title, make, model, year, price, lat, lng, status, image_url, images, facts_hash, pending_match)
       select source, 'flood-' || at, title, make, model, year, price, lat, lng, status, image_url, images, facts_hash, false
         from listings, generate_series(2, $2::int) at where id = $1 returning id
     ), matched as (
       insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, price, announced)
       select more.id, a.id, a.user_id, 1, 8.8, 15400, true from more, alerts a where a.id = $3
     )
     insert into notifications (user_id, alert_id, listing_id, created_at, due_at)
     select a.user_id, a.id, more.id, now() - interval '3 seconds', now() - interval '3 seconds'
       from more, alerts a where a.id = $3`,
    [listingId, cars, alertId],
  );
  const mailer = recordingMailer();
  await sendDueMails(emailParts(db, mailer));
  expect(mailer.mails.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
    `digest ${matchCountText(cars)} new matches: Toyota Camry`,
  ]);
  const [mail] = mailer.mails;
  expect(new Set(mail?.matchIds).size).toBe(cars);
  expect(mail?.html.match(/View on Marketplace/g)).toHaveLength(20);
});
