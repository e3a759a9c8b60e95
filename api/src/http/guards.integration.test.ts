import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { makeBrowser } from '../../test/browser.ts';
import { makeDealer, makeKey } from '../../test/keys/key-holder.ts';
import { makeTestApi, PRODUCTION, setUpApi, startsInProduction } from '../../test/make-app.ts';
import { type LogFields, silentLog } from '../base/log.ts';

const logged: (LogFields | undefined)[] = [];

const api = setUpApi({
  env: { INGEST_TOKEN: 'a-push-token', PUBLIC_URL: 'https://lotwatch.example', TRUSTED_PROXIES: 'none' },
  log: { ...silentLog, error: (_message, fields) => logged.push(fields) },
});

const logout = JSON.stringify({ query: 'mutation { logout }' });
const json = { 'content-type': 'application/json' };

describe('pages of other origins', () => {
  const ask = (url: string, path: string, headers: Record<string, string>, method = 'GET') =>
    makeBrowser(url, null).fetch(path, { method, headers: { origin: 'https://dealer.example', ...headers } });
  const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
  const key = { authorization: 'Bearer some-key' };
  const allowed = 'access-control-allow-origin';

  it('can read nothing unless the setting names them', async () => {
    for (const path of ['/api/subscription/plans', '/graphql']) {
      expect((await ask(api.url, path, preflight, 'OPTIONS')).headers.get(allowed)).toBeNull();
      expect((await ask(api.url, path, key)).headers.get(allowed)).toBeNull();
    }
  });

  it('can call with a key when the setting names them, and never with a cookie', async () => {
    const open = await makeTestApi({ db: api.db, env: { CORS_ORIGINS: 'https://dealer.example, https://x.example' } });
    const asked = await ask(open.url, '/api/alerts', preflight, 'OPTIONS');
    expect([asked.status, asked.headers.get(allowed)]).toEqual([200, 'https://dealer.example']);
    expect(asked.headers.get('access-control-allow-credentials')).toBeNull();
    expect(asked.headers.get('access-control-allow-headers')).toContain('Idempotency-Key');
    const { browser } = await makeDealer(open, 'of-another-page');
    const answer = await ask(open.url, '/api/subscription/plans', {
      authorization: `Bearer ${(await makeKey(open, browser)).secret}`,
    });
    expect([answer.status, answer.headers.get(allowed)]).toEqual([200, 'https://dealer.example']);
    for (const headers of [{ accept: '*/*' }, { cookie: 'lotwatch_session=x' }] as Record<string, string>[]) {
      expect((await ask(open.url, '/api/subscription/plans', headers)).headers.get(allowed)).toBeNull();
    }
    const stranger = { ...key, origin: 'https://stranger.example' };
    expect((await ask(open.url, '/api/subscription/plans', stranger)).headers.get(allowed)).toBeNull();
    await open.close();
  });
});

describe('the origin guard', () => {
  const write = (headers: Record<string, string>) =>
    makeBrowser(api.url, null).fetch('/graphql', { method: 'POST', headers: { ...json, ...headers }, body: logout });

  it.each([
    ['https://lotwatch.example', 200],
    ['http://localhost:PORT', 200],
    ['http://127.0.0.1:PORT', 200],
    ['http://[::1]:PORT', 200],
    ['http://localhost:1', 403],
    ['https://localhost:PORT', 403],
    ['http://lotwatch.example', 403],
    ['https://lotwatch.example.evil.test', 403],
    ['null', 403],
  ])('answers a write with a cookie from %s with %i', async (origin, status) => {
    const own = origin.replace('PORT', String(api.port));
    const response = await write({ cookie: 'a=b', origin: own });
    expect(response.status).toBe(status);
    if (status === 403) expect(await response.json()).toMatchObject({ code: 'FORBIDDEN' });
  });

  it('allows writes without a cookie or without an Origin', async () => {
    expect((await write({ origin: 'https://evil.test' })).status).toBe(200);
    expect((await write({ cookie: 'a=b' })).status).toBe(200);
  });

  it.runIf(startsInProduction)('allows only the public address in production', async () => {
    const production = await makeTestApi({ db: api.db, env: PRODUCTION });
    const response = await makeBrowser(production.url, null).fetch('/graphql', {
      method: 'POST',
      headers: { ...json, cookie: 'a=b', origin: production.url },
      body: logout,
    });
    expect(response.status).toBe(403);
    const browser = makeBrowser(production.url, PRODUCTION.PUBLIC_URL);
    const asked = await browser.gql('{ __schema { queryType { name } } }');
    expect([asked.status, asked.errors[0]?.extensions.code]).toEqual([401, 'UNAUTHENTICATED']);
    const payments = ['/dev/checkout/cs_test_1', '/dev/portal/bps_1'];
    for (const path of ['/dev/outbox', '/dev/outbox/1', '/demo/', '/demo/photos/1.jpg', ...payments]) {
      expect((await browser.fetch(path)).status).toBe(404);
    }
    await browser.register('reader');
    expect((await browser.gql('{ __schema { queryType { name } } }')).data.__schema.queryType.name).toBe('Query');
    expect((await makeBrowser(production.url).gql('{ __schema { queryType { name } } }')).errors).toHaveLength(1);
    await production.close();
  });
});

