import { expect, test } from 'vitest';
import { type LogFields, silentLog } from '../../src/base/log.ts';
import { makeSchema } from '../../src/graphql/make-schema.ts';
import { compileCall } from '../../src/rest/calls/compiled-call.ts';
import { callTable } from '../../src/rest/calls/table.ts';
import { type Browser } from '../browser.ts';
import { setUpApi } from '../make-app.ts';

const schema = makeSchema();
const calls = callTable(null).map((call) => compileCall(schema, call));
const hostile = [
  'a\r\nX-Injected: 1\r\n\r\n<b>',
  'a\nSet-Cookie: x=1',
  'a\u2028b\u0085c',
  '"; filename="x',
  '\0',
  '<a>; rel="next"',
];

let browser: Browser;
const unexpected: (LogFields | undefined)[] = [];
const api = setUpApi({ log: { ...silentLog, error: (_message, more) => unexpected.push(more) } }, async () => {
  ({ browser } = await api.user('header-writer'));
});

/** Fails if a header of the answer holds text from the request. */
function expectCleanHeaders(answer: Response, what: string): void {
  expect([what, answer.status < 500]).toEqual([what, true]);
  expect([what, answer.headers.get('x-injected')]).toEqual([what, null]);
  const own = answer.headers.getSetCookie().filter((cookie) => !/^lotwatch_/.test(cookie));
  expect([what, own]).toEqual([what, []]);
  expect(answer.headers.get('link') ?? '').toMatch(/^(<[^<>"]*>; rel="next")?$/);
}

test('no text of a path or a query ends up in a header of the answer', async () => {
  for (const { call, query } of calls.filter(({ call: { method } }) => method === 'GET')) {
    for (const text of hostile) {
      const written = encodeURIComponent(text);
      const path = call.path.replaceAll(/\{\w+\}/g, written);
      const asked = query.map(({ name }) => `${name}=${written}`).join('&');
      expectCleanHeaders(await browser.fetch(`/api${path}?${asked}`), `${call.path} ${JSON.stringify(text)}`);
    }
  }
  expect(unexpected).toEqual([]);
});

test('no text of the address of a page, a mailed link or a file ends up in a header of the answer', async () => {
  for (const text of hostile) {
    for (const path of [
      '/',
      '/alert/',
      '/m/',
      '/assets/',
      '/dev/outbox/',
      '/api/ingest/',
      '/api/webhooks/',
      '/graphql?query=',
    ]) {
      expectCleanHeaders(await browser.fetch(`${path}${encodeURIComponent(text)}`), `${path} ${JSON.stringify(text)}`);
    }
  }
  expect(unexpected).toEqual([]);
});

test('a name and a subject of several lines become one line in the headers of mails', async () => {
  const lines = 'Ana\r\nBcc: all@evil.example\r\n\r\nHello';
  const answer = await browser.gql(
    'mutation ($input: ContactInput!) { sendContactMessage(input: $input) { message } }',
    { input: { name: lines, subject: lines, message: lines, email: 'ana@example.test' } },
  );
  expect(answer.errors).toEqual([]);
  for (const email of [`ana@example.test\r\nBcc: all@evil.example`, 'a@b.test,all@evil.example', '"a\r\n"@b.test']) {
    const refused = await browser.gql(
      'mutation ($input: ContactInput!) { sendContactMessage(input: $input) { message } }',
      { input: { name: 'Ana', subject: 'Hello', message: 'Hello', email } },
    );
    expect([email, refused.errors[0]?.extensions.code]).toEqual([email, 'VALIDATION']);
  }
  const rows = await api.db.rows('select name, subject from contact_messages');
  expect(rows).toHaveLength(1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test forbids them
  for (const text of Object.values(rows[0] ?? {})) expect(text).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+$/);
  const name = await browser.gql('mutation ($input: RegisterInput!) { register(input: $input) { id } }', {
    input: { username: lines, password: 'secret-1', email: 'other@example.test' },
  });
  expect(name.errors[0]?.extensions.code).toBe('VALIDATION');
});
