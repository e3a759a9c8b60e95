import { copyToCells } from '../alerts/copy-to-cells.ts';
import { type Client, inTransaction, type Pool, type Queryable } from '../base/database.ts';
import { inRetriedTransaction } from '../base/retried-transaction.ts';
import { enqueueCustomerDeletionOf } from '../billing/enqueue-customer-deletion.ts';
import { notifyKeysEnded } from '../keys/notify-keys-ended.ts';
import { completeAllRequests, erasePerson, lockPerson } from './erase-person.ts';

type Row = Record<string, unknown>;

/**
 * What people decided that a restore must not undo, as it was in the database before: passwords and second factors, and
 * whatever they ended or switched off.
 */
export type Decisions = Record<keyof typeof decided, Row[]>;

const decided = {
  users: `select to_jsonb(r) as row from (
    select id, password_hash, must_change_password, messages_paused_at from users) r`,
  second_factors: 'select to_jsonb(r) as row from second_factors r',
  recovery_codes: 'select to_jsonb(r) as row from recovery_codes r',
  api_keys: 'select to_jsonb(r) as row from (select id, revoked_at, expires_at from api_keys) r',
  webhooks: `select to_jsonb(r) as row from (
    select id, user_id, state, paused_because, secret_ciphertext, previous_secret_ciphertext, previous_until from webhooks) r`,
  push_subscriptions: 'select to_jsonb(r) as row from (select id from push_subscriptions) r',
  shared_links: 'select to_jsonb(r) as row from (select id from shared_links) r',
  former_alerts: 'select to_jsonb(r) as row from (select alert_id, user_id from former_alerts) r',
  alerts: `select to_jsonb(r) as row from (
    select id, user_id, is_active, email_notifications, text_notifications, push_notifications from alerts
     where not (is_active and email_notifications and text_notifications and push_notifications)) r`,
} as const;

/** Reads what must stay as it is. @param db a database that has the lost interval */
export async function readDecisions(db: Queryable): Promise<Decisions> {
  const decisions = {} as Decisions;
  for (const table of Object.keys(decided) as (keyof typeof decided)[]) {
    const { rows } = await db.query<{ row: Row }>(decided[table]);
    decisions[table] = rows.map(({ row }) => row);
  }
  return decisions;
}

/** Each takes the rows of its table, at most so many at a time. A row that the restored database lacks is left out. */
const apply: readonly [keyof Decisions, string][] = [
  [
    'users',
    `update users u set password_hash = r.password_hash, must_change_password = r.must_change_password,
            messages_paused_at = coalesce(r.messages_paused_at, u.messages_paused_at)
       from jsonb_populate_recordset(null::users, $1::jsonb) r
      where u.id = r.id and (u.password_hash <> r.password_hash or u.messages_paused_at is null and r.messages_paused_at is not null)`,
  ],
  [
    'second_factors',
    `insert into second_factors select r.* from jsonb_populate_recordset(null::second_factors, $1::jsonb) r
      where exists (select from users u where u.id = r.user_id)
         on conflict (user_id) do update set secret_ciphertext = excluded.secret_ciphertext,
            confirmed_at = excluded.confirmed_at, last_step = excluded.last_step`,
  ],
  [
    'recovery_codes',
    `insert into recovery_codes select r.* from jsonb_populate_recordset(null::recovery_codes, $1::jsonb) r
      where exists (select from second_factors f where f.user_id = r.user_id)
         on conflict (user_id, code_hash) do update set used_at = excluded.used_at`,
  ],
  [
    'api_keys',
    `update api_keys k set revoked_at = r.revoked_at, expires_at = r.expires_at
       from jsonb_populate_recordset(null::api_keys, $1::jsonb) r
      where k.id = r.id and (k.revoked_at is distinct from r.revoked_at or k.expires_at is distinct from r.expires_at)`,
  ],
  [
    'webhooks',
    `update webhooks w set state = r.state, paused_because = r.paused_because, secret_ciphertext = r.secret_ciphertext,
            previous_secret_ciphertext = r.previous_secret_ciphertext, previous_until = r.previous_until,
            paused_at = r.at
       from (select *, case state when 'paused' then now() end as at
               from jsonb_populate_recordset(null::webhooks, $1::jsonb)) r where w.id = r.id and w.user_id = r.user_id`,
  ],
  [
    'alerts',
    `with changed as (
       update alerts a set is_active = a.is_active and r.is_active,
              email_notifications = a.email_notifications and r.email_notifications,
              text_notifications = a.text_notifications and r.text_notifications,
              push_notifications = a.push_notifications and r.push_notifications
         from jsonb_populate_recordset(null::alerts, $1::jsonb) r
        where a.id = r.id and a.user_id = r.user_id returning a.*
     ) ${copyToCells('changed')}`,
  ],
  [
    'former_alerts',
    `with ended as (
       update alerts a set is_active = false
         from jsonb_populate_recordset(null::former_alerts, $1::jsonb) r
        where a.id = r.alert_id and a.user_id = r.user_id returning a.*
     ) ${copyToCells('ended')}`,
  ],
];
const ROWS_AT_ONCE = 20_000;

/** What was deleted in the lost interval: each takes the ids that were still there. */
const endDeleted: readonly [keyof Decisions, string][] = [
  ['api_keys', 'update api_keys set revoked_at = now() where revoked_at is null and id <> all ($1::int8[])'],
  [
    'webhooks',
    "update webhooks set state = 'paused', paused_because = 'owner', paused_at = now() where state = 'active' and id <> all ($1::int8[])",
  ],
  ['push_subscriptions', 'delete from push_subscriptions where id <> all ($1::int8[])'],
  ['shared_links', 'delete from shared_links where id <> all ($1::int8[])'],
];

async function eraseAgain(client: Client, userId: number): Promise<void> {
  const person = await lockPerson(client, userId);
  if (!person) return;
  await completeAllRequests(client, userId);
  await enqueueCustomerDeletionOf(client, userId);
  await erasePerson(client, person, []);
}

/** Reads which sessions there were. @param db a database that has the lost interval */
export async function readSessionIds(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ sid: string }>('select sid from session');
  return rows.map(({ sid }) => sid);
}

/**
 * Ends the sessions of a restored database, of which some had ended later, and keeps what people decided in the lost
 * interval: erased accounts are erased again.
 * @param decisions undefined where nothing is known of the interval @param erased ids of accounts
 * @param sessions those that had not ended; without them all are ended
 */
export async function keepDecisions(
  pool: Pool,
  decisions: Decisions | undefined,
  erased: readonly number[],
  sessions: readonly string[] = [],
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query('delete from session where sid <> all($1::text[])', [sessions]);
    if (!decisions) return;
    const factors = decisions.second_factors.map(({ user_id }) => user_id);
    await client.query('delete from second_factors where user_id <> all ($1::int8[])', [factors]);
    for (const [table, statement] of apply) {
      for (let at = 0; at < decisions[table].length; at += ROWS_AT_ONCE)
        await client.query(statement, [JSON.stringify(decisions[table].slice(at, at + ROWS_AT_ONCE))]);
    }
    for (const [table, statement] of endDeleted) await client.query(statement, [decisions[table].map(({ id }) => id)]);
    const { rows } = await client.query<{ id: number }>(
      'select distinct user_id as id from api_keys where revoked_at is not null or expires_at is not null',
    );
    await notifyKeysEnded(
      client,
      rows.map(({ id }) => id),
    );
  });
  for (const userId of erased) await inRetriedTransaction(pool, (client) => eraseAgain(client, userId));
}
