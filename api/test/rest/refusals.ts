import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { makeTestApi } from '../make-app.ts';
import { nameOf, type Row, rows, soundBodies } from './rows.ts';
import type { Person, Question, World } from './world.ts';

const takesId = ({ path }: Row) => path.includes('{');
const takesBody = ({ fields }: Row) => fields.length > 0;
const writes = ({ method }: Row) => method !== 'GET';
/** Larger than any body that is taken. */
const HUGE = 3 * 1024 * 1024;

const each = (chosen: (row: Row) => boolean = () => true) =>
  it.each(rows.filter(chosen).map((row) => ({ ...row, name: nameOf(row) })));

/** What every row refuses in the same way; a row that is added is covered at once. */
export function refusals(of: () => World): void {
  const whoMay = (row: Row): Person => (row.for === 'admin' ? of().admin : of().ben);
  /** A question that names what is there, so that only what is wrong in it is refused. */
  const about = (row: Row): Question => {
    const { alertOfBen, carOfBen } = of();
    const id = row.path.includes('alerts') ? alertOfBen : row.path.includes('listings') ? carOfBen : 'DR-AAAAAA';
    const body = soundBodies[nameOf(row)];
    return {
      as: whoMay(row),
      ...(takesId(row) && { id: row.path.includes('{userId}') ? 999_999 : id }),
      ...(row.path === '/api/listings' && { query: `alertId=${alertOfBen}` }),
      ...(body && { body }),
    };
  };

  each((row) => row.for !== 'anyone')('$name asks a visitor to sign in', async (row) => {
    await of().refuse('UNAUTHENTICATED', nameOf(row), { ...about(row), as: of().visitor });
  });

  each((row) => row.for === 'admin')("$name is the administrator's alone", async (row) => {
    await of().refuse('FORBIDDEN', nameOf(row), { ...about(row), as: of().ben });
  });

  each(writes)('$name is closed to pages of other sites', async (row) => {
    const headers = { origin: 'https://evil.example' };
    await of().refuse('FORBIDDEN', nameOf(row), { ...about(row), headers });
  });

  each(takesId)('$name knows no such id', async (row) => {
    const odd = ['999999999', 'abc', '0', '-1', '1.5', '1e3', '0x1', '99999999999999999999', '%E2%99%A5', '%20', '%00'];
    for (const id of odd) {
      // Some are no addresses that a proxy passes on as they are.
      const direct = /^\w+$/.test(id) ? {} : { direct: true as const };
      await of().refuse('NOT_FOUND', nameOf(row), { ...about(row), id, ...direct });
    }
  });

  each(takesBody)('$name reads JSON objects alone', async (row) => {
    const { refuse } = of();
    for (const body of ['{"a":', 'a=b', '{a: 1}', '\u0000']) {
      await refuse('MALFORMED', nameOf(row), { ...about(row), body, direct: true });
    }
    for (const body of ['[]', '"text"', '1', 'null', 'true', '[{}]']) {
      const reply = await of().ask(nameOf(row), { ...about(row), body, direct: true });
      expect([body, reply.status]).toEqual([body, 400]);
      expect(['MALFORMED', 'VALIDATION']).toContain(reply.body.code);
    }
  });

  each(takesBody)('$name takes no other content type', async (row) => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
      const question = { ...about(row), body: '{}', headers: { 'content-type': type } };
      await of().refuse('UNSUPPORTED_MEDIA_TYPE', nameOf(row), question);
    }
    const headers = { 'content-type': 'application/json; charset=klingon' };
    await of().refuse('UNSUPPORTED_MEDIA_TYPE', nameOf(row), { ...about(row), body: '{}', headers, direct: true });
  });

  each(takesBody)('$name takes no body of any size', async (row) => {
    const body = JSON.stringify({ [row.fields[0] ?? '']: 'x'.repeat(HUGE) });
    await of().refuse('TOO_LARGE', nameOf(row), { ...about(row), body });
  });

  each(takesBody)('$name names every field that has a wrong type', async (row) => {
    for (const field of row.fields) {
      const texts = /^(onlyWith|is|radius|year|price|\w+Notif)/.test(field) ? ['text', [], {}] : [[], {}, 7.5, true];
      for (const wrong of field === 'planId' ? [[], {}, true] : texts) {
        const body = { ...soundBodies[nameOf(row)], [field]: wrong };
        const reply = await of().refuse('VALIDATION', nameOf(row), { ...about(row), body });
        expect(reply.body.fields, JSON.stringify(body)).toMatchObject({ [field]: expect.stringMatching(/\S/) });
      }
    }
  });

  each()('$name knows its methods', async (row) => {
    const same = rows.filter(({ path }) => path === row.path).map(({ method }) => method);
    for (const method of ['PUT', 'DELETE', 'POST', 'PATCH', 'GET']) {
      const others = rows.filter((one) => new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(row.path));
      if (others.some((one) => one.method === method)) continue;
      const { id } = about(row);
      const question: Question = { as: whoMay(row), direct: true, ...(id !== undefined && { id }) };
      const reply = await of().refuse('METHOD_NOT_ALLOWED', `${method} ${row.path}`, question);
      const allowed = (reply.headers.get('allow') ?? '').split(/, */);
      expect(allowed).toEqual(expect.arrayContaining(same));
      expect(allowed).not.toContain(method);
    }
  });

  it('says when somebody asks too often, on every row', async () => {
    const { api, refuse, ben } = of();
    const env = { RATE_LIMITS: 'on', RATE_REQUESTS_PER_USER: '1' };
    const limited = await makeTestApi({ db: api.db, env });
    try {
      for (const as of [ben, of().admin, of().visitor])
        await of().ask('GET /api/subscription/plans', { as, direct: limited.url });
      for (const row of rows) {
        const question = { ...about(row), direct: limited.url };
        const reply = await refuse('RATE_LIMITED', nameOf(row), question);
        expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      }
    } finally {
      await limited.close();
    }
  });
}

