import { expect, it } from 'vitest';
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
