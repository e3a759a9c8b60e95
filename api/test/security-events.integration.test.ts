import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { passwordMark } from '../src/accounts/passwords.ts';
import { makeEncryption } from '../src/base/encryption.ts';
import { type Log, silentLog } from '../src/base/log.ts';
import { makeSecurityLog, type SecurityEvent, securityEvents } from '../src/base/security-events.ts';
import { linkExpiry, signToken } from '../src/domain/action-links.ts';
import { renewSecretsJob } from '../src/jobs/renew-secrets-job.ts';
import { enqueueMail } from '../src/notify/enqueue-mail.ts';
import { appCode, type Browser, makeBrowser } from './browser.ts';
import { WEBHOOK_KEY } from './mail/sendgrid-events.ts';
import { setUpApi } from './make-app.ts';
import { makeFakePayments } from './payments/fake-payments.ts';
import { newTestSubscription } from './push/push-service.ts';

interface Line {
  event: SecurityEvent;
  [field: string]: unknown;
}

const lines: Line[] = [];
const log: Log = {
  ...silentLog,
  info: (message, fields) => message === 'security event' && lines.push(fields as Line),
};
const api = setUpApi({
  log,
  env: {
    RATE_LIMITS: 'on',
    RATE_LOGINS_PER_ACCOUNT: '3',
    RATE_LOGINS_PER_ADDRESS: '1000',
    WEBHOOK_PRIVATE_NETWORK: 'on',
    SENDGRID_WEBHOOK_KEY: WEBHOOK_KEY,
  },
  payments: makeFakePayments(),
});

const login = 'mutation ($u: String!, $p: String!) { login(username: $u, password: $p) { id } }';
/** Runs the work. @returns the events that it wrote */
const since = async (work: () => Promise<unknown>): Promise<Line[]> => {
  const before = lines.length;
  await work();
  return lines.slice(before);
};
const namesOf = (some: Line[]) => some.map(({ event }) => event);

async function act(browser: Browser, mutation: string, variables: Record<string, unknown> = {}) {
  const { data, errors } = await browser.gql(mutation, variables);
  if (errors[0]) throw new Error(errors[0].message);
  return data;
}

/** Queues more mails than a day allows for one address. @returns the events that the process wrote to standard error */
async function mailTooOften(userId: number): Promise<unknown[]> {
  const written: Line[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    const { at: _at, level: _level, part: _part, message, ...fields } = JSON.parse(String(line));
    return message === 'security event' && written.push(fields) > 0;
  });
  const data = { cap: 1, resetsAt: new Date().toISOString() };
  for (let mails = 0; mails < 6; mails += 1)
    await enqueueMail(api.db.pool, { kind: 'text_cap', userId, to: 'zq-much@example.test', data });
  spy.mockRestore();
  lines.push(...written);
  return written;
}