describe('errors', () => {
  it('of a body that is not JSON', async () => {
    const response = await makeBrowser(api.url).fetch('/graphql', { method: 'POST', headers: json, body: '{"query":' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'MALFORMED',
      errors: [{ extensions: { code: 'MALFORMED' } }],
    });
  });

  it('of a body that is too large', async () => {
    const body = JSON.stringify({ query: `# ${'x'.repeat(201 * 1024)}\n{ me { id } }` });
    const response = await makeBrowser(api.url).fetch('/graphql', { method: 'POST', headers: json, body });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: 'TOO_LARGE' });
  });

  it.each([
    ['{ me { id ', {}, 'MALFORMED'],
    ['{ me { nothing } }', {}, 'VALIDATION'],
    ['query ($n: Int) { matches(first: $n) { hasMore } }', { n: 'many' }, 'VALIDATION'],
    ['query ($n: Int!) { matches(first: $n) { hasMore } }', {}, 'VALIDATION'],
    [
      'mutation ($i: RegisterInput!) { register(input: $i) { id } }',
      { i: { username: 'x', password: 'secret-1', phone: '1', planId: 4 } },
      'VALIDATION',
    ],
    ['{ alerts { id } }', {}, 'UNAUTHENTICATED'],
    ['{ sourceHealth { name } }', {}, 'UNAUTHENTICATED'],
    ['mutation { confirmEmail(token: "forged") { message } }', {}, 'VALIDATION'],
    ['subscription { matchAdded { cursor } }', {}, 'VALIDATION'],
  ])('%s %j is %s', async (query, variables, code) => {
    const { errors } = await makeBrowser(api.url).gql(query, variables);
    expect(errors[0]?.extensions).toMatchObject({ code, message: errors[0]?.message });
    expect(JSON.stringify(errors)).not.toMatch(/stack|node_modules/);
  });

  it('that are unexpected show only an incident id, which is logged', async () => {
    const { browser } = await api.user('unlucky');
    await api.db.pool.query('alter table plans rename to plans_away');
    const { errors } = await browser.gql('{ plans { id } }');
    await api.db.pool.query('alter table plans_away rename to plans');
    expect(errors[0]?.extensions).toEqual({
      code: 'INTERNAL',
      message: 'Something went wrong on our side. Please try again.',
      incidentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(JSON.stringify(errors)).not.toContain('plans_away');
    expect(logged.map((fields) => fields?.incidentId)).toContain(errors[0]?.extensions.incidentId);
  });

  it('of an operation that does not run have its status', async () => {
    expect((await makeBrowser(api.url).gql('subscription { matchAdded { cursor } }')).status).toBe(400);
  });

  it('of a method that GraphQL over HTTP does not allow, and of a write by GET', async () => {
    const headers = { ...json, 'apollo-require-preflight': '1' };
    const mutation = '/graphql?query=mutation{logout}';
    for (const [path, method] of [
      ['/graphql', 'PUT'],
      ['/graphql', 'DELETE'],
      [mutation, 'GET'],
    ] as const) {
      const response = await fetch(api.url + path, { method, headers });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toContain('POST');
      expect((await response.json()).errors[0].extensions.code).toBe('METHOD_NOT_ALLOWED');
    }
  });

  it('of a form post from another site come from Apollo’s own guard', async () => {
    const response = await makeBrowser(api.url, null).fetch('/graphql?query={me{id}}', {});
    expect(response.status).toBe(400);
  });
});

