import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type Browser } from '../../../test/browser.ts';
import { storeCars } from '../../../test/factories.ts';
import {
  createKey,
  type KeyHolder,
  makeDealer,
  makeKey,
  makeKeyHolder,
  setPlan,
} from '../../../test/keys/key-holder.ts';
import { makeTestApi, setUpApi } from '../../../test/make-app.ts';
import { holdBody } from '../../../test/raw-socket.ts';
import { generateApiKey } from '../../domain/api-key.ts';

let dealer: { browser: Browser; userId: number };
let key: KeyHolder;
const api = setUpApi({}, async () => {
  dealer = await makeDealer(api, 'dealer');
  key = await makeKey(api, dealer.browser);
});

const alertInput = { make: 'toyota', location: 'Hoonah, AK', radius: 50 };
const create = 'mutation ($input: AlertInput!) { createAlert(input: $input) { id } }';
const json = { 'content-type': 'application/json' };

/** Sends headers that `fetch` would join or refuse. */
const raw = (path: string, headers: string[], method = 'GET') =>
  new Promise<{ status: number; body: string; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
    const call = httpRequest(api.url + path, { method, headers: ['Host', 'x', ...headers] }, (response) => {
      let body = '';
      response.on('data', (data) => {
        body += data;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body, headers: response.headers }));
    });
    call.on('error', reject);
    call.end();
  });

