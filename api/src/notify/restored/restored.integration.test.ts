import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  copyTestDatabase,
  makeTestDatabase,
  onCluster,
  openDatabase,
  type TestDatabase,
} from '../../../test/database.ts';
import { buildFacts, storePage } from '../../../test/factories.ts';
import { emailParts, recordingMailer, sendDueMails } from '../../../test/mail/mail-fixtures.ts';
import { makeTestApi, type TestApi } from '../../../test/make-app.ts';
import { disableOldTriggers } from '../../../test/schema/triggers.ts';
import {
  deliverAll,
  LOCAL_WEBHOOKS,
  type MadeWebhook,
  makeDealer,
  makeTestEngine,
  makeWebhook,
  matchAndMakeEvents,
} from '../../../test/webhooks/dealer.ts';
import { seedAdmin } from '../../accounts/seed-admin.ts';
import { inTransaction } from '../../base/database.ts';
import { seedPlans } from '../../billing/plans.ts';
import { NOBODY } from '../../domain/mail-kinds.ts';
import { enqueueReminders } from '../enqueue-reminders.ts';
import { markRestored } from './mark-restored.ts';
import { readLost } from './read-lost.ts';
import { readLostMessages, readRestore, readRestoredWaiting, releaseHeld } from './restored-messages.ts';

/** The database that was lost, and the one that was restored to a moment before. */
let lostDb: TestDatabase;
let db: TestDatabase;
let api: TestApi;
let made: MadeWebhook;
let alertId: number;
let restoredTo: Date;

/** Stores cars of these names as their source shows them, and matches them. */
async function list(target: TestDatabase, ...names: string[]): Promise<void> {
  const cars = names.map((name, at) =>
    buildFacts({ externalId: name, title: `2018 Toyota Camry ${name}`, price: 15_000 + at }),
  );
  await storePage(target.pool, 'lot', cars);
  await matchAndMakeEvents({ ...api, db: target });
}

/** Ends the delays between the messages of an alert, so that everything is due. */
async function makeDue({ pool }: TestDatabase): Promise<void> {
  await pool.query('update alerts set last_mailed_at = null');
  await pool.query(
    "update notifications set due_at = now(), created_at = now() - interval '3 seconds' where status = 'waiting'",
  );
}

/** Sends what is due by mail and to webhooks. @returns the titles of the cars in the mails */
async function send(target: TestDatabase): Promise<string[]> {
  const mailer = recordingMailer();
  await makeDue(target);
  await sendDueMails(emailParts(target, mailer, { confirmEmail: false }));
  await deliverAll(makeTestEngine({ ...api, db: target }));
  return mailer.mails
    .flatMap(({ text }) => [...text.matchAll(/Toyota Camry (car-\w+)/g)].map(([, name = '']) => name))
    .sort();
}

/** As if a channel that this test has no vendor for had sent what waits. */
async function sendAs(target: TestDatabase, channel: 'sms' | 'push'): Promise<void> {
  const id = randomUUID();
  const { userId } = await target.row('select user_id as "userId" from alerts where id = $1', [alertId]);
  if (channel === 'sms')
    await target.rows(
      `insert into texts (id, kind, user_id, alert_id, to_phone, status, segments, sent_at)
       values ($1, 'match', $2, $3, '+15125550100', 'sent', 1, now())`,
      [id, userId, alertId],
    );
  else
    await target.rows(
      `insert into pushes (id, user_id, alert_id, kind, devices, status, next_try_at, sent_at)
       values ($1, $2, $3, 'match', '{1}', 'sent', now(), now())`,
      [id, userId, alertId],
    );
  await target.rows(
    `update notifications set status = 'sent', settled_at = now(), ${channel === 'sms' ? 'text_id' : 'push_id'} = $1
      where status = 'waiting' and channel = $2`,
    [id, channel],
  );
}

const posted = (): string[] =>
  made.receiver.seen.map(({ data }) => data.listing.title.replace('2018 Toyota Camry ', '')).sort();
const unsent = (target: TestDatabase, channel: string) =>
  target.rows(
    `select l.external_id as car, n.status from notifications n join listings l on l.id = n.listing_id
      where n.channel = $1 and n.status <> 'sent' order by 1`,
    [channel],
  );

