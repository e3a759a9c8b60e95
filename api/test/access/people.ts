import { passwordMark } from '../../src/accounts/passwords.ts';
import { signToken } from '../../src/domain/action-links.ts';
import { type Browser, makeBrowser } from '../browser.ts';
import { insertMatches, storeCars } from '../factories.ts';
import { makeKey } from '../keys/key-holder.ts';
import { ADMIN_PASSWORD, type TestApi } from '../make-app.ts';
import type { FakePayments } from '../payments/fake-payments.ts';
import { makeUserWithAllData } from '../rights/user-with-all-data.ts';
import type { Resource, Role } from './rules.ts';

/** A user's resources, by the id, token or name that operations take. */
export interface Resources extends Record<Exclude<Resource, 'token' | 'account'>, string> {
  /** The cursor of the first match; another match follows it. */
  cursor: string;
  confirmToken: string;
  resetToken: string;
  sharedToken: string;
  username: string;
  password: string;
}

/** A caller. */
export interface Actor {
  role: Role;
  id: number;
  /** Part of every text of this user's, and of no other user's. */
  tag: string;
  /** Headers of their requests. */
  headers: Record<string, string>;
  own: Resources;
}

export interface People {
  actors: Actor[];
  /** The user whose resources the others try to reach. */
  foreign: Actor;
  /** Texts of that user without their tag, which no other may be shown: hashes and keys. */
  secrets: string[];
}

const roles: Role[] = [
  { name: 'visitor', isVisitor: true, plan: 1 },
  { name: 'free', plan: 1 },
  { name: 'starter', plan: 2 },
  { name: 'pro', plan: 3 },
  { name: 'elite', plan: 4 },
  { name: 'key with read', plan: 4, scope: 'read' },
  { name: 'key with write', plan: 4, scope: 'write' },
  { name: 'key of a plan that ended', plan: 3, scope: 'write', refused: 'PLAN_REQUIRED' },
  { name: 'revoked key', plan: 4, scope: 'write', refused: 'UNAUTHENTICATED' },
  { name: 'unconfirmed', plan: 4, isUnconfirmed: true },
  { name: 'password given long ago', plan: 4, isStale: true },
  { name: 'erased', plan: 1, isVisitor: true, isErased: true },
  { name: 'admin', plan: 4, isAdmin: true },
  { name: 'admin with a first password', plan: 4, isAdmin: true, isRestricted: 'password' },
  { name: 'admin without a second factor', plan: 4, isAdmin: true, isRestricted: 'secondFactor' },
  { name: 'key of the admin', plan: 4, isAdmin: true, scope: 'write' },
];
export const actorNames = roles.map(({ name }) => name);

const PASSWORD = 'secret-1';
const numberOf = (role: Role) => roles.indexOf(role) + 10;

/** As long as a token of a shared link. */
const sharedTokenOf = (tag: string): string => `token-of-${tag}-`.padEnd(43, '0');

