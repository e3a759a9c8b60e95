import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { makeTestApi } from '../make-app.ts';
import { nameOf, type Row, rows, validBodies } from './rows.ts';
import type { Person, RequestOptions, World } from './world.ts';

const hasId = ({ path }: Row) => path.includes('{');
const hasBody = ({ fields }: Row) => fields.length > 0;
const writes = ({ method }: Row) => method !== 'GET';
/** Larger than any accepted body. */
const HUGE = 3 * 1024 * 1024;

const each = (chosen: (row: Row) => boolean = () => true) =>
  it.each(rows.filter(chosen).map((row) => ({ ...row, name: nameOf(row) })));

/** Refusals that every call has in common; a new row is covered without a change here. */
export function refusals(of: () => World): void {
  const permittedCaller = (row: Row): Person => (row.for === 'admin' ? of().admin : of().ben);
  /** A valid request, so that only what a test makes wrong in it is refused. */
  const validRequest = (row: Row): RequestOptions => {
    const { alertOfBen, carOfBen } = of();
    const id = row.path.includes('alerts') ? alertOfBen : row.path.includes('listings') ? carOfBen : 'DR-AAAAAA';
    const body = validBodies[nameOf(row)];
    return {
      as: permittedCaller(row),
      ...(hasId(row) && { id: row.path.includes('{userId}') ? 999_999 : id }),
      ...(row.path === '/api/listings' && { query: `alertId=${alertOfBen}` }),
      ...(body && { body }),
    };
  };

  each((row) => row.for !== 'anyone')('$name refuses a visitor', async (row) => {
    await of().refuse('UNAUTHENTICATED', nameOf(row), { ...validRequest(row), as: of().visitor });
  });

  each((row) => row.for === 'admin')('$name refuses everyone but the admin', async (row) => {
    await of().refuse('FORBIDDEN', nameOf(row), { ...validRequest(row), as: of().ben });
  });

  each(writes)('$name refuses pages of other sites', async (row) => {
    const headers = { origin: 'https://evil.example' };
    await of().refuse('FORBIDDEN', nameOf(row), { ...validRequest(row), headers });
  });

  each(hasId)('$name answers 404 for ids that do not exist', async (row) => {
    const odd = ['999999999', 'abc', '0', '-1', '1.5', '1e3', '0x1', '99999999999999999999', '%E2%99%A5', '%20', '%00'];
    for (const id of odd) {
      // The proxy would change some of these ids.
      const direct = /^\w+$/.test(id) ? {} : { direct: true as const };
      await of().refuse('NOT_FOUND', nameOf(row), { ...validRequest(row), id, ...direct });
    }
  });

  each(hasBody)('$name accepts only JSON objects', async (row) => {
    const { refuse } = of();
    for (const body of ['{"a":', 'a=b', '{a: 1}', '\u0000']) {
      await refuse('MALFORMED', nameOf(row), { ...validRequest(row), body, direct: true });
    }
    for (const body of ['[]', '"text"', '1', 'null', 'true', '[{}]']) {
      const reply = await of().send(nameOf(row), { ...validRequest(row), body, direct: true });
      expect([body, reply.status]).toEqual([body, 400]);
      expect(['MALFORMED', 'VALIDATION']).toContain(reply.body.code);
    }
  });

  each(hasBody)('$name refuses other content types', async (row) => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
      const options = { ...validRequest(row), body: '{}', headers: { 'content-type': type } };
      await of().refuse('UNSUPPORTED_MEDIA_TYPE', nameOf(row), options);
    }
    const headers = { 'content-type': 'application/json; charset=klingon' };
    await of().refuse('UNSUPPORTED_MEDIA_TYPE', nameOf(row), {
      ...validRequest(row),
      body: '{}',
      headers,
      direct: true,
    });
  });

  each(hasBody)('$name refuses a body that is too large', async (row) => {
    const body = JSON.stringify({ [row.fields[0] ?? '']: 'x'.repeat(HUGE) });
    await of().refuse('TOO_LARGE', nameOf(row), { ...validRequest(row), body });
  });

  each(hasBody)('$name names every field that has a wrong type', async (row) => {
    for (const field of row.fields) {
      const texts = /^(onlyWith|is|radius|year|price|\w+Notif)/.test(field) ? ['text', [], {}] : [[], {}, 7.5, true];
      for (const [index, wrong] of (field === 'planId' ? [[], {}, true] : texts).entries()) {
        const body = { ...validBodies[nameOf(row)], [field]: wrong };
        // The proxy takes most of the time, and sees one answer for each field.
        const direct = index === 0 ? {} : { direct: true as const };
        const reply = await of().refuse('VALIDATION', nameOf(row), { ...validRequest(row), body, ...direct });
        expect(reply.body.fields, JSON.stringify(body)).toMatchObject({ [field]: expect.stringMatching(/\S/) });
      }
    }
  });

  each()('$name refuses other methods and lists its own', async (row) => {
    const same = rows.filter(({ path }) => path === row.path).map(({ method }) => method);
    for (const method of ['PUT', 'DELETE', 'POST', 'PATCH', 'GET']) {
      const others = rows.filter((one) => new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(row.path));
      if (others.some((one) => one.method === method)) continue;
      const { id } = validRequest(row);
      const options: RequestOptions = { as: permittedCaller(row), direct: true, ...(id !== undefined && { id }) };
      const reply = await of().refuse('METHOD_NOT_ALLOWED', `${method} ${row.path}`, options);
      const allowed = (reply.headers.get('allow') ?? '').split(/, */);
      expect(allowed).toEqual(expect.arrayContaining(same));
      expect(allowed).not.toContain(method);
    }
  });

  it('every call is limited per user, with a Retry-After header', async () => {
    const { api, refuse, ben } = of();
    const env = { RATE_LIMITS: 'on', RATE_REQUESTS_PER_USER: '1' };
    const limited = await makeTestApi({ db: api.db, env });
    try {
      for (const as of [ben, of().admin, of().visitor])
        await of().send('GET /api/subscription/plans', { as, direct: limited.url });
      for (const row of rows) {
        const options = { ...validRequest(row), direct: limited.url };
        const reply = await refuse('RATE_LIMITED', nameOf(row), options);
        expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      }
    } finally {
      await limited.close();
    }
  });
}

