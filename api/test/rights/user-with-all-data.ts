import { NOBODY } from '../../src/domain/mail-kinds.ts';
import { type Browser } from '../browser.ts';
import { insertMatches, storeCars } from '../factories.ts';
import type { TestApi } from '../make-app.ts';

export interface UserWithAllData {
  id: number;
  browser: Browser;
  username: string;
  alertId: number;
  listingId: number;
  /** Texts that only this user gave; the export holds all of them. */
  given: string[];
  /** Hashes, tokens and other texts about them that no export shows. */
  secrets: string[];
}

/**
 * Makes a user with a row in every table that holds personal data, and a text of their own in every text column.
 * @param tag part of each of their texts, and of no other user's
 */
export async function makeUserWithAllData(api: TestApi, tag: string): Promise<UserWithAllData> {
  const { pool } = api.db;
  const mark = (what: string) => `${tag}-${what}`;
  const address = `${mark('address')}@example.test`;
  const { browser, id } = await api.user(mark('name'), { email: address, phone: mark('phone') });
  const alertId = await browser.createAlert();
  // Where the Free plan allows one alert, there is no second one to delete.
  const deletedId = await browser.createAlert().catch(() => 0);

  const [listingId = 0] = await storeCars(pool, [{ title: `Car of ${tag}` }]);
  await insertMatches(pool, alertId, [listingId]);
  await browser.gql(
    `mutation ($id: ID!, $note: String) { markListingViewed(id: $id) { id } saveListing(id: $id, saved: true) { id }
      noteOnListing(id: $id, note: $note) { id } }`,
    { id: String(listingId), note: mark('note') },
  );
  await browser.gql('mutation ($id: ID!) { shareAlert(id: $id) { id } }', { id: String(alertId) });
  await browser.gql('mutation { login(username: "nobody", password: "x") { id } }');
  const one = async (text: string, values: unknown[]) => {
    const { rows } = await pool.query<Record<string, string>>(text, values);
    return Object.values(rows[0] ?? {})[0] ?? '';
  };
  await pool.query(
    `update alerts set location = $2, place = $3, year_min = 2001, year_max = 2019, price_min = 101, price_max = 19019,
            color = 'silver', exclude_words = array[$4], require_words = array[$5], last_mailed_at = now(), reminded_at = now() where id = $1`,
    [alertId, mark('location'), mark('place'), mark('excluded-word'), mark('required-word')],
  );
  await pool.query('insert into alert_throttles values ($1, now(), $2) on conflict do nothing', [alertId, id]);
  await pool.query('insert into alerts_to_trim (alert_id, user_id) values ($1, $2)', [alertId, id]);
  await pool.query("update alert_cells set conditions = '% ' || $2 || ' %&% ' || $3 || ' %&&' where alert_id = $1", [
    alertId,
    mark('excluded-word'),
    mark('required-word'),
  ]);
  const mail = `insert into mails (kind, user_id, alert_id, to_address, data, subject, error, status, sent_at)
    values ($1, $2, $3, $4, $5, $6, $7, 'sent', now()) returning id`;
  const mailId = await one(mail, [
    'match',
    id,
    alertId,
    mark('mailed-to'),
    {},
    mark('mail-subject'),
    mark('mail-error'),
  ]);
  await pool.query(
    `insert into mail_events (id, mail_id, user_id, kind, at, reason) values ($1, $2, $3, 'bounced', now(), $4)`,
    [mark('mail-event'), mailId, id, mark('bounce-reason')],
  );
  await pool.query(
    `insert into suppressed_addresses (address, reason, detail, since, resumed_at) values ($1, 'bounced', $2, now(), now())`,
    [address, mark('suppressed-detail')],
  );
  await pool.query(
    `insert into lost_messages (restore_id, channel, kind, status, user_id, alert_id, address, sent_at)
     values (1, 'email', 'match', 'sent', $1, $2, $3, now())`,
    [id, deletedId, mark('lost-address')],
  );
  await pool.query('update mails set delivery_error = $2 where id = $1', [mailId, mark('mail-returned')]);
  await one(mail, ['address_changed', id, null, mark('old-address'), { newAddress: mark('new-address') }, null, null]);
  await one(mail, ['reset', id, null, address, { passwordMark: mark('password-mark') }, null, null]);
  // A mail of an alert that is deleted below.
  await one(mail, ['match', id, deletedId, mark('gone-mailed-to'), {}, mark('gone-subject'), null]);
  await pool.query(
    `insert into notifications (user_id, alert_id, listing_id, due_at, status, mail_id, settled_at)
     values ($1, $2, $4, now(), 'sent', $5, now()), ($1, $2, $4, now(), 'waiting', null, null),
            ($1, $3, $4, now(), 'sent', null, now())`,
    [id, alertId, deletedId, listingId, mailId],
  );
  await browser.gql('mutation ($id: ID!) { deleteAlert(id: $id) }', { id: String(deletedId) });

  await pool.query('insert into text_stops (phone) select phone from users where id = $1', [id]);
  await pool.query('insert into phone_codes (user_id, phone, code_hash) values ($1, $2, sha256($3::text::bytea))', [
    id,
    mark('code-phone'),
    mark('code'),
  ]);
  await pool.query('update users set phone_confirmed_at = now(), pending_email = $2 where id = $1', [
    id,
    mark('pending-address'),
  ]);
  await pool.query('insert into former_emails (user_id, address) values ($1, $2)', [id, mark('former-address')]);
  await pool.query(
    `insert into texts (id, kind, user_id, alert_id, to_phone, error, sid, delivery_error)
     values (gen_random_uuid(), 'match', $1, $2, $3, $4, $5, $6)`,
    [id, alertId, mark('texted-to'), mark('text-error'), mark('sid'), mark('delivery')],
  );
  await pool.query(
    `insert into push_subscriptions (user_id, endpoint, p256dh, auth, browser, system, last_error)
     values ($1, 'https://push.example/' || $2, $3, $4, $5, $6, $7)`,
    [
      id,
      mark('push-endpoint'),
      mark('push-key'),
      mark('push-auth'),
      mark('push-browser'),
      mark('push-system'),
      mark('device-error'),
    ],
  );
  await pool.query(
    `insert into pushes (id, kind, user_id, alert_id, devices, error, next_try_at)
     values (gen_random_uuid(), 'match', $1, $2, '{}', $3, now())`,
    [id, alertId, mark('push-error')],
  );
  const message = `insert into contact_messages (user_id, name, email, subject, message) values ($1, $2, $3, $4, $5)`;
  const words = [mark('contact-subject'), mark('contact-message')];
  await pool.query(message, [id, mark('contact-name'), mark('contact-address'), ...words]);
  await pool.query(message, [null, 'A visitor', address.toUpperCase(), mark('unsigned-subject'), 'x']);
  await pool.query(message, [null, ` ${mark('name')} `, 'else@example.test', mark('named-subject'), 'x']);
  const unsigned = { email: address, message: mark('unsigned-mail') };
  await one(mail, ['contact', NOBODY, null, 'help@example.test', unsigned, null, null]);
  // By an address that only an earlier mail of theirs names.
  const former = { email: mark('old-address'), message: mark('former-mail') };
  await one(mail, ['contact', NOBODY, null, 'help@example.test', former, null, null]);
  await one(mail, ['contact', id, null, 'help@example.test', { message: mark('signed-mail') }, null, null]);

  const request = 'mutation ($reason: String!) { requestDeletion(reason: $reason) { requestId } }';
  await browser.gql(request, { reason: mark('first-reason') });
  await pool.query(`update deletion_requests set status = 'rejected', notes = $2 where user_id = $1`, [
    id,
    mark('first-notes'),
  ]);
  await browser.gql(request, { reason: mark('reason') });
  await pool.query(`update deletion_requests set notes = $2 where user_id = $1 and status = 'pending'`, [
    id,
    mark('notes'),
  ]);

  await browser.fetch('/api/subscription', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': mark('idempotency-key') },
    body: JSON.stringify({ planId: 1 }),
  });

  const webhookId = await one(
    `insert into webhooks (user_id, url, events, description, secret_ciphertext, previous_secret_ciphertext)
     values ($1, $2, '{match.created}', $3, $4, $5) returning id`,
    [id, mark('webhook-url'), mark('webhook-note'), mark('secret-ciphertext'), mark('previous-ciphertext')],
  );
  const eventId = await one(
    `insert into webhook_events (user_id, type, subject, data) values ($1, 'match.created', $2, $3) returning id`,
    [id, mark('subject'), { title: mark('event-data') }],
  );
  const deliveryId = await one(
    'insert into webhook_deliveries (user_id, webhook_id, event_id) values ($1, $2, $3) returning id',
    [id, webhookId, eventId],
  );
  await pool.query(
    'insert into webhook_attempts (user_id, delivery_id, ms, error, answer) values ($1, $2, 1, $3, $4)',
    [id, deliveryId, mark('attempt-error'), mark('attempt-answer')],
  );
  await pool.query(`insert into webhook_positions (user_id, position) values ($1, 1)`, [id]);
  await pool.query(
    'insert into price_drops (user_id, alert_id, listing_id, price, price_before) values ($1, $2, $3, 1, 2)',
    [id, alertId, listingId],
  );
  await pool.query('update users set plan_id = 4 where id = $1', [id]);
  const makeKey = 'mutation ($name: String!) { createApiKey(name: $name, scopes: [write]) { secret } }';
  const made = await browser.gql(makeKey, { name: mark('key-name') });
  const authorization = `Bearer ${made.data.createApiKey.secret}`;
  await fetch(`${api.url}/api/user`, { headers: { authorization } });
  await api.keys.flushUsage();
  const keyHash = await one("select encode(secret_hash, 'hex') from api_keys where user_id = $1", [id]);
  await pool.query('update users set plan_id = 1 where id = $1', [id]);
  const linkHash = await one("select encode(token_hash, 'hex') from shared_links where user_id = $1", [id]);

  await pool.query(
    `insert into billing_customers (user_id, customer_id, subscription_id, status) values ($1, $2, $3, 'canceling')`,
    [id, mark('customer'), mark('subscription')],
  );
  await pool.query(
    `insert into billing_checkouts (user_id, plan_id, session_id, url, status) values ($1, 2, $2, $3, 'open')`,
    [id, mark('checkout'), mark('checkout-address')],
  );
  await pool.query(
    'insert into billing_events (id, type, object_id, customer_id, settled_at) values ($1, $2, $3, $4, now())',
    [mark('payment-event'), 'customer.subscription.updated', mark('payment-object'), mark('customer')],
  );

  await pool.query(
    `with factor as (insert into second_factors (user_id, secret_ciphertext) values ($1, $2) returning user_id)
     insert into recovery_codes (user_id, code_hash) select user_id, $3 from factor`,
    [id, mark('factor-ciphertext'), mark('recovery-hash')],
  );

  const keys = (name: string, user: number) => [`mail-user:${user}`, `export-user:${user}`, `login-account:${name}`];
  const hash = await one('select password_hash from users where id = $1', [id]);
  const sid = await one("select sid from session where sess ->> 'userId' = $1::text limit 1", [String(id)]);
  return {
    id,
    browser,
    username: mark('name'),
    alertId,
    listingId,
    given: [
      'name',
      'address',
      'phone',
      'location',
      'place',
      'note',
      'excluded-word',
      'required-word',
      'mailed-to',
      'mail-subject',
      'mail-error',
      'mail-returned',
      'suppressed-detail',
      'lost-address',
      'bounce-reason',
      'old-address',
      'new-address',
      'pending-address',
      'former-address',
      'gone-mailed-to',
      'gone-subject',
      'code-phone',
      'texted-to',
      'text-error',
      'push-endpoint',
      'push-browser',
      'push-system',
      'device-error',
      'push-error',
      'sid',
      'delivery',
      'contact-name',
      'contact-address',
      'contact-subject',
      'contact-message',
      'signed-mail',
      'first-reason',
      'first-notes',
      'reason',
      'notes',
      'idempotency-key',
      'customer',
      'subscription',
      'checkout',
      'payment-event',
      'payment-object',
      'webhook-url',
      'webhook-note',
      'event-data',
      'attempt-error',
      'attempt-answer',
      'key-name',
    ].map(mark),
    secrets: [
      hash,
      keyHash,
      linkHash,
      sid,
      mark('password-mark'),
      mark('mail-event'),
      mark('checkout-address'),
      mark('subject'),
      mark('secret-ciphertext'),
      mark('previous-ciphertext'),
      mark('push-key'),
      mark('push-auth'),
      mark('factor-ciphertext'),
      mark('recovery-hash'),
      mark('unsigned-subject'),
      mark('named-subject'),
      mark('unsigned-mail'),
      mark('former-mail'),
      ...keys('', id).slice(0, 2),
    ],
  };
}
