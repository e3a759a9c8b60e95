import { createHash } from 'node:crypto';
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
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
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
  const insert = async (table: string, row: Record<string, unknown>): Promise<string> => {
    const names = Object.keys(row);
    const { rows } = await pool.query<{ id: number | string }>(
      `insert into ${table} (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')}) returning *`,
      Object.values(row),
    );
    return String(rows[0]?.id);
  };
  const ofUser = { user_id: id };
  const webhook = await insert('webhooks', {
    ...ofUser,
    url: `https://hooks.example/${tag}`,
    events: ['match.created'],
    description: tag,
    secret_ciphertext: 'x',
  });
  const event = { ...ofUser, type: 'match.created', subject: tag, data: { title: tag } };
  const event_id = await insert('webhook_events', event);
  const delivery = await insert('webhook_deliveries', { ...ofUser, webhook_id: webhook, event_id });
  const key = await insert('api_keys', {
    ...ofUser,
    name: tag,
    prefix: tag,
    secret_hash: sha256(tag),
    scopes: ['read'],
  });
  const { rows: others } = await pool.query<{ id: number }>(
    `insert into session (sid, sess, expire)
     select 'other-' || $2, sess, expire from session where sess ->> 'userId' = $1::text limit 1 returning id`,
    [id, tag],
  );
  const device = { ...ofUser, endpoint: `https://push.example/${tag}`, p256dh: 'x', auth: 'x' };
  const device_id = await insert('push_subscriptions', device);
  const tomorrow = new Date(Date.now() + 86_400_000);
  const token_hash = sha256(sharedTokenOf(tag));
  const link = await insert('shared_links', { ...ofUser, alert_id: alert, token_hash, expires_at: tomorrow });
  await insert('billing_customers', { ...ofUser, customer_id: `cus-${tag}` });
  const url = `https://pay.example/${tag}`;
  await insert('billing_checkouts', { ...ofUser, plan_id: 2, session_id: `cs-${tag}`, url, status: 'open' });
  const request_id = `DR-A${String(id).padStart(5, '0')}`;
  if (id !== 1)
    await insert('deletion_requests', { request_id, ...ofUser, username: tag, reason: tag, status: 'rejected' });
  const sent = { ...ofUser, alert_id: alert, status: 'sent' };
  const mail_id = await insert('mails', { ...sent, kind: 'match', to_address: tag, sent_at: new Date() });
  await insert('notifications', { ...sent, listing_id: cars[0], mail_id, due_at: new Date() });
  offer(payments, `cs-${tag}`, `cus-${tag}`);
  return {
    alert: String(alert),
    listing: String(cars[0]),
    notification: mail_id,
    cursor: String(log.data.matchLog.nodes[0].cursor),
    webhook,
    delivery,
    key,
    session: String(others[0]?.id),
    device: device_id,
    link,
    sharedToken: sharedTokenOf(tag),
    checkout: `cs-${tag}`,
    user: String(id),
    request: request_id,
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
            email_confirmed_at = $4 where id = $1`,
    [id, 4, phone, role.isUnconfirmed ? null : new Date()],
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
  const read = async (select: string) => String((await api.db.row(`select ${select}`, [person.id]))?.id ?? '');
  const idIn = (table: string) => read(`id from ${table} where user_id = $1`);
  const own = {
    alert: String(person.alertId),
    listing: String(person.listingId),
    notification: await read('mail_id as id from notifications where user_id = $1 and mail_id is not null limit 1'),
    cursor: '0',
    webhook: await idIn('webhooks'),
    delivery: await idIn('webhook_deliveries'),
    key: await idIn('api_keys'),
    session: await read(`id from session where sess ->> 'userId' = $1::text limit 1`),
    device: await idIn('push_subscriptions'),
    link: await idIn('shared_links'),
    sharedToken: '',
    checkout: `${tag}-checkout`,
    user: String(person.id),
    request: await read(`request_id as id from deletion_requests where user_id = $1 and status = 'approved'`),
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