beforeAll(async () => {
  lostDb = await makeTestDatabase();
  const { url } = lostDb;
  await seedPlans(lostDb.pool);
  await seedAdmin(lostDb.pool, 'password-of-the-tests');
  api = await makeTestApi({ db: lostDb, env: LOCAL_WEBHOOKS });
  const dealer = await makeDealer(api);
  ({ alertId } = dealer);
  made = await makeWebhook(dealer, ['match.created']);
  await lostDb.rows(
    "update users set phone = '+15125550100', phone_confirmed_at = now(), email_confirmed_at = now() where id = $1",
    [dealer.id],
  );
  await lostDb.rows(
    "insert into push_subscriptions (user_id, endpoint, p256dh, auth) values ($1, 'https://push.example/1', 'x', 'x')",
    [dealer.id],
  );
  await lostDb.rows('update alerts set text_notifications = true, push_notifications = true where id = $1', [alertId]);

  await list(lostDb, 'car-sent');
  await send(lostDb);
  await list(lostDb, 'car-waits');
  restoredTo = (await lostDb.row('select clock_timestamp() as at')).at;
  await api.close();
  await lostDb.close();
  db = await copyTestDatabase(url);
  await disableOldTriggers(db.pool);
  lostDb = await openDatabase(url);
});
afterAll(async () => {
  made.receiver.close();
  await lostDb.close();
  await db.close();
});

// The command that marks a restored database refuses distributed tables.
it.skipIf(onCluster)(
  'holds a restored database, and sends nothing twice and everything that was not sent',
  async () => {
    // The interval that is lost: one message waits from before, one is made and sent, one is made and not sent.
    await list(lostDb, 'car-made');
    expect(await send(lostDb)).toEqual(['car-made', 'car-waits']);
    await sendAs(lostDb, 'sms');
    await sendAs(lostDb, 'push');
    await lostDb.rows("update alerts set expires_at = now() + interval '2 days'");
    await enqueueReminders(lostDb.pool, false);
    await lostDb.rows("update mails set status = 'sent', sent_at = now() where kind = 'reminder'");
    await lostDb.rows("insert into text_stops (phone) values ('+15125550199')");
    await list(lostDb, 'car-unsent');
    const before = posted();
    expect(before).toEqual(['car-made', 'car-sent', 'car-waits']);

    const lost = await readLost(lostDb.pool, restoredTo);
    const marked = await markRestored(db.pool, { restoredTo, lost, isComplete: true });
    expect(marked).toMatchObject({ erased: [] });
    const throttled =
      'select id, last_mailed_at from alerts union select alert_id, last_mailed_at from alert_throttles';
    expect(await db.rows(throttled)).toEqual([{ id: alertId, last_mailed_at: expect.any(Date) }]);

    // The sources show the same cars again, and one more.
    await db.rows("update alerts set expires_at = now() + interval '2 days'");
    await enqueueReminders(db.pool, false);
    await list(db, 'car-made', 'car-unsent', 'car-new');
    expect([await send(db), posted()]).toEqual([[], before]);
    expect(await readRestore(db.pool)).toMatchObject({ isComplete: true, held: ['email', 'sms', 'push', 'webhook'] });
    const told = await readLostMessages(db.pool, {}, 100);
    expect(
      told.filter(({ channel }) => channel === 'email').map(({ kind, car, status }) => [kind, car, status]),
    ).toEqual([
      ['match', 'lot/car-waits', 'sent'],
      ['match', 'lot/car-made', 'sent'],
      ['reminder', null, 'sent'],
    ]);
    const waits = await readRestoredWaiting(db.pool, { alertId }, 100);
    expect(waits.map(({ channel, messages }) => [channel, messages]).sort()).toEqual([
      ['email', 2],
      ['push', 2],
      ['sms', 2],
      ['webhook', 2],
    ]);
    expect(await db.rows("select count(*)::int4 as reminders from mails where kind = 'reminder'")).toEqual([
      { reminders: 1 },
    ]);
    expect(await db.rows('select phone from text_stops')).toEqual([{ phone: '+15125550199' }]);
    // A page still counts all cars, and no id of the lost interval is given out again.
    expect(await db.rows('select count(*)::int4 as cars from matches')).toEqual([{ cars: 5 }]);
    const newest = await lostDb.row('select max(id)::int4 as id from listings');
    expect((await db.row("select id::int4 from listings where external_id = 'car-new'")).id).toBeGreaterThan(newest.id);

    await inTransaction(db.pool, (client) => releaseHeld(client, undefined));
    // What a process has read of the hold is valid for a second.
    await expect.poll(() => send(db), { timeout: 5_000 }).toEqual(['car-new', 'car-unsent']);
    expect(posted()).toEqual([...before, 'car-new', 'car-unsent'].sort());
    for (const channel of ['sms', 'push'])
      expect(await unsent(db, channel)).toEqual([
        { car: 'car-new', status: 'waiting' },
        { car: 'car-unsent', status: 'waiting' },
      ]);
  },
);

it.skipIf(onCluster)('takes messages of a server from before 0 was nobody', async () => {
  const message = { channel: 'email', kind: 'contact', status: 'sent', user_id: null, sent_at: restoredTo };
  const lost = { ...(await readLost(lostDb.pool, new Date())), messages: [message] };
  const { id } = await markRestored(db.pool, { restoredTo, lost, isComplete: true });
  expect(await db.rows('select kind, user_id as "userId" from lost_messages where restore_id = $1', [id])).toEqual([
    { kind: 'contact', userId: NOBODY },
  ]);
});
