import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeBrowser } from '../../test/browser.ts';
import { makeTestDatabase, type TestDatabase } from '../../test/database.ts';
import { setUpFolder } from '../../test/set-up.ts';
import { passwordMark } from '../accounts/passwords.ts';
import { seedAdmin } from '../accounts/seed-admin.ts';
import { freePort } from '../base/free-port.ts';
import { type Log, silentLog } from '../base/log.ts';
import { readSettings, type Settings } from '../base/settings/settings.ts';
import { seedPlans } from '../billing/plans.ts';
import { linkExpiry, signToken } from '../domain/action-links.ts';
import { derivedSecret, tableEncryptions, webhookEncryption } from '../from-settings.ts';
import { encryptedColumns, renewSecretsJob } from '../jobs/renew-secrets-job.ts';
import { buildApi } from './build-api.ts';

const OLD = 'the secret that was there at first, of 32 characters';
const NEW = 'the secret that comes after it, with as many of them';
const me = '{ me { username } }';

let db: TestDatabase;
const folder = setUpFolder();
beforeAll(async () => {
  db = await makeTestDatabase();
  await seedPlans(db.pool);
  await seedAdmin(db.pool, 'a password of the admin');
});
afterAll(async () => {
  await db.close();
});

const settingsWith = (secret: string, former = '', port = 0): Settings =>
  readSettings({
    ROLE: 'api',
    PORT: String(port),
    DATABASE_URL: db.url,
    DATA_DIR: folder,
    SESSION_SECRET: secret,
    SESSION_SECRET_FORMER: former,
    RATE_LIMITS: 'off',
    WEBHOOK_PRIVATE_NETWORK: 'on',
  });

/** Runs an API with these secrets during the work. */
async function under<T>(secret: string, former: string, work: (url: string) => Promise<T>): Promise<T> {
  const port = await freePort();
  const api = await buildApi(settingsWith(secret, former, port));
  await api.start();
  try {
    return await work(`http://127.0.0.1:${port}`);
  } finally {
    await api.close();
  }
}

async function isSignedIn(url: string, cookie: string): Promise<{ isIn: boolean; cookie: string }> {
  const browser = makeBrowser(url);
  browser.cookie = cookie;
  const { data } = await browser.gql(me);
  return { isIn: data.me !== null, cookie: browser.cookie ?? '' };
}

/** The result of each link: the page of one, and whether the other two are accepted. */
async function follow(
  url: string,
  { unsubscribe, confirm, reset }: Record<'unsubscribe' | 'confirm' | 'reset', string>,
) {
  const visitor = makeBrowser(url);
  const token = 'mutation ($token: String!)';
  const confirmed = await visitor.gql(`${token} { confirmEmail(token: $token) { message } }`, { token: confirm });
  const set = `${token} { resetPassword(token: $token, newPassword: "secret-2") { message } }`;
  return {
    unsubscribe: (await visitor.fetch(`/m/${unsubscribe}`)).status,
    confirm: confirmed.errors[0]?.message ?? 'taken',
    reset: (await visitor.gql(set, { token: reset })).errors[0]?.message ?? 'taken',
  };
}

