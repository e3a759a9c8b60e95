import { describe, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { makeDealer, makeKey, setPlan } from '../../../test/keys/key-holder.ts';
import { ADMIN_PASSWORD, makeTestApi, setUpApi } from '../../../test/make-app.ts';
import { LOCAL_WEBHOOKS } from '../../../test/webhooks/dealer.ts';

const api = setUpApi({ env: LOCAL_WEBHOOKS });

const confirm = 'mutation ($password: String!) { confirmPassword(currentPassword: $password) { message } }';
const json = { 'content-type': 'application/json' };

/** Moves the time at which the password was entered back, in all sessions of a user. */
const letMinutesPass = (userId: number, minutes: number) =>
  api.db.pool.query(
    `update session set sess = jsonb_set(sess::jsonb, '{passwordGivenAt}',
       to_jsonb((sess ->> 'passwordGivenAt')::int8 - $2::int8))::json where sess ->> 'userId' = $1`,
    [String(userId), minutes * 60_000],
  );

type Answer = Awaited<ReturnType<Browser['gql']>>;
const codeOf = (answer: Answer) => answer.errors[0]?.extensions.code ?? 'OK';

let people = 0;
async function newDealer() {
  people += 1;
  const name = `careful-${people}`;
  const { browser, userId } = await makeDealer(api, name);
  return { name, browser, userId };
}

describe('a session without a recent password entry', () => {
  it('is refused every operation that could take over the account until the password is entered', async () => {
    const { browser, userId } = await newDealer();
    const key = await makeKey(api, browser);
    const made = await browser.gql(
      'mutation { createWebhook(url: "http://127.0.0.1:9/", events: ["match.created"]) { webhook { id } } }',
    );
    const webhook = made.data.createWebhook.webhook.id;
    const test = await browser.gql(`mutation { sendTestEvent(webhookId: ${webhook}) { id } }`);
    const calls = [
      'updateProfile(input: { email: "thief@example.test" }) { id }',
      'updateProfile(input: { phone: "512-555-0142" }) { id }',
      'sendPhoneCode { message }',
      'confirmPhone(code: "123456") { id }',
      'createApiKey(name: "x", scopes: [write]) { secret }',
      `rotateApiKey(id: ${key.id}) { secret }`,
      'createWebhook(url: "http://127.0.0.1:9/", events: ["match.created"]) { secret }',
      `updateWebhook(id: ${webhook}, url: "http://127.0.0.1:8/") { id }`,
      `updateWebhook(id: ${webhook}, events: ["alert.expiring"]) { id }`,
      `rotateWebhookSecret(id: ${webhook}) { secret }`,
      `replayDelivery(id: ${test.data.sendTestEvent.id}) { id }`,
      `replayEvents(webhookId: ${webhook}, afterCursor: "0") { count }`,
      'exportMyData',
      `revokeApiKey(id: ${key.id})`,
      `deleteWebhook(id: ${webhook})`,
      'requestDeletion(reason: "x") { id }',
    ];
    const codes = async () => {
      const found: unknown[] = [];
      for (const call of calls) found.push(codeOf(await browser.gql(`mutation { ${call} }`)));
      return found;
    };
    const state = async () => {
      const selected = [
        'select email, phone, phone_confirmed_at from users where id = $1',
        ...['api_keys', 'webhooks', 'webhook_deliveries'].map(
          (table) => `select json_agg(t order by id) as rows from ${table} t where user_id = $1`,
        ),
        ...['phone_codes', 'mails', 'deletion_requests'].map(
          (table) => `select count(*) from ${table} where user_id = $1`,
        ),
      ];
      return Promise.all(selected.map((text) => api.db.row(text, [userId])));
    };
    await letMinutesPass(userId, 10);
    const before = await state();
    expect(await codes()).toEqual(calls.map(() => 'PASSWORD_NEEDED'));
    expect(await state()).toEqual(before);
    expect(codeOf(await browser.gql(confirm, { password: 'secret-1' }))).toBe('OK');
    const taken = await codes();
    // The code is wrong, but the request gets as far as checking it.
    expect(taken).toEqual(calls.map((call) => (call.startsWith('confirmPhone') ? 'VALIDATION' : 'OK')));
  });

  it('counts the login as an entry for ten minutes, and may do everything else without one', async () => {
    const { name, userId } = await newDealer();
    const browser = makeBrowser(api.url);
    await browser.login(name);
    const ask = async () => codeOf(await browser.gql('mutation { exportMyData }'));
    await letMinutesPass(userId, 9);
    expect(await ask()).toBe('OK');
    await letMinutesPass(userId, 1);
    expect(await ask()).toBe('PASSWORD_NEEDED');
    for (const call of [
      'updateProfile(input: { timeZone: "America/Denver" }) { id }',
      `updateProfile(input: { email: "${name.toUpperCase()}@example.test" }) { id }`,
      'createAlert(input: { make: "toyota", location: "90001", radius: 50 }) { id }',
      'changePassword(currentPassword: "secret-1", newPassword: "secret-2") { message }',
    ])
      expect([call, codeOf(await browser.gql(`mutation { ${call} }`))]).toEqual([call, 'OK']);
    // Changing the password includes entering it.
    expect(await ask()).toBe('OK');
  });

  it('is refused when it is older than the record of entries', async () => {
    const { browser, userId } = await newDealer();
    await api.db.pool.query(
      `update session set sess = (sess::jsonb - 'passwordGivenAt')::json where sess ->> 'userId' = $1`,
      [String(userId)],
    );
    expect(codeOf(await browser.gql('mutation { exportMyData }'))).toBe('PASSWORD_NEEDED');
  });

  it('executes no part of a document in which one part needs the password', async () => {
    const { browser, userId } = await newDealer();
    await letMinutesPass(userId, 10);
    const create = 'createAlert(input: { make: "toyota", location: "90001", radius: 50 }) { id }';
    const refused = await browser.gql(`mutation { ${create} ...more } fragment more on Mutation { all: exportMyData }`);
    expect([refused.status, codeOf(refused)]).toEqual([200, 'PASSWORD_NEEDED']);
    expect((await browser.gql('{ alerts { id } }')).data.alerts).toEqual([]);
  });

  it('is refused over a WebSocket too', async () => {
    const { browser, userId } = await newDealer();
    const ask = async () => {
      const client = browser.socket();
      const run = client.iterate({ query: 'mutation { exportMyData }' });
      const answer = await run.next().catch((errors: unknown) => errors);
      await client.dispose();
      return answer;
    };
    expect(await ask()).toMatchObject({ value: { data: { exportMyData: expect.anything() } } });
    await letMinutesPass(userId, 10);
    expect(await ask()).toMatchObject([{ extensions: { code: 'PASSWORD_NEEDED' } }]);
  });
});

describe('REST', () => {
  const send = async (browser: Browser, path: string, method: string, body?: object) => {
    const answer = await browser.fetch(path, { method, ...(body && { headers: json, body: JSON.stringify(body) }) });
    return [answer.status, ((await answer.json()) as { code?: string }).code ?? 'OK'];
  };

  it('needs the password for the same operations, and accepts it', async () => {
    const { browser, userId } = await newDealer();
    const patch = () => send(browser, '/api/user/profile', 'PATCH', { phone: '512-555-0143' });
    await letMinutesPass(userId, 10);
    expect(await patch()).toEqual([403, 'PASSWORD_NEEDED']);
    const give = (currentPassword: string) => send(browser, '/api/user/confirm-password', 'POST', { currentPassword });
    expect(await give('wrong-1')).toEqual([400, 'VALIDATION']);
    expect(await patch()).toEqual([403, 'PASSWORD_NEEDED']);
    expect(await give('secret-1')).toEqual([200, 'OK']);
    expect(await patch()).toEqual([200, 'OK']);
  });

  it('needs the admin’s password before an account is erased', async () => {
    const { browser, userId } = await newDealer();
    await browser.gql('mutation { requestDeletion(reason: "x") { id } }');
    await api.db.pool.query(`update deletion_requests set status = 'approved' where user_id = $1`, [userId]);
    const admin = makeBrowser(api.url);
    await admin.login('admin', ADMIN_PASSWORD);
    const execute = () => send(admin, `/api/admin/execute-deletion/${userId}`, 'POST');
    await letMinutesPass(1, 10);
    expect(await execute()).toEqual([403, 'PASSWORD_NEEDED']);
    expect((await api.db.pool.query('select from users where id = $1', [userId])).rowCount).toBe(1);
    await admin.gql(confirm, { password: ADMIN_PASSWORD });
    expect(await execute()).toEqual([200, 'OK']);
  });
});

describe('entering the password', () => {
  it('is refused with an error on its field when it is wrong, and changes nothing', async () => {
    const { browser, userId } = await newDealer();
    await letMinutesPass(userId, 10);
    for (const [password, text] of [
      ['wrong-1', 'Current password is incorrect'],
      ['', 'Current password is required'],
      ['x'.repeat(100_000), 'Current password is incorrect'],
    ]) {
      const { errors } = await browser.gql(confirm, { password });
      expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION', fields: { currentPassword: text } });
    }
    expect(codeOf(await browser.gql('mutation { exportMyData }'))).toBe('PASSWORD_NEEDED');
    expect(codeOf(await makeBrowser(api.url).gql(confirm, { password: 'secret-1' }))).toBe('UNAUTHENTICATED');
  });

  it('counts for that session only', async () => {
    const { name, browser, userId } = await newDealer();
    const other = makeBrowser(api.url);
    await other.login(name);
    await letMinutesPass(userId, 10);
    await browser.gql(confirm, { password: 'secret-1' });
    expect(codeOf(await browser.gql('mutation { exportMyData }'))).toBe('OK');
    expect(codeOf(await other.gql('mutation { exportMyData }'))).toBe('PASSWORD_NEEDED');
  });

  it('does not restore a session that ended meanwhile', async () => {
    const { browser, userId } = await newDealer();
    const given = Promise.all(Array.from({ length: 5 }, () => browser.gql(confirm, { password: 'secret-1' })));
    await api.db.pool.query(`delete from session where sess ->> 'userId' = $1`, [String(userId)]);
    await given;
    expect((await browser.gql('{ me { id } }')).data.me).toBeNull();
  });

  it('is rate limited like logins, together with changes of the password', async () => {
    const limited = await makeTestApi({ db: api.db, env: { RATE_LIMITS: 'on', RATE_LOGINS_PER_ACCOUNT: '2' } });
    const { browser } = await limited.user('guessed-often');
    const guess = async () => (await browser.gql(confirm, { password: 'wrong-1' })).status;
    expect([await guess(), await guess(), await guess()]).toEqual([200, 200, 429]);
    const change = 'mutation { changePassword(currentPassword: "wrong-2", newPassword: "secret-2") { message } }';
    expect((await browser.gql(change)).status).toBe(429);
    await limited.close();
  });

  it('is refused with an API key, which never needs it', async () => {
    const { browser, userId } = await newDealer();
    const key = await makeKey(api, browser);
    await letMinutesPass(userId, 10);
    expect(codeOf(await key.gql(confirm, { password: 'secret-1' }))).toBe('FORBIDDEN');
    expect(codeOf(await key.gql('mutation { exportMyData }'))).toBe('FORBIDDEN');
    const alert = 'mutation { createAlert(input: { make: "toyota", location: "90001", radius: 50 }) { id } }';
    expect(codeOf(await key.gql(alert))).toBe('OK');
    await setPlan(api, userId, 1);
  });
});