it('every event is written with its fields and without personal data', async () => {
  const { browser: ana, id: userId } = await api.user('zq-ana', { email: 'zq-ana@example.test' });
  const phone = makeBrowser(api.url);
  await phone.login('zq-ana', 'zq-wrong');
  await act(phone, login, { u: 'zq-ana', p: 'secret-1' });
  await act(phone, 'mutation { logout }');

  expect(namesOf(await since(() => ana.gql('{ deletionRequests { id } }')))).toEqual(['permission.refused']);
  expect(await since(() => ana.fetch('/api/admin/execute-deletion/12', { method: 'POST' }))).toMatchObject([
    { event: 'permission.refused', userId, operation: 'POST /api/admin/execute-deletion/…' },
  ]);
  const foreign = { method: 'POST', headers: { origin: 'https://evil.example', 'content-type': 'application/json' } };
  expect(namesOf(await since(() => ana.fetch('/graphql', foreign)))).toEqual(['permission.refused']);
  for (const vendor of ['sendgrid', 'twilio', 'stripe']) {
    const unsigned = () => fetch(`${api.url}/api/webhooks/${vendor}`, { method: 'POST', body: '{"zq":1}' });
    expect(await since(unsigned)).toMatchObject([{ event: 'signature.refused', vendor }]);
    expect(await since(unsigned)).toEqual([]);
  }
  expect(await since(() => ana.gql('{ me { nothing } }'))).toEqual([]);

  await api.db.pool.query('update users set plan_id = 4 where id = $1', [userId]);
  const { createApiKey } = await act(
    ana,
    'mutation { createApiKey(name: "zq-key", scopes: [read]) { secret apiKey { id } } }',
  );
  const withKey = (secret: string) => ({ headers: { authorization: `Bearer ${secret}` } });
  expect(await since(() => fetch(`${api.url}/api/user`, withKey('zq-no-key')))).toMatchObject([
    { event: 'key.refused', operation: 'GET /api/user' },
  ]);
  const notForKeys = await since(() =>
    makeBrowser(api.url, null).gql('{ apiKeys { id } }', {}, withKey(createApiKey.secret).headers),
  );
  expect(notForKeys).toMatchObject([{ event: 'permission.refused', userId, keyId: Number(createApiKey.apiKey.id) }]);
  const { rotateApiKey } = await act(ana, 'mutation ($id: ID!) { rotateApiKey(id: $id) { apiKey { id } } }', {
    id: createApiKey.apiKey.id,
  });
  await act(ana, 'mutation ($id: ID!) { revokeApiKey(id: $id) }', { id: rotateApiKey.apiKey.id });

  const { createWebhook } = await act(
    ana,
    'mutation { createWebhook(url: "http://127.0.0.1:9/zq", events: ["match.created"]) { webhook { id } } }',
  );
  const { id } = createWebhook.webhook;
  await act(ana, 'mutation ($id: ID!) { updateWebhook(id: $id, description: "zq") { id } }', { id });
  await act(ana, 'mutation ($id: ID!) { rotateWebhookSecret(id: $id) { secret } }', { id });
  const encryption = makeEncryption(['a secret that came after the other one', api.sessionSecret], 'webhook secrets');
  const signal = new AbortController().signal;
  await renewSecretsJob.run({
    pool: api.db.pool,
    log,
    signal,
    encryptions: {
      webhooks: encryption,
      second_factors: encryption,
      sources: encryption,
      source_accounts: encryption,
      vapid_keys: encryption,
    },
    hasFormer: true,
  });
  await act(ana, 'mutation ($id: ID!) { deleteWebhook(id: $id) }', { id });

  const device = { endpoint: 'https://push.example/zq', ...newTestSubscription() };
  const add = 'mutation ($d: PushSubscriptionInput!) { addPushSubscription(input: $d) { id } }';
  expect(namesOf(await since(() => act(ana, add, { d: device })))).toEqual(['push.added']);
  // A browser that is known already is none that was added.
  const again = await act(ana, add, { d: device });
  await act(ana, 'mutation ($id: ID!) { removePushSubscription(id: $id) }', { id: again.addPushSubscription.id });

  const alert = await ana.createAlert();
  const share = 'mutation ($id: ID!) { shareAlert(id: $id) { id } }';
  const { shareAlert } = await act(ana, share, { id: String(alert) });
  await act(ana, 'mutation ($id: ID!) { endSharedLink(id: $id) }', { id: shareAlert.id });

  const { startSecondFactor } = await act(ana, 'mutation { startSecondFactor { secret } }');
  const code = () => ({ c: appCode(startSecondFactor.secret) });
  await act(ana, 'mutation ($c: String!) { confirmSecondFactor(code: $c) { codes } }', code());
  await api.db.pool.query('update second_factors set last_step = null where user_id = $1', [userId]);
  const renew = 'mutation ($c: String!) { renewRecoveryCodes(code: $c) { codes } }';
  const { renewRecoveryCodes } = await act(ana, renew, code());
  const [first, second] = renewRecoveryCodes.codes;
  await api.db.pool.query('delete from rate_limits');
  const withCode = 'mutation ($c: String) { login(username: "zq-ana", password: "secret-1", code: $c) { id } }';
  await phone.gql(withCode, { c: '000000' });
  await act(phone, withCode, { c: first });
  await act(ana, 'mutation ($c: String!) { endSecondFactor(code: $c) { message } }', { c: second });

  await ana.gql('mutation { confirmPassword(currentPassword: "zq-wrong") { message } }');
  await act(ana, 'mutation { confirmPassword(currentPassword: "secret-1") { message } }');
  await act(phone, 'mutation { requestPasswordReset(email: "zq-ana@example.test") { message } }');
  await act(ana, 'mutation { changePassword(currentPassword: "secret-1", newPassword: "secret-2") { message } }');
  const row = await api.db.row('select email, password_hash as hash from users where id = $1', [userId]);
  const mark = passwordMark(row.hash, row.email);
  const expiresAt = linkExpiry('reset', new Date());
  const token = signToken(api.linkSecret, { action: 'reset', userId, passwordMark: mark, expiresAt });
  const reset = 'mutation ($token: String!) { resetPassword(token: $token, newPassword: "secret-3") { message } }';
  expect(await since(() => act(makeBrowser(api.url), reset, { token }))).toMatchObject([
    { event: 'password.changed', userId, how: 'mailed link' },
    { event: 'session.ended', userId, because: 'password' },
  ]);
  await act(ana, login, { u: 'zq-ana', p: 'secret-3' });
  const email = 'zq-new@example.test';
  const change = 'mutation ($email: String) { updateProfile(input: { email: $email }) { id } }';
  expect(await since(() => act(ana, change, { email }))).toEqual([]);
  const confirm = signToken(api.linkSecret, { action: 'confirm-email', userId, email, expiresAt });
  const press = (token: string) => fetch(`${api.url}/m/${token}`, { method: 'POST' });
  const confirmed = () => fetch(`${api.url}/confirm-email/${confirm}`, { method: 'POST' });
  expect(await since(confirmed)).toEqual([{ event: 'email.changed', userId }]);
  const undo = { action: 'undo-email', userId, email: 'zq-ana@example.test', expiresAt } as const;
  expect(await since(() => press(signToken(api.linkSecret, undo)))).toMatchObject([
    { event: 'email.changed', userId },
    { event: 'session.ended', userId, because: 'address put back' },
  ]);
  expect(await mailTooOften(userId)).toEqual([{ event: 'mail.capped', userId, kind: 'text_cap' }]);
  await api.db.pool.query('update users set password_hash = $2 where id = $1', [userId, row.hash]);
  await act(ana, login, { u: 'zq-ana', p: 'secret-2' });
  await act(ana, 'mutation { endOtherSessions }');
  const guesses = await since(async () => {
    for (let tries = 0; tries < 5; tries += 1) await makeBrowser(api.url).login('zq-nobody', 'zq-wrong');
  });
  // A second refusal within a minute is not written.
  expect(namesOf(guesses)).toEqual(['login.failed', 'login.failed', 'login.failed', 'limit.hit']);

  expect(new Set(namesOf(lines))).toEqual(new Set(Object.keys(securityEvents)));
  for (const { event, ...fields } of lines)
    expect([event, Object.keys(fields).sort()]).toEqual([event, [...securityEvents[event].fields].sort()]);
  const text = JSON.stringify(lines);
  for (const personal of ['zq', 'example', '127.0.0.1', 'secret-', token.slice(0, 20)])
    expect(text).not.toContain(personal);
});

