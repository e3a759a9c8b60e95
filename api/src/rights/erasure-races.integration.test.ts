import { expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../test/browser.ts';
import { storeCars } from '../../test/factories.ts';
import { setUpApi } from '../../test/make-app.ts';
import { numberedRows } from '../../test/rights/database-texts.ts';
import { disableOldTriggers } from '../../test/schema/triggers.ts';
import { inTransaction } from '../base/database.ts';
import { silentLog } from '../base/log.ts';
import { makeKeyUsage } from '../keys/key-usage.ts';
import { markListingViewed } from '../listings/listing-for-buyer.ts';
import { noteOnListing } from '../listings/listing-notes.ts';
import { saveListing } from '../listings/saved-listings.ts';
import { shareListings } from '../listings/shared-links.ts';
import { matchPendingAlerts } from '../matching/match-alerts.ts';
import { matchPendingListings } from '../matching/match-listings.ts';
import { enqueueMail } from '../notify/enqueue-mail.ts';
import { enqueueExpiryMails } from '../notify/enqueue-reminders.ts';
import { addEvents } from '../webhooks/events/stored-events.ts';
import type { WebhookDeps } from '../webhooks/manage/change-webhook.ts';
import { sendTestEvent } from '../webhooks/manage/send-again.ts';
import { executeDeletion } from './erase-person.ts';

let people = 0;
const api = setUpApi({}, async () => {
  await api.db.pool.query('update plans set alert_limit = 10 where id = 1');
  await disableOldTriggers(api.db.pool);
});
/** Makes a user with an alert and an approved request. */
async function leaver(): Promise<{ id: number; name: string; browser: Browser; alertId: number }> {
  const name = `leaver${++people}`;
  const { browser, id } = await api.user(name);
  const alertId = await browser.createAlert();
  await browser.gql('mutation { requestDeletion(reason: "x") { id } }');
  await api.db.pool.query(`update deletion_requests set status = 'approved' where user_id = $1`, [id]);
  return { id, name, browser, alertId };
}

const parts = () => ({ pool: api.db.pool, limits: { keysOf: () => [] } });
const erase = (id: number) => executeDeletion(parts(), { id: 1 }, id);
const left = async (id: number, alertId: number) => {
  const rows = await numberedRows(api.db.pool, id, [alertId]);
  const { rowCount } = await api.db.pool.query("select from session where sess ->> 'userId' = $1", [String(id)]);
  return { ...rows, sessions: rowCount };
};
const nothing = { deletion_requests: 1, sessions: 0 };

it('leaves no row of anything that its user and the worker do concurrently', async () => {
  for (let round = 0; round < 6; round += 1) {
    const { id, name, browser, alertId } = await leaver();
    const { pool } = api.db;
    await storeCars(pool, [{}, {}, {}]);
    const [listingId] = await storeCars(pool, [{}]);
    const acts = [
      () => matchPendingListings(pool),
      () => matchPendingAlerts(pool),
      () => browser.createAlert(),
      () => browser.gql('mutation ($id: ID!) { markListingViewed(id: $id) { id } }', { id: String(listingId) }),
      () => browser.gql('mutation ($id: ID!) { saveListing(id: $id, saved: true) { id } }', { id: String(listingId) }),
      () =>
        browser.gql('mutation ($id: ID!) { sendTestNotification(alertId: $id) { message } }', { id: String(alertId) }),
      () => makeBrowser(api.url).login(name),
      () =>
        browser.gql('mutation ($id: ID!) { updateAlert(id: $id, input: {radius: 25}) { id } }', {
          id: String(alertId),
        }),
      () => markListingViewed(pool, id, listingId ?? 0),
      () => browser.gql('mutation { requestDeletion(reason: "again") { id } }'),
      () => browser.gql('mutation { exportMyData }'),
    ];
    const erasing = new Promise((resolve) => setTimeout(resolve, round * 4)).then(() => erase(id));
    await Promise.allSettled([erasing, ...acts.map((act) => act())]);
    await expect(erasing).resolves.toContain(`deleted user ${id}`);
    await matchPendingListings(pool);
    await matchPendingAlerts(pool);
    expect(await left(id, alertId)).toEqual(nothing);
  }
});

it('waits for a mail, a view and a session that are being written, and erases them too', async () => {
  const { id, alertId } = await leaver();
  let erasing: Promise<string> | undefined;
  await inTransaction(api.db.pool, async (client) => {
    await enqueueMail(client, { kind: 'confirm', userId: id, to: 'late@example.test' });
    await markListingViewed(client, id, 1);
    await client.query(
      `insert into session (sid, sess, expire) values ($1, json_build_object('userId', $2::int8), now())`,
      [`late-${id}`, id],
    );
    erasing = erase(id);
    const { rows } = await client.query('select count(*) as users from users where id = $1', [id]);
    expect(rows).toEqual([{ users: 1 }]);
  });
  await erasing;
  expect(await left(id, alertId)).toEqual(nothing);
});

it('refuses the writes that waited for it', async () => {
  const { id, alertId } = await leaver();
  const { pool } = api.db;
  await pool.query(`update alerts set expires_at = now() - interval '1 minute' where id = $1`, [alertId]);
  await pool.query('update users set plan_id = 4 where id = $1', [id]);
  const { id: webhookId } = await api.db.row(
    `insert into webhooks (user_id, url, events, secret_ciphertext) values ($1, 'https://x.example', '{match.created}', 'x') returning id`,
    [id],
  );
  await pool.query("insert into listing_notes (user_id, listing_id, note) values ($1, 9, 'of one that leaves')", [id]);
  const buyer = { userId: id, listingId: 1, isMatch: true };
  const usage = makeKeyUsage(pool, silentLog);
  usage.count({ id: 1, userId: id }, true);
  const event = { userId: id, type: 'match.created', subject: 'late', at: new Date(), data: {} };
  let late: Promise<PromiseSettledResult<unknown>[]> | undefined;
  await inTransaction(pool, async (client) => {
    // As an erasure does: on a cluster the account is locked at the coordinator, and where its rows are.
    for (const name of ['lock-person', 'lock-account-with-its-rows'])
      await client.query(`/* ${name} */ select from users where id = $1 for update`, [id]);
    // These have read the user, and now wait for its row.
    late = Promise.allSettled([
      enqueueMail(pool, { kind: 'confirm', userId: id, to: 'late@example.test' }),
      enqueueExpiryMails(pool, [{ id: alertId, userId: id }], false),
      markListingViewed(pool, id, 1),
      saveListing(pool, buyer, true),
      noteOnListing(pool, buyer, 'late'),
      shareListings(pool, { userId: id, listingIds: [1] }),
      inTransaction(pool, (db) => addEvents(db, [event])),
      sendTestEvent({ pool } as WebhookDeps, { id }, webhookId),
      usage.flush(),
      pool.query(`insert into session (sid, sess, expire) values ($1, json_build_object('userId', $2::int8), now())`, [
        `later-${id}`,
        id,
      ]),
    ]);
    for (const table of ['session', 'mails', 'alerts', 'alert_cells', 'listing_notes', 'webhooks']) {
      const whose = table === 'session' ? `sess ->> 'userId' = '${id}'` : `user_id = ${id}`;
      await client.query(`delete from ${table} where ${whose}`);
    }
    await expect.poll(() => api.db.lockWaits()).toBeGreaterThanOrEqual(10);
    await client.query('delete from users where id = $1', [id]);
  });
  const refused = (await late)?.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  expect(refused).toEqual(Array(4).fill('UNAUTHENTICATED'));
  await usage.close();
  expect(await left(id, alertId)).toEqual(nothing);
});