const readers = rows.filter((row) => row.method === 'GET');

/** What a reader must say to see something. */
const queries: Readonly<Record<string, (world: World) => string>> = {
  '/api/listings': ({ alertOfBen }) => `alertId=${alertOfBen}`,
  '/api/subscription/session': ({ checkoutOfBen }) => `session_id=${checkoutOfBen}`,
};

/** An exchange of which nothing is unpacked or understood. */
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

  describe('one key', () => {
    it('makes one alert, however often it is posted', async () => {
      const { succeed, refuse, signUp, ben } = of();
      const hal = await signUp('hal', 4);
      const headers = { 'idempotency-key': 'one-click-of-hal' };
      const question = { as: hal, headers, body: soundBodies[create] };
      const first = await succeed(create, question);
      const again = await succeed(create, question);
      expect(again.body).toEqual(first.body);
      const count = async () => (await succeed('GET /api/alerts/user', { as: hal })).body.length;
      expect(await count()).toBe(1);
      await refuse('CONFLICT', create, { ...question, body: { ...soundBodies[create], radius: 5 } });
      expect(await count()).toBe(1);
      expect((await succeed(create, { ...question, as: ben })).body.id).not.toBe(first.body.id);
      const other = await succeed(create, { ...question, headers: { 'idempotency-key': 'another-click' } });
      expect(other.body.id).not.toBe(first.body.id);
      const atOnce = { ...question, headers: { 'idempotency-key': 'a-double-click' } };
      const both = await Promise.all([1, 2, 3].map(() => of().ask(create, atOnce)));
      const ids = both.filter(({ status }) => status === 201).map(({ body }) => body.id);
      expect(new Set(ids).size).toBe(1);
      for (const { status } of both) expect([201, 409]).toContain(status);
      expect(await count()).toBe(3);
    });
  });

  describe('every answer to a reader', () => {
    it.each(readers)('has a tag with which $path need not be sent again', async (row) => {
      const { admin, ben, alertOfBen, ask } = of();
      const query = queries[row.path] && { query: queries[row.path]?.(of()) ?? '' };
      const question: Question = { as: row.for === 'admin' ? admin : ben, id: alertOfBen, ...query, direct: true };
      const first = await ask(nameOf(row), question);
      const tag = first.headers.get('etag') ?? '';
      expect([first.status, tag]).toEqual([200, expect.stringMatching(/"/)]);
      const same = await ask(nameOf(row), { ...question, headers: { 'if-none-match': tag } });
      expect([same.status, same.text]).toEqual([304, '']);
      if (row.for === 'anyone') return;
      // What belongs to one person is kept by no cache between, and told to nobody who only knows its tag.
      expect(first.headers.get('cache-control')).toMatch(/private|no-store/);
      const stranger = await ask(nameOf(row), { ...question, as: of().visitor, headers: { 'if-none-match': tag } });
      expect(stranger.status).toBe(401);
    });

    it('is packed for whoever can unpack it', async () => {
      const { api, ben } = of();
      const address = `${api.url}/api/listings/recent`;
      const cookie = ben.cookie ?? '';
      const packed = await raw(address, 'GET', { cookie, 'accept-encoding': 'gzip' });
      const plain = await raw(address, 'GET', { cookie });
      expect(packed.headers['content-encoding']).toBe('gzip');
      expect(packed.headers.vary).toMatch(/accept-encoding/i);
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(packed.bytes).toBeLessThan(plain.bytes);
    });

    it('has a head', async () => {
      const { api, ben } = of();
      const head = await raw(`${api.url}/api/user`, 'HEAD', { cookie: ben.cookie ?? '' });
      expect([head.status, head.bytes, head.headers['content-type']]).toEqual([200, 0, expect.stringMatching(/json/)]);
    });
  });

  describe('what is no call', () => {
    it('is not found, in JSON', async () => {
      const { ben, refuse } = of();
      for (const path of ['/api', '/api/', '/api/nothing', '/api/alerts/1/2/3', '/api/user/', '/api/USER']) {
        for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'PUT']) {
          const reply = await of().ask(`${method} ${path}`, { as: ben, direct: true });
          // A slash too many or other letters may be forgiven, and then they are the call.
          if (/user/i.test(path) && reply.status !== 404) continue;
          expect([method, path, reply.status, reply.body.code]).toEqual([method, path, 404, 'NOT_FOUND']);
        }
      }
      await refuse('NOT_FOUND', 'GET /api/alerts/%E0%A4%A', { as: ben, direct: true });
    });

    it('opens for no other site', async () => {
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

    it('is never a page, however much somebody asks for one', async () => {
      const { ask, ben, visitor } = of();
      const headers = { accept: 'text/html' };
      for (const row of rows.filter(({ method }) => method === 'GET')) {
        for (const as of [ben, visitor]) await ask(nameOf(row), { as, id: 'x', headers, direct: true });
      }
    });
  });
}
