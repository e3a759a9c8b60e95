import type { Pool } from '../../src/base/database.ts';
import { type Browser, makeBrowser } from '../browser.ts';
import type { TestApi } from '../make-app.ts';
import { makeUserWithAllData, type UserWithAllData } from './user-with-all-data.ts';

/**
 * Makes a user with all data who has also used the profile, messages, keys, webhooks, phone codes and a second device.
 * Each of their texts begins with the tag and a hyphen, and no two are equal. Values that no call can set in a test, such
 * as a vendor's answer, are written into the rows.
 */
export async function makeMarkedPerson(api: TestApi, admin: Browser, tag: string): Promise<UserWithAllData> {
  const { pool } = api.db;
  const person = await makeUserWithAllData(api, tag);
  const { id, browser } = person;
  const ask = async (by: Browser, query: string, variables: Record<string, unknown> = {}) => {
    const answer = await by.gql(query, variables);
    if (answer.errors[0]) throw new Error(`${query}: ${answer.errors[0].message}`);
    return answer.data;
  };

  await ask(browser, 'mutation ($input: ContactInput!) { sendContactMessage(input: $input) { message } }', {
    input: {
      name: `${tag}-form-name`,
      email: `${tag}-form-address@example.test`,
      subject: `${tag}-form-subject`,
      message: `${tag}-form-message`,
    },
  });
  await ask(browser, 'mutation ($input: ProfileInput!) { updateProfile(input: $input) { id } }', {
    input: { email: `${tag}-profile-address@example.test` },
  });
  await ask(makeBrowser(api.url), 'mutation ($email: String!) { requestPasswordReset(email: $email) { message } }', {
    email: `${tag}-address@example.test`,
  });
  const device = makeBrowser(api.url);
  const login = 'mutation ($name: String!, $password: String!) { login(username: $name, password: $password) { id } }';
  await device.gql(login, { name: person.username, password: `${tag}-wrong-password` });
  await ask(device, login, { name: person.username, password: 'secret-1' });
  await ask(browser, 'mutation ($id: ID!) { sendTestNotification(alertId: $id) { message } }', {
    id: String(person.alertId),
  });
  await pool.query('update users set plan_id = 4 where id = $1', [id]);
  await ask(browser, 'mutation ($url: String!) { createWebhook(url: $url, events: ["match.created"]) { secret } }', {
    url: `http://127.0.0.1:9/${tag}-hook-path`,
  });
  await ask(browser, 'mutation ($name: String!) { createApiKey(name: $name, scopes: [read]) { secret } }', {
    name: `${tag}-second-key`,
  });
  await pool.query('update users set plan_id = 1 where id = $1', [id]);
  const { myDeletionRequests } = await ask(browser, '{ myDeletionRequests { requestId status } }');
  const open = myDeletionRequests.find(({ status }: { status: string }) => status === 'pending');
  await ask(
    admin,
    'mutation ($id: ID!, $notes: String!) { updateDeletionRequest(requestId: $id, status: approved, notes: $notes) { status } }',
    { id: open.requestId, notes: `${tag}-admin-notes` },
  );

  // A former number of theirs replied STOP.
  await pool.query('insert into text_stops (phone) values ($1)', [`${tag}-texted-to`]);
  await pool.query('update users set email_confirmed_at = now() where id = $1', [id]);
  await pool.query('update billing_customers set told_email = $2 where user_id = $1', [id, `${tag}-told-address`]);
  await pool.query('update billing_events set error = $2 where customer_id = $1', [
    `${tag}-customer`,
    `${tag}-payment-error`,
  ]);
  await pool.query('update texts set delivery = $2 where user_id = $1', [id, `${tag}-delivery-state`]);
  await pool.query('update idempotency_keys set answer = $2 where user_id = $1', [id, `{"message":"${tag}-answer"}`]);
  return person;
}

/**
 * Text columns that can't hold personal data, by table, with the reason. `makeMarkedPerson` fills every other text
 * column with a marker, except those in `identifyingValues`.
 */
