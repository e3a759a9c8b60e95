import { expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { type KeyHolder, makeDealer, makeKey, setPlan } from '../../../test/keys/key-holder.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { LOCAL_WEBHOOKS } from '../../../test/webhooks/dealer.ts';
import { linkExpiry, signToken } from '../../domain/action-links.ts';
import { passwordMark } from '../passwords.ts';

const api = setUpApi({ env: LOCAL_WEBHOOKS });

const access = `query ($token: String!) { resetAccess(token: $token) {
  apiKeys { id name prefix state } webhooks { id host createdAt } } }`;
const reset = `mutation ($token: String!, $next: String!, $keys: [ID!], $webhooks: [ID!]) {
  resetPassword(token: $token, newPassword: $next, endApiKeys: $keys, endWebhooks: $webhooks) { message } }`;

/** Makes the token of a link that is mailed now. */
async function tokenFor(userId: number): Promise<string> {
  const row = await api.db.row('select email, password_hash from users where id = $1', [userId]);
  const mark = passwordMark(row.password_hash, row.email);
  const expiresAt = linkExpiry('reset', new Date());
  return signToken(api.linkSecret, { action: 'reset', userId, passwordMark: mark, expiresAt });
}

async function makeWebhook(browser: Browser, port: number): Promise<string> {
  const { data } = await browser.gql(
    'mutation ($url: String!) { createWebhook(url: $url, events: ["match.created"]) { webhook { id } } }',
    { url: `http://127.0.0.1:${port}/a-secret-path` },
  );
  return data.createWebhook.webhook.id;
}

/** Opens a socket that subscribes to matches with a key; `closed` resolves with its close code. */
async function follow(key: KeyHolder): Promise<{ closed: Promise<number> }> {
  const closed = Promise.withResolvers<number>();
  const opened = Promise.withResolvers<void>();
  const client = key.socket({ onClosed: ({ code }) => closed.resolve(code) });
  client.on('connected', () => opened.resolve());
  client.subscribe({ query: 'subscription { matchAdded { cursor } }' }, { next() {}, error() {}, complete() {} });
  await opened.promise;
  return { closed: closed.promise };
}

const visitor = () => makeBrowser(api.url);
const statusOf = async (key: KeyHolder) => (await key.fetch('/api/user')).status;
const webhooksOf = async (userId: number) =>
  (await api.db.rows('select id from webhooks where user_id = $1 order by id', [userId])).map(({ id }) => String(id));

it('shows the access that continues after a new password, and ends what is chosen, with open sockets', async () => {
  const { browser, userId } = await makeDealer(api, 'robbed');
  const other = await makeDealer(api, 'neighbour');
  const [kept, ended, before] = [await makeKey(api, browser), await makeKey(api, browser), await makeKey(api, browser)];
  await browser.gql(`mutation { revokeApiKey(id: "${before.id}") }`);
  const theirs = await makeKey(api, other.browser);
  const [keptHook, endedHook] = [await makeWebhook(browser, 9001), await makeWebhook(browser, 9002)];
  const theirHook = await makeWebhook(other.browser, 9003);
  const token = await tokenFor(userId);

  const shown = await visitor().gql(access, { token });
  expect(shown.data.resetAccess).toEqual({
    apiKeys: [ended, kept].map(({ id }) => ({ id, name: 'A key', prefix: expect.any(String), state: 'active' })),
    webhooks: [
      { id: endedHook, host: '127.0.0.1:9002', createdAt: expect.any(String) },
      { id: keptHook, host: '127.0.0.1:9001', createdAt: expect.any(String) },
    ],
  });
  expect(JSON.stringify(shown.data)).not.toContain('a-secret-path');

  const endNamed = { token, keys: [ended.id, theirs.id, '999999'], webhooks: [endedHook, theirHook] };
  const short = await visitor().gql(reset, { ...endNamed, next: '12345' });
  expect(short.errors[0]?.extensions.fields).toHaveProperty('newPassword');
  expect([await statusOf(ended), await webhooksOf(userId)]).toEqual([200, [keptHook, endedHook]]);

  const { closed } = await follow(ended);
  await api.db.pool.query('delete from mails');
  const done = await visitor().gql(reset, { ...endNamed, next: 'another-secret-2' });
  expect(done.data.resetPassword.message).toContain('1 API key and 1 webhook were ended.');
  expect(await statusOf(ended)).toBe(401);
  expect(await closed).toBe(4401);
  expect([await statusOf(kept), await statusOf(theirs)]).toEqual([200, 200]);
  expect([await webhooksOf(userId), await webhooksOf(other.userId)]).toEqual([[keptHook], [theirHook]]);
  const rows = await api.db.rows('select kind, data from mails where user_id = $1', [userId]);
  expect(rows).toMatchObject([
    { kind: 'password_changed', data: { how: 'reset', ended: { webhooks: ['127.0.0.1:9002'] } } },
  ]);
  expect(rows[0].data.ended.apiKeys).toEqual([{ name: 'A key', prefix: ended.secret.slice(0, 16) }]);

  // The link is used up: it shows and ends nothing.
  const again = { ...endNamed, keys: [kept.id], webhooks: [keptHook], next: 'another-secret-3' };
  for (const refused of [await visitor().gql(access, { token }), await visitor().gql(reset, again)])
    expect(refused.errors[0]?.extensions.fields).toEqual({ token: expect.stringContaining('already been used') });
  expect([await statusOf(kept), await webhooksOf(userId)]).toEqual([200, [keptHook]]);
});

it('ends nothing that is not chosen, and shows keys that would work again after an upgrade', async () => {
  const { browser, userId } = await makeDealer(api, 'forgetful');
  const key = await makeKey(api, browser);
  await setPlan(api, userId, 1);
  const token = await tokenFor(userId);
  expect((await visitor().gql(access, { token })).data.resetAccess.apiKeys).toMatchObject([{ id: key.id }]);
  const done = await visitor().gql(reset, { token, next: 'another-secret-2' });
  expect(done.data.resetPassword.message).not.toContain('ended');
  await setPlan(api, userId, 4);
  expect(await statusOf(key)).toBe(200);
});

it('refuses a text that is not a link, and invalid lists', async () => {
  const { userId } = await makeDealer(api, 'careless');
  expect((await visitor().gql(access, { token: 'x.y' })).errors[0]?.extensions.code).toBe('VALIDATION');
  const token = await tokenFor(userId);
  const ask = async (keys: string[]) =>
    (await visitor().gql(reset, { token, next: 'another-secret-2', keys })).errors[0]?.extensions.code;
  expect(await ask(Array.from({ length: 101 }, (_, at) => String(at + 1)))).toBe('VALIDATION');
  expect(await ask(['{1}'])).toBe('NOT_FOUND');
  expect(await ask([])).toBeUndefined();
});

it('ends push notifications on all devices of the account and its shared links, and no others', async () => {
  const { userId } = await makeDealer(api, 'shared-laptop');
  const other = await makeDealer(api, 'their-neighbour');
  for (const id of [userId, other.userId]) {
    await api.db.pool.query(
      `insert into push_subscriptions (user_id, endpoint, p256dh, auth) values ($1, $2, 'key', 'secret')`,
      [id, `https://push.example/${id}`],
    );
    await api.db.pool.query(
      `insert into shared_links (user_id, listing_ids, token_hash, expires_at)
       values ($1, '{1}', $2, now() + interval '1 day')`,
      [id, Buffer.from(String(id))],
    );
  }
  await visitor().gql(reset, { token: await tokenFor(userId), keys: [], webhooks: [], next: 'another-secret-3' });
  expect(await api.db.rows('select user_id as id from push_subscriptions')).toEqual([{ id: other.userId }]);
  expect(await api.db.rows('select user_id as id from shared_links')).toEqual([{ id: other.userId }]);
});