describe('the public port', () => {
  it('answers unknown addresses under /api in JSON', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await fetch(`${api.url}/api/nothing`, { method });
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ code: 'NOT_FOUND', message: 'Not found' });
    }
  });

  it('answers page addresses with the web app and missing files with 404', async () => {
    const page = await fetch(`${api.url}/my-alerts`);
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(await page.text()).toContain('<title>LotWatch</title>');
    expect((await fetch(`${api.url}/assets/missing-1a2b3c.js`)).status).toBe(404);
  });

  it('serves hashed files compressed and as immutable', async () => {
    const asset = await fetch(`${api.url}/assets/app-1a2b3c4d.js`, { headers: { 'accept-encoding': 'gzip' } });
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(asset.headers.get('content-encoding')).toBe('gzip');
    expect(asset.headers.get('content-type')).toContain('javascript');
  });

  it('answers the health check', async () => {
    expect(await (await fetch(`${api.url}/healthz`)).json()).toEqual({ status: 'ok' });
  });

  it('sends a policy that allows only its own code', async () => {
    const { headers } = await fetch(`${api.url}/`);
    const policy = headers.get('content-security-policy') ?? '';
    const sources = Object.fromEntries(policy.split('; ').map((part) => [part.split(' ')[0], part]));
    for (const directive of ['default-src', 'base-uri', 'object-src', 'frame-ancestors', 'form-action'])
      expect(sources[directive]).toBe(`${directive} 'none'`);
    expect(sources['script-src']).toBe("script-src 'self'");
    expect(sources['connect-src']).toBe("connect-src 'self' wss://lotwatch.example");
    expect(policy).not.toMatch(/unsafe|\bwss?:(?!\/\/)|upgrade-insecure-requests/);
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('referrer-policy')).toBe('same-origin');
  });

  it('sends HSTS, and forbids content sniffing', async () => {
    for (const path of ['/', '/healthz', '/assets/app-1a2b3c4d.js', '/api/nothing', '/graphql', '/photos/1-x/0']) {
      const { headers } = await fetch(api.url + path);
      expect([path, headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000; includeSubDomains']);
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
    }
  });

  it.each(['/', '/graphql', '/api/alerts'])('does not echo TRACE %s', async (path) => {
    const [status, text] = await new Promise<[number | undefined, string]>((resolve, reject) => {
      const options = { port: api.port, path, method: 'TRACE', headers: { cookie: 'a=b', 'x-seen': 'said-before' } };
      request(options, async (response) => resolve([response.statusCode, (await response.toArray()).join('')]))
        .on('error', reject)
        .end();
    });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).not.toContain('said-before');
  });
});

describe('an upgrade', () => {
  const upgrade = (path: string, headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const attempt = request({
        port: api.port,
        path,
        headers: {
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
          'sec-websocket-protocol': 'graphql-transport-ws',
          ...headers,
        },
      });
      attempt.on('upgrade', (response, socket) => {
        socket.destroy();
        resolve(response.statusCode ?? 0);
      });
      attempt.on('response', (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      attempt.on('error', reject);
      attempt.end();
    });

  it.each([
    ['/graphql', { cookie: 'a=b', origin: 'https://lotwatch.example' }, 101],
    ['/graphql', { cookie: 'a=b', origin: 'https://evil.test' }, 403],
    ['/graphql', { cookie: 'a=b' }, 403],
    ['/graphql', {}, 101],
    ['/elsewhere', {}, 404],
    ['//', {}, 404],
  ])('to %s with %j gets %i', async (path, headers, status) => {
    expect(await upgrade(path, headers as Record<string, string>)).toBe(status);
  });
});

describe('odd requests', () => {
  const raw = (init: RequestInit, path = '/graphql') => fetch(api.url + path, { method: 'POST', ...init });

  it.each([
    ['text', () => raw({ body: logout, headers: { 'content-type': 'text/plain' } }), 400],
    [
      'a form',
      () => raw({ body: 'query={me{id}}', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
      400,
    ],
    ['nothing', () => raw({}), 400],
    ['a batch', () => raw({ body: `[${logout}]`, headers: json }), 400],
    ['an empty object', () => raw({ body: '{}', headers: json }), 400],
    ['a mutation by GET', () => raw({ method: 'GET', headers: json }, '/graphql?query=mutation{logout}'), 405],
    ['a path that cannot be decoded', () => raw({ method: 'GET' }, '/api/ingest/%E0%A4%A'), 404],
  ])('of %s get JSON with a code', async (_what, call, status) => {
    const response = await call();
    expect(response.status).toBe(status);
    const body = (await response.json()) as { code?: string; errors?: { extensions: { code: string } }[] };
    expect(body.code ?? body.errors?.[0]?.extensions.code).toMatch(
      /^(VALIDATION|MALFORMED|METHOD_NOT_ALLOWED|NOT_FOUND)$/,
    );
  });
});