it('keeps everything valid with a new SESSION_SECRET while the former one is configured, and encrypts everything again', async () => {
  const made = await under(OLD, '', async (url) => {
    const browser = makeBrowser(url);
    const userId = await browser.register('ana');
    await db.pool.query('update users set plan_id = 4 where id = $1', [userId]);
    const { data } = await browser.gql(`mutation {
      createAlert(input: { make: "toyota", location: "Los Angeles, CA", radius: 50 }) { id }
      createWebhook(url: "http://127.0.0.1:9/", events: ["match.created"]) { secret }
    }`);
    return {
      userId,
      cookie: browser.cookie ?? '',
      alertId: Number(data.createAlert.id),
      webhookSecret: data.createWebhook.secret,
    };
  });
  const { userId, alertId } = made;
  const row = await db.row('select email, password_hash as hash from users where id = $1', [userId]);
  const secret = derivedSecret(settingsWith(OLD), 'mail links');
  const expiresAt = linkExpiry('reset', new Date());
  const links = {
    unsubscribe: signToken(secret, { action: 'unsubscribe', alertId, userId, expiresAt: null }),
    confirm: signToken(secret, { action: 'confirm-email', userId, email: row.email, expiresAt }),
    reset: signToken(secret, {
      action: 'reset',
      userId,
      passwordMark: passwordMark(row.hash, row.email),
      expiresAt,
    }),
  };

  const lost = {
    unsubscribe: 400,
    confirm: 'This link is not valid.',
    reset: 'This link is not valid. Please ask for a new one.',
  };
  await under(NEW, '', async (url) => {
    expect((await isSignedIn(url, made.cookie)).isIn).toBe(false);
    expect(await follow(url, links)).toEqual(lost);
  });

  const renewed = await under(NEW, OLD, async (url) => {
    const { isIn, cookie } = await isSignedIn(url, made.cookie);
    expect(isIn).toBe(true);
    expect(cookie).not.toBe(made.cookie);
    // Setting a password ends all sessions; those below were started before.
    expect(await follow(url, { ...links, reset: 'none' })).toEqual({
      unsubscribe: 200,
      confirm: 'taken',
      reset: lost.reset,
    });
    return cookie;
  });

  const ciphertextOf = async () => (await db.row('select secret_ciphertext as ciphertext from webhooks')).ciphertext;
  expect(webhookEncryption(settingsWith(NEW, OLD)).decrypt(await ciphertextOf())).toBe(made.webhookSecret);
  const before = await ciphertextOf();
  expect(() => webhookEncryption(settingsWith(NEW)).decrypt(before)).toThrow();
  const lines: string[] = [];
  const log: Log = { ...silentLog, info: (line) => lines.push(line), warn: (line) => lines.push(line) };
  const settings = settingsWith(NEW, OLD);
  const { signal } = new AbortController();
  const parts = { pool: db.pool, log, signal, encryptions: tableEncryptions(settings), hasFormer: true };
  await renewSecretsJob.run(parts);
  const ciphertext = await ciphertextOf();
  await renewSecretsJob.run(parts);
  expect(lines).toEqual(['security event', 'no secret at rest needs SESSION_SECRET_FORMER']);
  expect(await ciphertextOf()).toBe(ciphertext);
  expect(webhookEncryption(settingsWith(NEW)).decrypt(ciphertext)).toBe(made.webhookSecret);

  await under(NEW, '', async (url) => {
    expect((await isSignedIn(url, made.cookie)).isIn).toBe(false);
    expect((await isSignedIn(url, renewed)).isIn).toBe(true);
    expect(await follow(url, links)).toEqual(lost);
  });
  await under(NEW, OLD, async (url) => {
    expect(await follow(url, links)).toMatchObject({ reset: 'taken' });
  });
}, 60_000);

it('logs a ciphertext of an unknown secret, and does not change it', async () => {
  const ciphertext = webhookEncryption(settingsWith('a secret that was lost, with its 32 characters')).encrypt(
    'whsec_1',
  );
  await db.pool.query('update webhooks set secret_ciphertext = $1', [ciphertext]);
  const lines: unknown[] = [];
  const log: Log = { ...silentLog, warn: (line, fields) => lines.push([line, fields]) };
  const settings = settingsWith(NEW, OLD);
  const { signal } = new AbortController();
  await renewSecretsJob.run({
    pool: db.pool,
    log,
    signal,
    encryptions: tableEncryptions(settings),
    hasFormer: true,
  });
  expect(lines).toEqual([['secrets at rest that no known SESSION_SECRET decrypts', { unreadable: 1 }]]);
  expect(await db.rows('select secret_ciphertext as ciphertext from webhooks')).toEqual([{ ciphertext }]);
});

it('lists every encrypted column', async () => {
  const rows = await db.rows(
    `select table_name as "table", column_name as "column" from information_schema.columns
      where table_schema = 'public' and column_name like '%\\_ciphertext' order by 1, 2`,
  );
  const known = encryptedColumns.map(({ table, column }) => ({ table, column }));
  expect(rows).toEqual(expect.arrayContaining(known));
  expect(known).toHaveLength(rows.length);
});
