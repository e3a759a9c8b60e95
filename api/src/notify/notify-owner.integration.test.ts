import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { type KeyHolder, makeDealer, makeKey } from '../../test/keys/key-holder.ts';
import { makeTestApi, setUpApi, type TestApi } from '../../test/make-app.ts';
import { LOCAL_WEBHOOKS } from '../../test/webhooks/dealer.ts';

let strict: TestApi;
const api = setUpApi({ env: LOCAL_WEBHOOKS }, async () => {
  strict = await makeTestApi({ db: api.db, env: { CONFIRM_EMAIL: 'on' } });
});
afterAll(async () => {
  await strict.close();
});
beforeEach(() => api.db.pool.query('delete from mails'));

const queuedMails = () =>
  api.db.rows('select kind, user_id as "userId", to_address as "to", data from mails order by created_at');
let dealers = 0;
async function newDealer(of = api) {
  dealers += 1;
  const name = `notified-${dealers}`;
  return { ...(await makeDealer(of, name)), email: `${name}@example.test` };
}
async function run(asked: Browser | KeyHolder, mutation: string) {
  const { data, errors } = await asked.gql(`mutation { ${mutation} }`);
  return { data, code: errors[0]?.extensions.code ?? 'OK' };
}

describe('the owner gets a mail', () => {
  it('about each key that is created, replaced or revoked, once', async () => {
    const { browser, userId, email } = await newDealer();
    const { data } = await run(browser, 'createApiKey(name: "Sync", scopes: [write]) { apiKey { id prefix } secret }');
    const { apiKey, secret } = data.createApiKey;
    const rotated = await run(browser, `rotateApiKey(id: ${apiKey.id}, overlapHours: 1) { apiKey { id } secret }`);
    const end = () => run(browser, `revokeApiKey(id: ${apiKey.id})`);
    expect([(await end()).code, (await end()).code]).toEqual(['OK', 'OK']);
    await run(browser, `rotateApiKey(id: ${rotated.data.rotateApiKey.apiKey.id}, overlapHours: 0) { secret }`);
    const mails = await queuedMails();
    const news = { name: 'Sync', mayWrite: true, at: expect.any(String) };
    expect(mails).toEqual(
      [
        { ...news, what: 'made', prefix: apiKey.prefix, worksUntil: null },
        { ...news, what: 'replaced', prefix: apiKey.prefix, worksUntil: expect.any(String) },
        { ...news, what: 'ended', prefix: apiKey.prefix, worksUntil: null },
        { ...news, what: 'replaced', prefix: expect.any(String), worksUntil: null },
      ].map((change) => ({ kind: 'key_changed', userId, to: email, data: change })),
    );
    const left = Date.parse(mails[1].data.worksUntil) - Date.now();
    expect(left).toBeGreaterThan(3_500_000);
    expect(left).toBeLessThan(3_600_001);
    expect(JSON.stringify(mails)).not.toContain(secret);
  });

  it('about nothing that was refused', async () => {
    const { browser } = await newDealer();
    for (const refused of [
      'createApiKey(name: "", scopes: [write]) { secret }',
      'revokeApiKey(id: 999999)',
      'createWebhook(url: "nowhere", events: ["match.created"]) { secret }',
      'changePassword(currentPassword: "wrong-1", newPassword: "secret-2") { message }',
    ])
      expect((await run(browser, refused)).code).not.toBe('OK');
    expect(await queuedMails()).toEqual([]);
  });

  it('about each webhook that is created or deleted, or gets another URL, other events or another secret', async () => {
    const { browser, userId, email } = await newDealer();
    const { data } = await run(
      browser,
      'createWebhook(url: "http://127.0.0.1:9001/a", events: ["match.created"]) { webhook { id } }',
    );
    const id = data.createWebhook.webhook.id;
    for (const change of [
      `updateWebhook(id: ${id}, url: "http://127.0.0.1:9001/a", events: ["match.created"], description: "x") { id }`,
      `updateWebhook(id: ${id}, url: "http://127.0.0.1:9002/b") { id }`,
      `updateWebhook(id: ${id}, events: ["alert.expiring"]) { id }`,
      `rotateWebhookSecret(id: ${id}) { webhook { id } }`,
      `pauseWebhook(id: ${id}) { id }`,
      `deleteWebhook(id: ${id})`,
    ])
      expect((await run(browser, change)).code).toBe('OK');
    const news = { host: '127.0.0.1:9002', hostBefore: null, byKey: false, at: expect.any(String) };
    expect(await queuedMails()).toEqual(
      [
        { ...news, what: 'added', host: '127.0.0.1:9001' },
        { ...news, what: 'moved', hostBefore: '127.0.0.1:9001' },
        { ...news, what: 'changed' },
        { ...news, what: 'new_secret' },
        { ...news, what: 'deleted' },
      ].map((change) => ({ kind: 'webhook_changed', userId, to: email, data: change })),
    );
  });

  it('about a changed password', async () => {
    const { browser, userId, email } = await newDealer();
    await run(browser, 'changePassword(currentPassword: "secret-1", newPassword: "secret-2") { message }');
    expect(await queuedMails()).toEqual([
      { kind: 'password_changed', userId, to: email, data: { at: expect.any(String), how: 'changed' } },
    ]);
  });

  it('only at an address that no other account has confirmed', async () => {
    const make = 'createApiKey(name: "x", scopes: [read]) { secret }';
    const { browser, userId, email } = await newDealer(strict);
    await api.db.pool.query('delete from mails');
    await run(browser, make);
    expect(await queuedMails()).toEqual([]);
    await api.db.pool.query('update users set email_confirmed_at = now() where id = $1', [userId]);
    await run(browser, make);
    expect((await queuedMails()).map(({ to }) => to)).toEqual([email]);
    // Another account has confirmed the address, so it belongs to somebody else.
    const other = await newDealer();
    await api.db.pool.query('update users set email = $2 where id = $1', [other.userId, email.toUpperCase()]);
    await run(other.browser, make);
    await api.db.pool.query(`update users set email = null, phone = '5125550100' where id = $1`, [other.userId]);
    await run(other.browser, make);
    expect(await queuedMails()).toHaveLength(1);
  });
});