const impersonalColumns: Readonly<Record<string, readonly { columns: string; because: string }[]>> = {
  agenda_jobs: [
    {
      columns: 'name type fail_reason repeat_timezone repeat_interval data repeat_at last_modified_by skip_days',
      because: 'jobs are not about one user: names, intervals, errors of runs, and no user as data',
    },
  ],
  alerts: [
    { columns: 'make model models color', because: 'names of the catalogue' },
    { columns: 'transmission fuel drive body title_status seller', because: 'values of lists' },
    { columns: 'delivery quiet_hours', because: 'values of an enum, and times of day' },
  ],
  api_keys: [{ columns: 'scopes', because: 'values of an enum' }],
  audit_log: [{ columns: 'actor action subject outcome', because: 'values of enums, and numbers' }],
  billing_checkouts: [{ columns: 'status', because: 'values of an enum' }],
  billing_customers: [{ columns: 'status', because: 'values of an enum' }],
  billing_events: [
    { columns: 'type', because: "Stripe's names of event types" },
    { columns: 'request_id', because: 'ids of requests' },
  ],
  customer_deletions: [{ columns: 'customer_id session_ids', because: 'written by the deletion and checked after it' }],
  cleanup_positions: [{ columns: 'step position', because: 'names of clean-up steps and sources, numbers, days' }],
  leaving_changes: [{ columns: 'table_name', because: 'one of two tables' }],
  leaving_partitions: [{ columns: 'table_name', because: 'one of two tables' }],
  database_layout: [{ columns: 'layout', because: 'values of an enum' }],
  delivery_delays: [{ columns: 'channel', because: 'values of an enum' }],
  deletion_requests: [{ columns: 'status', because: 'values of an enum' }],
  idempotency_keys: [{ columns: 'call', because: 'method and path of a call, from the table of calls' }],
  listings: [
    {
      columns:
        'source external_id status title make model transmission fuel drive body title_status seller trim color condition city state image_url images url facts_hash text_hash vin photo_hash band_refusal prepayment photo_place facts_before',
      because: 'what sellers publish',
    },
  ],
  listings_to_match: [{ columns: 'facts_before', because: 'what sellers publish' }],
  listing_texts: [{ columns: 'description facts_read', because: 'what sellers publish' }],
  lost_messages: [
    { columns: 'channel kind status', because: 'values of enums' },
    { columns: 'message_id source external_id', because: 'ids' },
    { columns: 'data', because: 'numbers, ids, and times' },
  ],
  mail_counts: [{ columns: 'by_kind', because: 'numbers by kind of mail' }],
  mail_events: [{ columns: 'kind', because: 'values of an enum' }],
  mails: [
    { columns: 'kind status', because: 'values of enums' },
    { columns: 'request_id', because: 'ids of requests' },
  ],
  migrations: [{ columns: 'name', because: 'names of migrations' }],
  notifications: [{ columns: 'channel kind status held_by', because: 'values of enums' }],
  price_models: [{ columns: 'model', because: 'coefficients by words that several titles have' }],
  plans: [{ columns: 'name description features', because: 'texts about plans' }],
  quarantine: [{ columns: 'source external_id code reason record record_hash reader', because: 'records of sources' }],
  session: [{ columns: 'sess', because: "the user's number, times, and browser and system from a list" }],
  source_accounts: [{ columns: 'account token_ciphertext', because: "the operator's accounts at vendors" }],
  source_details: [{ columns: 'source external_id details', because: 'what sellers publish' }],
  site_hosts: [{ columns: 'site robots robots_origin', because: 'hosts of dealers’ sites, and their robots.txt' }],
  source_hours: [{ columns: 'source', because: 'names of sources' }],
  source_lags: [{ columns: 'source', because: 'names of sources' }],
  source_pages: [
    {
      columns: 'source url state ids etag last_modified',
      because: 'addresses of dealers’ pages, and ids of the cars on them',
    },
  ],
  sources: [
    {
      columns: 'name kind settings cursor etag last_modified last_error ended_by header_ciphertext origin',
      because: "the operator's settings of sources",
    },
  ],
  known_servers: [{ columns: 'system_identifier', because: 'a number of the database server' }],
  restores: [{ columns: 'held', because: 'values of an enum' }],
  pushes: [{ columns: 'kind status', because: 'values of enums' }],
  suppressed_addresses: [{ columns: 'reason', because: 'values of an enum' }],
  text_counts: [{ columns: 'kind', because: 'values of an enum' }],
  texts: [{ columns: 'kind status', because: 'values of enums' }],
  users: [
    { columns: 'time_zone', because: 'a name from the list of time zones' },
    { columns: 'text_cap_told', because: 'a month' },
    { columns: 'alert_defaults', because: 'values of an enum, numbers, and times of day' },
  ],
  vapid_keys: [{ columns: 'public_key private_ciphertext', because: 'the key of the server' }],
  webhook_deliveries: [
    { columns: 'status', because: 'values of an enum' },
    { columns: 'request_id', because: 'ids of requests' },
  ],
  webhook_events: [{ columns: 'type', because: 'values of an enum' }],
  webhooks: [{ columns: 'events state paused_because', because: 'values of enums' }],
};

/** Columns whose values the product generates: they can't hold a marker, so each value of the user's is one itself. */
const identifyingValues: Readonly<Record<string, { whose: string }>> = {
  'api_keys.prefix': { whose: 'user_id = $1' },
  'api_keys.secret_hash': { whose: 'user_id = $1' },
  'deletion_requests.request_id': { whose: 'user_id = $1' },
  'idempotency_keys.body_hash': { whose: 'user_id = $1' },
  'mail_counts.mailbox': {
    whose: `mailbox in (select translate(encode(sha256(convert_to(lower(to_address), 'UTF8')), 'base64'), '+/=', '-_')
                          from mails where user_id = $1 and kind <> 'contact')`,
  },
  'phone_codes.code_hash': { whose: 'user_id = $1' },
  'rate_limits.key': { whose: "key like '%user:' || $1" },
  'shared_links.token_hash': { whose: 'user_id = $1' },
  'session.sid': { whose: "sess ->> 'userId' = $1::text" },
  'users.password_hash': { whose: 'id = $1' },
  'webhook_deliveries.message_id': { whose: 'user_id = $1' },
};

