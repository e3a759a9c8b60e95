import type { Pool } from '../../src/base/database.ts';
import { type Browser, makeBrowser } from '../browser.ts';
import type { TestApi } from '../make-app.ts';
import { makeWholePerson, type WholePerson } from './whole-person.ts';

/**
 * A whole person who has also used what the product offers: profile, messages, keys, webhooks, phone codes and a second
 * device. Each text of theirs begins with the tag and a hyphen and is like no other. What no call can bring about in a
 * test, as a vendor's answer, is written into the rows.
 */
export async function makeMarkedPerson(api: TestApi, admin: Browser, tag: string): Promise<WholePerson> {
  const { pool } = api.db;
  const person = await makeWholePerson(api, tag);
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

  // Of a number that they had before, and that replied STOP.
  await pool.query('insert into text_stops (phone) values ($1)', [`${tag}-texted-to`]);
  await pool.query('update users set email_confirmed_at = now() where id = $1', [id]);
  await pool.query('update billing_customers set told_email = $2 where user_id = $1', [id, `${tag}-told-address`]);
  await pool.query('update billing_events set error = $2 where customer_id = $1', [
    `${tag}-customer`,
    `${tag}-payment-error`,
  ]);
  await pool.query('update texts set delivery = $2 where user_id = $1', [id, `${tag}-delivery-state`]);
  await pool.query('update idempotency_keys set answer = $2 where user_id = $1', [id, `{"told":"${tag}-answer"}`]);
  return person;
}

/**
 * Columns that hold texts and can hold nothing of a person, by table, with the reason. Every other column that can hold
 * a text is filled with a mark by `makeMarkedPerson`, or stands in `valuesThatTell`.
 */
const holdsNobody: Readonly<Record<string, readonly { columns: string; because: string }[]>> = {
  agenda_jobs: [
    {
      columns: 'name type fail_reason repeat_timezone repeat_interval data repeat_at last_modified_by skip_days',
      because: 'jobs run for everybody: names, intervals and why a run failed; none takes a person as its data',
    },
  ],
  alerts: [{ columns: 'make model color', because: 'words of the catalogue alone' }],
  api_keys: [{ columns: 'scopes', because: 'words of a list' }],
  audit_log: [{ columns: 'actor action subject outcome', because: 'words of lists and numbers' }],
  billing_checkouts: [{ columns: 'status', because: 'words of a list' }],
  billing_customers: [{ columns: 'status', because: 'words of a list' }],
  billing_events: [{ columns: 'type', because: 'names of kinds of events, of Stripe' }],
  customer_deletions: [
    { columns: 'customer_id session_ids', because: 'written by the erasure; the test looks at it afterwards' },
  ],
  cleanup_positions: [{ columns: 'step position', because: 'names of steps, numbers, days and names of sources' }],
  deletion_requests: [{ columns: 'status', because: 'words of a list' }],
  idempotency_keys: [{ columns: 'call', because: 'method and path of a call, as the table of calls has it' }],
  listings: [
    {
      columns:
        'source external_id status title make model transmission color condition city state image_url images url facts_hash vin photo_hash',
      because: 'what sellers publish',
    },
  ],
  mail_counts: [{ columns: 'by_kind', because: 'numbers by kind of mail' }],
  mails: [{ columns: 'kind status', because: 'words of lists' }],
  migrations: [{ columns: 'name', because: 'the state of the schema' }],
  notifications: [{ columns: 'channel kind status', because: 'words of lists' }],
  plans: [{ columns: 'name description features', because: 'what is sold' }],
  quarantine: [{ columns: 'source external_id code reason record record_hash reader', because: 'records of sources' }],
  session: [{ columns: 'sess', because: 'the number of the user, times, and names of browser and system of a list' }],
  source_hours: [{ columns: 'source', because: 'names of sources' }],
  source_lags: [{ columns: 'source', because: 'names of sources' }],
  sources: [
    {
      columns: 'name kind settings cursor etag last_modified last_error ended_by header_ciphertext',
      because: 'where listings come from, as the operator says',
    },
  ],
  texts: [{ columns: 'kind status', because: 'words of lists' }],
  users: [
    { columns: 'time_zone', because: 'a name of the list of time zones' },
    { columns: 'text_cap_told', because: 'a month' },
  ],
  webhook_deliveries: [{ columns: 'status', because: 'words of a list' }],
  webhook_events: [{ columns: 'type', because: 'words of a list' }],
  webhooks: [{ columns: 'events state paused_because', because: 'words of lists' }],
};