const readers = rows.filter((row) => row.method === 'GET');

/** The query parameters that a GET needs to answer. */
const queries: Readonly<Record<string, (world: World) => string>> = {
  '/api/listings': ({ alertOfBen }) => `alertId=${alertOfBen}`,
  '/api/subscription/session': ({ checkoutOfBen }) => `session_id=${checkoutOfBen}`,
};

/** Sends a request without decompressing or parsing the answer. */
function raw(url: string, method: string, headers: Record<string, string>) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; bytes: number }>((resolve, fail) => {
    const call = request(url, { method, headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes }));
    });
    call.once('error', fail);
    call.end();
  });
}

export function transport(of: () => World): void {
  const create = 'POST /api/alerts';

  describe('an Idempotency-Key', () => {
    it('creates one alert, however often the request is sent', async () => {
      const { succeed, refuse, signUp, ben } = of();
      const hal = await signUp('hal', 4);
      const headers = { 'idempotency-key': 'one-click-of-hal' };
      const options = { as: hal, headers, body: validBodies[create] };
      const first = await succeed(create, options);
      const again = await succeed(create, options);
      expect(again.body).toEqual(first.body);
      const count = async () => (await succeed('GET /api/alerts/user', { as: hal })).body.length;
      expect(await count()).toBe(1);
      await refuse('CONFLICT', create, { ...options, body: { ...validBodies[create], radius: 5 } });
      expect(await count()).toBe(1);
      expect((await succeed(create, { ...options, as: ben })).body.id).not.toBe(first.body.id);
      const other = await succeed(create, { ...options, headers: { 'idempotency-key': 'another-click' } });
      expect(other.body.id).not.toBe(first.body.id);
      const concurrent = { ...options, headers: { 'idempotency-key': 'a-double-click' } };
      const both = await Promise.all([1, 2, 3].map(() => of().send(create, concurrent)));
      const ids = both.filter(({ status }) => status === 201).map(({ body }) => body.id);
      expect(new Set(ids).size).toBe(1);
      for (const { status } of both) expect([201, 409]).toContain(status);
      expect(await count()).toBe(3);
    });
  });

  describe('every answer to a GET', () => {
    it.each(readers)('has an ETag, with which $path answers 304', async (row) => {
      const { admin, ben, alertOfBen, send } = of();
      const query = queries[row.path] && { query: queries[row.path]?.(of()) ?? '' };
      const options: RequestOptions = { as: row.for === 'admin' ? admin : ben, id: alertOfBen, ...query, direct: true };
      const first = await send(nameOf(row), options);
      const tag = first.headers.get('etag') ?? '';
      expect([first.status, tag]).toEqual([200, expect.stringMatching(/"/)]);
      const same = await send(nameOf(row), { ...options, headers: { 'if-none-match': tag } });
      expect([same.status, same.text]).toEqual([304, '']);
      if (row.for === 'anyone') return;
      // No shared cache keeps personal data, and the ETag alone does not give access to it.
      expect(first.headers.get('cache-control')).toMatch(/private|no-store/);
      const stranger = await send(nameOf(row), { ...options, as: of().visitor, headers: { 'if-none-match': tag } });
      expect(stranger.status).toBe(401);
    });

    it('is compressed for clients that accept it', async () => {
      const { api, ben } = of();
      const address = `${api.url}/api/listings/recent`;
      const cookie = ben.cookie ?? '';
      const compressed = await raw(address, 'GET', { cookie, 'accept-encoding': 'gzip' });
      const plain = await raw(address, 'GET', { cookie });
      expect(compressed.headers['content-encoding']).toBe('gzip');
      expect(compressed.headers.vary).toMatch(/accept-encoding/i);
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(compressed.bytes).toBeLessThan(plain.bytes);
    });

    it('answers HEAD', async () => {
      const { api, ben } = of();
      const head = await raw(`${api.url}/api/user`, 'HEAD', { cookie: ben.cookie ?? '' });
      expect([head.status, head.bytes, head.headers['content-type']]).toEqual([200, 0, expect.stringMatching(/json/)]);
    });
  });

  describe('an unknown call', () => {
    it('is answered with 404 in JSON', async () => {
      const { ben, refuse } = of();
      for (const path of ['/api', '/api/', '/api/nothing', '/api/alerts/1/2/3', '/api/user/', '/api/USER']) {
        for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'PUT']) {
          const reply = await of().send(`${method} ${path}`, { as: ben, direct: true });
          // A trailing slash or capital letters may be accepted, and then it is the known call.
          if (/user/i.test(path) && reply.status !== 404) continue;
          expect([method, path, reply.status, reply.body.code]).toEqual([method, path, 404, 'NOT_FOUND']);
        }
      }
      await refuse('NOT_FOUND', 'GET /api/alerts/%E0%A4%A', { as: ben, direct: true });
    });

    it('has no CORS headers for other sites', async () => {
      const { api, ben } = of();
      for (const row of rows) {
        const reply = await raw(api.url + row.path.replaceAll(/\{\w+\}/g, '1'), 'OPTIONS', {
          origin: 'https://evil.example',
          'access-control-request-method': row.method,
          'access-control-request-headers': 'content-type',
          cookie: ben.cookie ?? '',
        });
        expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
        expect(String(reply.headers['content-type'] ?? '')).not.toContain('html');
      }
    });

    it('answers in JSON even where the client accepts only HTML', async () => {
      const { send, ben, visitor } = of();
      const headers = { accept: 'text/html' };
      for (const row of rows.filter(({ method }) => method === 'GET')) {
        for (const as of [ben, visitor]) await send(nameOf(row), { as, id: 'x', headers, direct: true });
      }
    });
  });
}