/** What the export leaves out, with the reason: by column, or by marker where only some values are left out. */
export const notExported: Readonly<Record<string, string>> = {
  'api_keys.secret_hash': 'made from a secret',
  'billing_checkouts.url': 'anyone who has it can pay',
  'billing_events.error': 'why an event of Stripe could not be processed, for the operator',
  'idempotency_keys.body_hash': 'a hash of the request',
  'mail_counts.mailbox': 'a hash of an address that is exported',
  'mail_events.id': "the vendor's number of an event that is exported",
  'phone_codes.code_hash': 'made from a secret',
  'rate_limits.key': 'a counter of requests in an hour or a week',
  'recovery_codes.code_hash': 'made from a secret',
  'push_subscriptions.auth': 'a secret',
  'push_subscriptions.p256dh': 'a secret',
  'second_factors.secret_ciphertext': 'a secret',
  'session.sid': 'anyone who has it is signed in',
  'shared_links.token_hash': 'made from a secret',
  'users.password_hash': 'made from a secret',
  'webhook_events.subject': 'shortened from the data, which is exported',
  'webhooks.secret_ciphertext': 'a secret',
  'webhooks.previous_secret_ciphertext': 'a secret',
  'password-mark': 'checks a reset link',
  'named-subject': 'anyone can type a username into the contact form',
  'unsigned-mail': 'a mail to the operator about a message; the message is exported',
  'former-mail': 'a mail to the operator about a message from an address that the account may not have any more',
};

/** What stays after a deletion, by column or place, with the sentence of docs/privacy.md that says so. */
export const staysAfterDeletion: Readonly<Record<string, string>> = {
  'deletion_requests.request_id': "What stays is the request's id with number and state `completed`",
  outbox: 'The outbox file.',
};

/** Types that hold no text. `uuid` is one of them: every UUID here is random. */
const WITHOUT_TEXT =
  /^_?(int2|int4|int8|float4|float8|numeric|bool|timestamptz|timestamp|date|time|interval|uuid|oid|cube)$/;

export interface MarkedColumns {
  /** The user's markers by column, as a dump shows them. */
  marks: Map<string, string[]>;
  /** Columns that hold no marker and are not listed, and listed ones that do not exist or hold one. */
  misplaced: string[];
}

/** Every column that can hold text. */
async function textColumns(pool: Pool): Promise<{ table: string; column: string }[]> {
  const { rows } = await pool.query<{ table: string; column: string; type: string }>(
    `select format('%s', c.table_name) as "table", c.column_name as "column", c.udt_name as type
       from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where t.table_type = 'BASE TABLE' and t.table_schema not in ('pg_catalog', 'information_schema')
        and not (select relispartition from pg_class where oid = format('%I.%I', table_schema, table_name)::regclass)
      order by 1, c.ordinal_position`,
  );
  return rows.filter(({ type }) => !WITHOUT_TEXT.test(type));
}

/** Finds the markers of a user whose texts begin with the tag, column by column. */
export async function readMarks(pool: Pool, userId: number, tag: string): Promise<MarkedColumns> {
  const marks = new Map<string, string[]>();
  const misplaced: string[] = [];
  const listed = new Set(
    Object.entries(impersonalColumns).flatMap(([table, groups]) =>
      groups.flatMap(({ columns }) => columns.split(' ').map((column) => `${table}.${column}`)),
    ),
  );
  const columns = await textColumns(pool);
  const names = columns.map(({ table, column }) => `${table}.${column}`);
  const unknown = [...listed, ...Object.keys(identifyingValues)].filter((name) => !names.includes(name));
  misplaced.push(...unknown.map((name) => `${name} is not there`));
  for (const { table, column } of columns) {
    const name = `${table}.${column}`;
    const text = `t."${column}"::text`;
    const identifying = identifyingValues[name];
    const found = identifying
      ? await pool.query<{ text: string }>(
          `select distinct ${text} as text from "${table}" t where (${identifying.whose}) and "${column}" is not null`,
          [userId],
        )
      : await pool.query<{ text: string }>(
          `select distinct m[1] as text from "${table}" t, regexp_matches(${text}, $1, 'g') m`,
          [`(${tag}-[a-z-]+)`],
        );
    const texts = found.rows.map((row) => row.text.replace(/^\\x/, ''));
    if (texts.length > 0) marks.set(name, texts);
    if (texts.length > 0 === listed.has(name)) misplaced.push(name);
  }
  return { marks, misplaced };
}