/** Columns that can't hold a mark, as the product makes their values: each value of the person's is a mark itself. */
const valuesThatTell: Readonly<Record<string, { whose: string }>> = {
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
  'session.sid': { whose: "sess ->> 'userId' = $1::text" },
  'users.password_hash': { whose: 'id = $1' },
  'webhook_deliveries.message_id': { whose: 'user_id = $1' },
};

/** What the export leaves out, by column or, where only a part is left out, by a mark. */
export const notExported: Readonly<Record<string, string>> = {
  'api_keys.secret_hash': 'made from a secret',
  'billing_checkouts.url': 'whoever has it can pay',
  'billing_events.error': 'why an event of Stripe could not be settled, for the operator',
  'idempotency_keys.body_hash': 'made from what was sent',
  'mail_counts.mailbox': 'a hash of an address that is in it',
  'phone_codes.code_hash': 'made from a secret',
  'rate_limits.key': 'a counter of the hour or the week',
  'recovery_codes.code_hash': 'made from a secret',
  'second_factors.secret_ciphertext': 'a secret',
  'session.sid': 'whoever has it is signed in',
  'users.password_hash': 'made from a secret',
  'webhook_events.subject': 'the same as in the data, shorter',
  'webhooks.secret_ciphertext': 'a secret',
  'webhooks.previous_secret_ciphertext': 'a secret',
  'password-mark': 'what a reset link is checked against',
  'named-subject': 'anybody can type a username into the form of a message',
  'unsigned-mail': 'the mail to the operator of a message; the message itself is exported',
};

/** What is left after a deletion, by column or place, and the words of docs/privacy.md that say so. */
export const staysAfterDeletion: Readonly<Record<string, string>> = {
  'deletion_requests.request_id': "Left are the request's id with number and state `completed`",
  outbox: 'The outbox file.',
};

/** Types that hold no words. `uuid` is among them: all of ours are drawn at random. */
const WITHOUT_WORDS =
  /^_?(int2|int4|int8|float4|float8|numeric|bool|timestamptz|timestamp|date|time|interval|uuid|oid|cube)$/;

export interface MarkedColumns {
  /** Each column with what it holds of the person, as it would be found in a dump. */
  marks: Map<string, string[]>;
  /** Columns that are neither filled nor listed, and listed ones that are not there or filled all the same. */
  misplaced: string[];
}

/** Every column of every table that can hold words, as `table.column`. */
async function wordColumns(pool: Pool): Promise<{ table: string; column: string }[]> {
  const { rows } = await pool.query<{ table: string; column: string; type: string }>(
    `select format('%s', c.table_name) as "table", c.column_name as "column", c.udt_name as type
       from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where t.table_type = 'BASE TABLE' and t.table_schema not in ('pg_catalog', 'information_schema')
      order by 1, c.ordinal_position`,
  );
  return rows.filter(({ type }) => !WITHOUT_WORDS.test(type));
}

/** What each column holds of a person whose texts begin with the tag. */
export async function readMarks(pool: Pool, userId: number, tag: string): Promise<MarkedColumns> {
  const marks = new Map<string, string[]>();
  const misplaced: string[] = [];
  const listed = new Set(
    Object.entries(holdsNobody).flatMap(([table, groups]) =>
      groups.flatMap(({ columns }) => columns.split(' ').map((column) => `${table}.${column}`)),
    ),
  );
  const columns = await wordColumns(pool);
  const names = columns.map(({ table, column }) => `${table}.${column}`);
  const unknown = [...listed, ...Object.keys(valuesThatTell)].filter((name) => !names.includes(name));
  misplaced.push(...unknown.map((name) => `${name} is not there`));
  for (const { table, column } of columns) {
    const name = `${table}.${column}`;
    const text = `t."${column}"::text`;
    const told = valuesThatTell[name];
    const found = told
      ? await pool.query<{ text: string }>(
          `select distinct ${text} as text from "${table}" t where (${told.whose}) and "${column}" is not null`,
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
