import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { nameOf, rows, soundBodies } from './rows.ts';
import type { Question, World } from './world.ts';

const readers = rows.filter((row) => row.method === 'GET');

/** What a reader must say to see something. */
const queries: Readonly<Record<string, (world: World) => string>> = {
  '/api/listings': ({ alertOfBen }) => `alertId=${alertOfBen}`,
  '/api/subscription/session': ({ checkoutOfBen }) => `session_id=${checkoutOfBen}`,
};

/** An exchange of which nothing is unpacked or understood. */
function raw(url: string, method: string, headers: Record<string, string>) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; bytes: number }>((settle, fail) => {
    const call = request(url, { method, headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => settle({ status: response.statusCode ?? 0, headers: response.headers, bytes }));
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
