import { describe, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { setUpApi } from '../../../test/make-app.ts';

const api = setUpApi();

const car = { make: 'toyota', location: '90001', radius: 50 };

async function call(browser: Browser, method: string, path: string, body?: unknown, headers = {}) {
  const init = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await browser.fetch(path, { method, ...init, headers: { ...type, ...headers } });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
}

async function newBuyer(username: string) {
  const { browser: buyer } = await api.user(username);
  return buyer;
}

describe('a body', () => {
  it('of a new record counts null and empty texts as absent, and reports all faults', async () => {
    const buyer = await newBuyer('sparing');
    const empties = { ...car, model: '', yearMin: null, color: '', onlyWithImages: '' };
    const made = await call(buyer, 'POST', '/api/alerts', empties);
    expect(made).toMatchObject({
      status: 201,
      body: { id: expect.any(Number), model: null, yearMin: null, color: 'any', onlyWithImages: true },
    });
    const faulty = await call(buyer, 'POST', '/api/alerts', { yearMin: 'old', priceMax: 1.5 });
    expect(faulty).toMatchObject({ status: 400, body: { code: 'VALIDATION' } });
    expect(Object.keys(faulty.body.fields).sort()).toEqual(['location', 'make', 'priceMax', 'radius', 'yearMin']);
    const texts = await call(makeBrowser(api.url), 'POST', '/api/register', { password: '' });
    expect(texts.body.fields).toEqual({
      username: 'Username is required',
      password: 'Password must be at least 6 characters',
      email: 'Either email or phone is required for notifications',
    });
  });

  it('of a change leaves what is absent, and clears what is empty', async () => {
    const buyer = await newBuyer('changing');
    const { body: alert } = await call(buyer, 'POST', '/api/alerts', { ...car, yearMin: 2001, priceMax: 9000 });
    const path = `/api/alerts/${alert.id}`;
    expect((await call(buyer, 'PATCH', path, { yearMin: '' })).body).toMatchObject({ yearMin: null, priceMax: 9000 });
    expect((await call(buyer, 'PATCH', path, { make: '' })).body.fields).toEqual({ make: 'Car make is required' });
    expect((await call(buyer, 'PATCH', '/api/user/profile', { phoneNumber: '555' })).body).toMatchObject({
      phone: '555',
      email: 'changing@example.test',
    });
  });

  it.each(['id', 'userId', 'planId', 'role', 'createdAt', 'expiresAt', 'matchCount'])(
    'must not set %s, while an unknown field is ignored',
    async (name) => {
      const visitor = makeBrowser(api.url);
      const person = { username: `p-${name}`, password: 'secret-1', email: 'p@example.test', confirmPassword: 'x' };
      const refused = await call(visitor, 'POST', '/api/register', { ...person, [name]: 1 });
      expect(refused).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION', fields: { [name]: expect.any(String) } },
      });
      expect((await call(visitor, 'POST', '/api/register', { ...person, unknown: 1 })).status).toBe(201);
    },
  );

  it.each([
    ['[]', 400, 'VALIDATION'],
    ['null', 400, 'VALIDATION'],
    ['"text"', 400, 'VALIDATION'],
    ['{"make": {}}', 400, 'VALIDATION'],
    ['{"__proto__": {"make": "toyota"}}', 400, 'VALIDATION'],
    ['{', 400, 'MALFORMED'],
    [`{"make": "${'x'.repeat(210_000)}"}`, 413, 'TOO_LARGE'],
  ])('%.40s is %i', async (body, status, code) => {
    const buyer = await newBuyer(`sender-${Buffer.from(body).toString('hex').slice(0, 20)}`);
    expect(await call(buyer, 'POST', '/api/alerts', body)).toMatchObject({ status, body: { code } });
  });

  it('is read only after the caller was authorised, and only if it is JSON', async () => {
    const visitor = makeBrowser(api.url);
    expect((await call(visitor, 'POST', '/api/alerts', '{')).status).toBe(401);
    const plain = { 'content-type': 'text/plain' };
    expect((await call(visitor, 'POST', '/api/contact', '{}', plain)).status).toBe(415);
  });
});

describe('an Idempotency-Key', () => {
  const count = async () => (await api.db.row('select count(*)::int as alerts from alerts')).alerts;
  const keyed = (buyer: Browser, body: object, key = 'key-1') =>
    call(buyer, 'POST', '/api/alerts', body, { 'idempotency-key': key });

  it('makes equal calls take effect once, however many are concurrent', async () => {
    const buyer = await newBuyer('eager');
    const before = await count();
    const answers = await Promise.all(Array.from({ length: 8 }, () => keyed(buyer, car)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.has('idempotency-replayed'))).toHaveLength(7);
    expect(await count()).toBe(before + 1);
    const other = await keyed(buyer, { ...car, radius: 10 });
    expect(other).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect((await keyed(buyer, car, 'x'.repeat(256))).body.code).toBe('VALIDATION');
  });

  it('can be used again after a failure, and by another user', async () => {
    const buyer = await newBuyer('unlucky');
    expect((await keyed(buyer, { ...car, make: 'nothing' })).status).toBe(400);
    expect((await keyed(buyer, car)).status).toBe(201);
  });
});

describe('an answer', () => {
  it('is not sent again while its ETag is unchanged', async () => {
    const buyer = await newBuyer('reader');
    const first = await call(buyer, 'GET', '/api/alerts/user');
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(await call(buyer, 'GET', '/api/alerts/user', undefined, { 'if-none-match': etag })).toMatchObject({
      status: 304,
      body: null,
    });
    await call(buyer, 'POST', '/api/alerts', car);
    expect((await call(buyer, 'GET', '/api/alerts/user', undefined, { 'if-none-match': etag })).status).toBe(200);
    expect(await call(buyer, 'HEAD', '/api/alerts/user')).toMatchObject({ status: 200, body: null });
  });

  it('names the allowed methods when the method is not allowed', async () => {
    const { status, headers, body } = await call(makeBrowser(api.url), 'PUT', '/api/alerts/7');
    expect([status, headers.get('allow'), body.code]).toEqual([405, 'GET, PATCH, DELETE, HEAD', 'METHOD_NOT_ALLOWED']);
  });

  it('is 404 for an address that can’t be decoded', async () => {
    const buyer = await newBuyer('mangler');
    for (const path of ['/api/alerts/%E0%A4', '/api/alerts/abc', '/api/alerts/0', '/api/nothing'])
      expect([path, (await call(buyer, 'GET', path)).status]).toEqual([path, 404]);
  });
});