/** Makes one of each resource that an operation can name. */
async function makeResources(
  api: TestApi,
  payments: FakePayments,
  browser: Browser,
  person: { id: number; tag: string },
) {
  const { pool } = api.db;
  const { id, tag } = person;
  const alert = await browser.createAlert();
  const cars = await storeCars(pool, [{ title: `Car of ${tag}` }, { title: `Later car of ${tag}` }]);
  await insertMatches(pool, alert, cars);
  const log = await browser.gql('{ matchLog { nodes { cursor } } }');
  const { rows } = await pool.query<Record<string, string>>(
    `with hook as (insert into webhooks (user_id, url, events, description, secret_ciphertext)
                   values ($1, 'https://hooks.example/' || $2, '{match.created}', $2, 'x') returning id),
          event as (insert into webhook_events (user_id, type, subject, data)
                    values ($1, 'match.created', $2, json_build_object('title', $2::text)) returning id),
          delivery as (insert into webhook_deliveries (user_id, webhook_id, event_id)
                       select $1, hook.id, event.id from hook, event returning id),
          key as (insert into api_keys (user_id, name, prefix, secret_hash, scopes)
                  values ($1, $2, $2, sha256($2::text::bytea), '{read}') returning id),
          other as (insert into session (sid, sess, expire)
                    select 'other-' || $2, sess, expire from session where sess ->> 'userId' = $1::text limit 1 returning id),
          device as (insert into push_subscriptions (user_id, endpoint, p256dh, auth)
                     values ($1, 'https://push.example/' || $2, 'x', 'x') returning id),
          link as (insert into shared_links (user_id, alert_id, token_hash, expires_at)
                   values ($1, $3, sha256($5::text::bytea), now() + interval '1 day') returning id),
          customer as (insert into billing_customers (user_id, customer_id) values ($1, 'cus-' || $2)),
          checkout as (insert into billing_checkouts (user_id, plan_id, session_id, url, status)
                       values ($1, 2, 'cs-' || $2, 'https://pay.example/' || $2, 'open')),
          request as (insert into deletion_requests (request_id, user_id, username, reason, status)
                      select 'DR-A' || lpad($1::text, 5, '0'), $1, $2, $2, 'rejected' where $1 <> 1),
          mail as (insert into mails (kind, user_id, alert_id, to_address, status, sent_at)
                   values ('match', $1, $3, $2, 'sent', now()) returning id),
          notification as (insert into notifications (user_id, alert_id, listing_id, status, mail_id, due_at)
                           select $1, $3, $4, 'sent', id, now() from mail)
     select hook.id as webhook, delivery.id as delivery, key.id as key, other.id as session, device.id as device,
            link.id as link, mail.id as notification
       from hook, delivery, key, other, device, link, mail`,
    [id, tag, alert, cars[0], sharedTokenOf(tag)],
  );
  offer(payments, `cs-${tag}`, `cus-${tag}`);
  const made = rows[0] ?? {};
  return {
    alert: String(alert),
    listing: String(cars[0]),
    notification: String(made.notification),
    cursor: String(log.data.matchLog.nodes[0].cursor),
    webhook: String(made.webhook),
    delivery: String(made.delivery),
    key: String(made.key),
    session: String(made.session),
    device: String(made.device),
    link: String(made.link),
    sharedToken: sharedTokenOf(tag),
    checkout: `cs-${tag}`,
    user: String(id),
    request: `DR-A${String(id).padStart(5, '0')}`,
  };
}

function offer(payments: FakePayments, id: string, customerId: string): void {
  payments.customers.add(customerId);
  const url = `https://pay.example/${id}`;
  const expiresAt = new Date(Date.now() + 86_400_000);
  payments.checkouts.set(id, { id, customerId, planId: 2, url, status: 'open', isPaid: false, expiresAt });
}

/** Tokens as LotWatch mails them to the user. */
async function tokensOf(api: TestApi, id: number) {
  const { email, hash } = await api.db.row('select email, password_hash as hash from users where id = $1', [id]);
  const expiresAt = new Date(Date.now() + 3_600_000);
  const mark = passwordMark(hash, email);
  return {
    confirmToken: signToken(api.linkSecret, { action: 'confirm-email', userId: id, email, expiresAt }),
    resetToken: signToken(api.linkSecret, { action: 'reset', userId: id, passwordMark: mark, expiresAt }),
  };
}

async function signUpAs(api: TestApi, payments: FakePayments, role: Role): Promise<Actor> {
  const { pool } = api.db;
  const tag = `actor${numberOf(role)}q`;
  const browser = makeBrowser(api.url);
  const isAdmin = role.isAdmin === true;
  let id = 1;
  if (isAdmin) await browser.login('admin', ADMIN_PASSWORD);
  else id = await browser.register(tag);
  const phone = `+1213373${String(4000 + numberOf(role))}`;
  await pool.query(
    `update users set plan_id = $2, phone = $3, phone_confirmed_at = now(), email = coalesce(email, 'admin@example.test'),
            email_confirmed_at = case when $4 then null else now() end where id = $1`,
    [id, 4, phone, role.isUnconfirmed === true],
  );
  const own = { ...(await makeResources(api, payments, browser, { id, tag })), ...(await tokensOf(api, id)) };
  const headers = await headersOf(api, browser, role);
  await pool.query('update users set plan_id = $2 where id = $1', [id, role.plan]);
  const givenAt = Date.now() + (role.isStale ? -3_600_000 : 86_400_000);
  await pool.query(
    `update session set sess = (sess::jsonb || jsonb_build_object('passwordGivenAt', $2::int8)
            || jsonb_strip_nulls(jsonb_build_object('restrictedTo', $3::text)))::json
      where sess ->> 'userId' = $1::text and sid like $4 || '%'`,
    [String(id), givenAt, role.isRestricted ?? null, isAdmin ? sidIn(browser) : ''],
  );
  if (role.refused === 'UNAUTHENTICATED') {
    await pool.query('update api_keys set revoked_at = now() where user_id = $1', [id]);
  }
  const username = isAdmin ? 'admin' : tag;
  return { role, id, tag, headers, own: { ...own, username, password: isAdmin ? ADMIN_PASSWORD : PASSWORD } };
}