describe('a key', () => {
  it('may choose the events of a webhook and pause it, but not change its URL or secret, replay or delete it', async () => {
    const { browser, userId } = await newDealer();
    const key = await makeKey(api, browser);
    const { data } = await run(
      browser,
      'createWebhook(url: "http://127.0.0.1:9/", events: ["match.created"], description: "mine") { webhook { id } }',
    );
    const id = data.createWebhook.webhook.id;
    const test = await run(key, `sendTestEvent(webhookId: ${id}) { id }`);
    await api.db.pool.query('delete from mails');
    const row = () =>
      api.db.rows('select url, secret_ciphertext, previous_secret_ciphertext from webhooks where id = $1', [id]);
    const before = await row();
    for (const refused of [
      `updateWebhook(id: ${id}, url: "http://127.0.0.1:8/") { id }`,
      `updateWebhook(id: ${id}, url: "http://127.0.0.1:9/") { id }`,
      `updateWebhook(id: ${id}, url: "", events: ["alert.expiring"]) { id }`,
      'createWebhook(url: "http://127.0.0.1:9/", events: ["match.created"]) { secret }',
      `rotateWebhookSecret(id: ${id}) { secret }`,
      `replayDelivery(id: ${test.data.sendTestEvent.id}) { id }`,
      `replayEvents(webhookId: ${id}, afterCursor: "0") { count }`,
      `deleteWebhook(id: ${id})`,
    ])
      expect([refused, (await run(key, refused)).code]).toEqual([refused, 'FORBIDDEN']);
    expect(await row()).toEqual(before);
    for (const taken of [
      `updateWebhook(id: ${id}, events: ["alert.expiring"], description: "x") { id }`,
      `pauseWebhook(id: ${id}) { id }`,
      `resumeWebhook(id: ${id}) { id }`,
    ])
      expect([taken, (await run(key, taken)).code]).toEqual([taken, 'OK']);
    expect(await queuedMails()).toMatchObject([
      { kind: 'webhook_changed', userId, data: { what: 'changed', byKey: true } },
    ]);
  });
});