const page = readFileSync(new URL('../docs/security-events.md', import.meta.url), 'utf8');

it('the page lists every security event with its fields, and no other', () => {
  const rows = [...page.matchAll(/^\| `([\w.]+)` \| (.+) \| (.+) \|$/gm)].map(([, event, description, fields]) => [
    event,
    description,
    fields?.replaceAll('`', '').split(', '),
  ]);
  expect(rows).toEqual(
    Object.entries(securityEvents).map(([event, { description, fields }]) => [event, description, [...fields]]),
  );
});

const linesOf = () => {
  const lines: unknown[] = [];
  const at = { ms: 0 };
  const log = { ...silentLog, info: (_message: string, fields: unknown) => lines.push(fields) };
  return { lines, at, security: makeSecurityLog(log, 'a secret', () => at.ms) };
};

it('writes the same refusal once a minute, and every other event each time', () => {
  const { lines, at, security } = linesOf();
  const hit = (operation: string) => security.record('limit.hit', { userId: 7, operation });
  hit('me');
  hit('me');
  hit('alerts');
  security.record('login.failed', { account: 'a' });
  security.record('login.failed', { account: 'a' });
  at.ms = 60_001;
  hit('me');
  expect(lines).toEqual([
    { event: 'limit.hit', userId: 7, operation: 'me' },
    { event: 'limit.hit', userId: 7, operation: 'alerts' },
    { event: 'login.failed', account: 'a' },
    { event: 'login.failed', account: 'a' },
    { event: 'limit.hit', userId: 7, operation: 'me' },
  ]);
});

it('hashes equal names equally, and needs the secret to do so', () => {
  const { security } = linesOf();
  expect(security.hash(' Ana ')).toBe(security.hash('ana'));
  expect(security.hash('ana')).toMatch(/^[\w-]{16}$/);
  expect(security.hash('ana')).not.toBe(makeSecurityLog(silentLog, 'another secret').hash('ana'));
  expect(makeSecurityLog(silentLog, ['a secret', 'one before']).hash('ana')).toBe(security.hash('ana'));
});