describe('a key', () => {
  it('authenticates its owner on GraphQL and REST, without an Origin or a session', async () => {
    const { data } = await key.gql('{ me { id username } }');
    expect(data.me).toEqual({ id: String(dealer.userId), username: 'dealer' });
    const sessions = () => api.db.rows('select sid, expire from session order by sid');
    const before = await sessions();
    const user = await key.fetch('/api/user', { headers: { origin: 'https://elsewhere.example' } });
    expect([user.status, user.headers.get('set-cookie')]).toEqual([200, null]);
    expect(await user.json()).toMatchObject({ username: 'dealer' });
    const made = await key.fetch('/api/alerts', {
      method: 'POST',
      headers: { ...json, origin: 'https://elsewhere.example', cookie: dealer.browser.cookie ?? '' },
      body: JSON.stringify(alertInput),
    });
    expect(made.status).toBe(201);
    expect(await sessions()).toEqual(before);
  });

  it('never falls back to the cookie', async () => {
    const cookie = dealer.browser.cookie ?? '';
    const other = generateApiKey(Buffer.alloc(32, 7)).text;
    const typo = key.secret.slice(0, -1) + (key.secret.endsWith('a') ? 'b' : 'a');
    const forged = `${key.secret.slice(0, 20)}${generateApiKey(Buffer.alloc(32, 9)).text.slice(20)}`;
    for (const authorization of [
      '',
      ' ',
      'Bearer',
      'Bearer ',
      `Basic ${Buffer.from('a:b').toString('base64')}`,
      `Bearer ${typo}`,
      `Bearer ${other}`,
      `Bearer ${forged}`,
      `Bearer ${key.secret} ${key.secret}`,
      `Bearer ${key.secret},${key.secret}`,
      `Bearer ${'x'.repeat(12_000)}`,
      `Bearer ${Buffer.from([0xff, 0xfe, 0x80]).toString('latin1')}`,
      key.secret,
    ]) {
      for (const path of ['/api/user', '/api/subscription/plans', '/graphql?query={me{id}}']) {
        const refused = await raw(path, [
          ...['Cookie', cookie, 'Authorization', authorization, 'Apollo-Require-Preflight', 'yes'],
        ]);
        expect([authorization, path, refused.status]).toEqual([authorization, path, 401]);
        expect(JSON.parse(refused.body)).toMatchObject({ code: 'UNAUTHENTICATED' });
        expect(refused.headers['set-cookie']).toBeUndefined();
      }
    }
    const twice = ['Authorization', `Bearer ${key.secret}`, 'Authorization', `Bearer ${key.secret}`];
    expect((await raw('/api/user', twice)).status).toBe(401);
    expect((await raw('/api/user', ['Authorization', `bearer   ${key.secret}  `])).status).toBe(200);
  });

  it('that is too large for a header gets an error', async () => {
    const huge = await raw('/api/user', ['Authorization', `Bearer ${'x'.repeat(100_000)}`]);
    expect([huge.status, JSON.parse(huge.body).code]).toEqual([431, 'TOO_LARGE']);
  });

  it('is refused on other plans than Elite, with the reason, and works again after an upgrade', async () => {
    for (const plan of [1, 2, 3]) {
      await setPlan(api, dealer.userId, plan);
      const refused = await key.fetch('/api/user');
      expect(refused.status).toBe(403);
      expect(await refused.json()).toMatchObject({
        code: 'PLAN_REQUIRED',
        needsUpgrade: true,
        message: 'API access is part of the Elite plan. Please upgrade to use it.',
      });
      expect((await key.gql('{ me { id } }')).status).toBe(403);
      const { errors } = await dealer.browser.gql(createKey, { name: 'x', scopes: ['read'] });
      expect(errors[0]?.extensions).toMatchObject({ code: 'PLAN_REQUIRED', needsUpgrade: true });
    }
    await setPlan(api, dealer.userId, 4);
    expect((await key.fetch('/api/user')).status).toBe(200);
  });

  it('with the scope read can read, and change nothing', async () => {
    const reader = await makeKey(api, dealer.browser, ['read']);
    expect((await reader.gql('{ alerts { id } }')).data.alerts).toHaveLength(1);
    expect((await reader.fetch('/api/alerts/user')).status).toBe(200);
    const refused = await reader.gql(create, { input: alertInput });
    expect([refused.status, refused.errors[0]?.extensions.code]).toEqual([403, 'FORBIDDEN']);
    expect(refused.errors[0]?.message).toContain('may only read');
    const rest = await reader.fetch('/api/alerts', {
      method: 'POST',
      headers: json,
      body: JSON.stringify(alertInput),
    });
    expect([rest.status, ((await rest.json()) as { code: string }).code]).toEqual([403, 'FORBIDDEN']);
    expect((await reader.gql('{ alerts { id } }')).data.alerts).toHaveLength(1);
  });

  it('that ends while the body of a request comes in does nothing more', async () => {
    const ended = await makeKey(api, dealer.browser);
    const body = JSON.stringify({ query: create, variables: { input: alertInput } });
    const { answered, finish } = holdBody(api.port, { authorization: `Bearer ${ended.secret}` }, body);
    await new Promise((resolve) => setTimeout(resolve, 700));
    await dealer.browser.gql(`mutation { revokeApiKey(id: "${ended.id}") }`);
    // Responses are aborted when their key ends.
    await new Promise((resolve) => setTimeout(resolve, 400));
    finish();
    expect(await answered).not.toContain('"createAlert"');
  });

  it('is refused for the account, its keys, payments and data, whatever its scopes', async () => {
    for (const operation of [
      'mutation { changePassword(currentPassword: "secret-1", newPassword: "secret-2") { message } }',
      'mutation { updateProfile(input: { email: "new@example.test" }) { id } }',
      'mutation { login(username: "dealer", password: "secret-1") { id } }',
      'mutation { logout }',
      'mutation { createApiKey(name: "x", scopes: [read]) { secret } }',
      `mutation { rotateApiKey(id: "${key.id}") { secret } }`,
      `mutation { revokeApiKey(id: "${key.id}") }`,
      '{ apiKeys { id } }',
      '{ apiUsage { ok } }',
      'mutation { subscribe(planId: "1") { url } }',
      'mutation { openBillingPortal }',
      'mutation { requestDeletion(reason: "x") { id } }',
      'mutation { exportMyData }',
      '{ myDeletionRequests { id } }',
    ]) {
      const { status, errors } = await key.gql(operation);
      expect([operation, status, errors[0]?.extensions.code]).toEqual([operation, 403, 'FORBIDDEN']);
    }
    const login = await key.fetch('/api/login', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ username: 'dealer', password: 'secret-1' }),
    });
    expect([login.status, login.headers.get('set-cookie')]).toEqual([403, null]);
    expect((await key.fetch('/api/user')).status).toBe(200);
  });

  it('executes no part of a document that contains such a field, even behind aliases and fragments', async () => {
    const count = async () => (await key.gql('{ alerts { id } }')).data.alerts.length;
    const before = await count();
    const refused = await key.gql(
      `mutation ($input: AlertInput!) { mine: createAlert(input: $input) { id } ...more }
       fragment more on Mutation { ... on Mutation { out: logout } }`,
      { input: alertInput },
    );
    expect(refused.status).toBe(403);
    expect(await count()).toBe(before);
  });

  it('of the admin has no admin permissions', async () => {
    await setPlan(api, 1, 4);
    const admin = await api.admin();
    const held = await makeKey(api, admin);
    for (const operation of ['{ sourceHealth { name } }', '{ deletionRequests { id } }']) {
      expect((await held.gql(operation)).errors[0]?.extensions.code).toBe('FORBIDDEN');
    }
    expect((await held.fetch('/api/admin/deletion-requests')).status).toBe(403);
    const [unmatched = 0] = await storeCars(api.db.pool, [{}]);
    const read = `{ listing(id: "${unmatched}") { id } }`;
    expect((await admin.gql(read)).data.listing).not.toBeNull();
    expect((await held.gql(read)).data.listing).toBeNull();
  });

  it('can’t revoke other keys', async () => {
    const other = await makeDealer(api, 'other-dealer');
    for (const operation of [`revokeApiKey(id: "${key.id}")`, `rotateApiKey(id: "${key.id}") { secret }`]) {
      const { errors } = await other.browser.gql(`mutation { ${operation} }`);
      expect(errors[0]?.extensions.code).toBe('NOT_FOUND');
    }
    expect((await key.fetch('/api/user')).status).toBe(200);
  });

  it('that is unknown counts against the limit of its network', async () => {
    const strict = await makeTestApi({ db: api.db, env: { RATE_LIMITS: 'on', RATE_REQUESTS_PER_USER: '3' } });
    const guess = makeKeyHolder(strict.url, guessedSecret());
    const codes: number[] = [];
    for (let call = 0; call < 4; call += 1) codes.push((await guess.fetch('/api/user')).status);
    expect(codes).toEqual([401, 401, 401, 429]);
    const known = makeKeyHolder(strict.url, key);
    for (let call = 0; call < 5; call += 1) expect((await known.fetch('/api/user')).status).toBe(200);
    await strict.close();
  });
});

const guessedSecret = () => ({ secret: generateApiKey(Buffer.alloc(32, 3)).text });