/** The id that the session's cookie holds, before its signature. */
const sidIn = ({ cookie = '' }: Browser): string =>
  decodeURIComponent(cookie.split('=')[1] ?? '').replace(/^s:|\..*$/g, '');

async function headersOf(
  api: TestApi,
  browser: Browser,
  { scope, isVisitor, isErased }: Role,
): Promise<Record<string, string>> {
  if (scope) {
    const { secret } = await makeKey(api, browser, [scope]);
    return { authorization: `Bearer ${secret}` };
  }
  // A browser sends the page's origin with each request.
  return { origin: api.url, ...(browser.cookie && (!isVisitor || isErased) ? { cookie: browser.cookie } : {}) };
}

/** A user with a row in every table that holds personal data, and an approved deletion request. */
async function makeForeign(api: TestApi, payments: FakePayments): Promise<{ foreign: Actor; secrets: string[] }> {
  const { pool } = api.db;
  const tag = 'foreign7q';
  const person = await makeUserWithAllData(api, tag);
  await pool.query('update users set plan_id = 4, email_confirmed_at = now() where id = $1', [person.id]);
  await pool.query(`update deletion_requests set status = 'approved' where user_id = $1 and status = 'pending'`, [
    person.id,
  ]);
  offer(payments, `${tag}-checkout`, `${tag}-customer`);
  const { rows } = await pool.query<Record<string, string>>(
    `select (select id from webhooks where user_id = $1) as webhook,
            (select id from webhook_deliveries where user_id = $1) as delivery,
            (select id from push_subscriptions where user_id = $1) as device,
            (select id from shared_links where user_id = $1) as link,
            (select mail_id from notifications where user_id = $1 and mail_id is not null limit 1) as notification,
            (select id from api_keys where user_id = $1) as key, (select id from session where sess ->> 'userId' = $1::text limit 1) as session,
            (select request_id from deletion_requests where user_id = $1 and status = 'approved') as request`,
    [person.id],
  );
  const {
    webhook = '',
    delivery = '',
    notification = '',
    key = '',
    session = '',
    device = '',
    link = '',
    request = '',
  } = rows[0] ?? {};
  const own = {
    alert: String(person.alertId),
    listing: String(person.listingId),
    notification,
    cursor: '0',
    webhook: String(webhook),
    delivery: String(delivery),
    key: String(key),
    session: String(session),
    device: String(device),
    link: String(link),
    sharedToken: '',
    checkout: `${tag}-checkout`,
    user: String(person.id),
    request,
    ...(await tokensOf(api, person.id)),
    username: person.username,
    password: 'a guess-1',
  };
  const role: Role = { name: 'foreign', plan: 4 };
  return { foreign: { role, id: person.id, tag, headers: {}, own }, secrets: person.secrets };
}

/** @param names the roles to make */
export async function makePeople(api: TestApi, payments: FakePayments, names: readonly string[]): Promise<People> {
  const { foreign, secrets } = await makeForeign(api, payments);
  const actors: Actor[] = [];
  for (const role of roles.filter(({ name }) => names.includes(name))) {
    const isOtherAdminRole = role.isAdmin && actors.some(({ id }) => id === 1);
    actors.push(isOtherAdminRole ? await secondAdminRole(api, role, actors) : await signUpAs(api, payments, role));
  }
  const erased = actors.find(({ role }) => role.isErased);
  if (erased) await erase(api, erased.id);
  // So long ago that nobody's shared alert shows the cars of others.
  await api.db.pool.query("update listings set seen_at = now() - interval '31 days'");
  return { actors, foreign, secrets };
}

/** The same admin with another session or an API key. */
async function secondAdminRole(api: TestApi, role: Role, actors: readonly Actor[]): Promise<Actor> {
  const first = actors.find(({ id }) => id === 1);
  if (!first) throw new Error('The first admin role must be made before this one.');
  const browser = await api.admin();
  const headers = await headersOf(api, browser, role);
  if (role.isRestricted) {
    await api.db.pool.query(
      `update session set sess = (sess::jsonb || jsonb_build_object('restrictedTo', $2::text))::json where sid = $1`,
      [sidIn(browser), role.isRestricted],
    );
  }
  return { ...first, role, headers };
}

/** Deletes the account as the admin does. */
async function erase(api: TestApi, id: number): Promise<void> {
  await api.db.pool.query(`update deletion_requests set status = 'approved' where user_id = $1`, [id]);
  const admin = await api.admin();
  const { errors } = await admin.gql('mutation ($id: ID!) { executeDeletion(userId: $id) { message } }', {
    id: String(id),
  });
  if (errors[0]) throw new Error(errors[0].message);
  await admin.gql('mutation { logout }');
}
