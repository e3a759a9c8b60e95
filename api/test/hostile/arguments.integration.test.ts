import { expect, test } from 'vitest';
import { type LogFields, silentLog } from '../../src/base/log.ts';
import { makeSchema } from '../../src/graphql/make-schema.ts';
import { type Browser, makeBrowser } from '../browser.ts';
import { ADMIN_PASSWORD, setUpApi } from '../make-app.ts';
import { bareHostileText, type HostileKind, hostileText } from '../reading/hostile-texts.ts';
import { type Path, type RootField, rootFields, withValue } from './root-fields.ts';

const fields = rootFields(makeSchema());
/** The longest text that a request may contain. */
const LENGTH = 150_000;
/** CPU time for a request and its refusal, client and server in one process. A quadratic pattern takes seconds. */
const MAX_MS = 250;
/** Hashing a password is slow on purpose. */
const hashing: readonly string[] = ['login', 'register', 'changePassword', 'resetPassword'];
const HASHING_MS = 500;

let admin: Browser;
const unexpected: (LogFields | undefined)[] = [];
const api = setUpApi({ log: { ...silentLog, error: (_message, more) => unexpected.push(more) } }, async () => {
  await api.db.pool.query('update users set plan_id = 4 where id = 1');
  admin = makeBrowser(api.url);
});

async function signIn(): Promise<void> {
  const { data } = await admin.gql('{ me { id } }');
  if (data?.me?.id === '1') return;
  const login = 'mutation ($password: String!) { login(username: "admin", password: $password) { id } }';
  await admin.gql(login, { password: ADMIN_PASSWORD });
}

/** The error code of a request, and its CPU time where even the fastest of ten attempts was too slow. */
async function measure({ name, operation }: RootField, variables: Record<string, unknown>) {
  const most = hashing.includes(name) ? HASHING_MS : MAX_MS;
  let ms = Number.POSITIVE_INFINITY;
  let code: unknown;
  for (let attempt = 0; attempt < 10 && ms > most; attempt++) {
    await signIn();
    const start = process.cpuUsage();
    const { errors } = await admin.gql(operation, variables);
    const { user, system } = process.cpuUsage(start);
    ms = Math.min(ms, (user + system) / 1000);
    code = errors[0]?.extensions.code;
  }
  return { code, late: ms > most ? `${Math.round(ms)} ms` : null };
}

/** Puts each value in each place of each operation. @returns the slow and the unexpected answers */
async function problemsWith(values: Record<string, unknown>, placesOf: (field: RootField) => readonly Path[]) {
  const problems: string[] = [];
  for (const field of fields) {
    for (const path of placesOf(field)) {
      for (const [what, value] of Object.entries(values)) {
        const { code, late } = await measure(field, withValue(field.variables, path, value));
        const fault = late ?? (code === 'INTERNAL' ? code : null);
        if (fault !== null) problems.push(`${field.name}(${path.join('.')}) with ${what}: ${fault}`);
      }
    }
  }
  return problems;
}

test('there are many operations and arguments to test', () => {
  expect(fields.length).toBeGreaterThan(50);
  expect(fields.flatMap(({ texts }) => texts).length).toBeGreaterThan(80);
});

const odd = { 'spaces within': hostileText('spaces', LENGTH), 'half a character': 'a\ud800b' };
const moreOdd = {
  letters: bareHostileText('letters', LENGTH),
  'a null byte': 'a\0b',
  "a statement's end": "1'; drop table users; --",
};
const more: HostileKind[] = ['digits', 'spaces', 'points', 'opening brackets', 'emoji', 'words and dashes'];

test('a long text in any argument is accepted or refused quickly', { timeout: 300_000 }, async () => {
  expect(await problemsWith(odd, ({ texts }) => texts)).toEqual([]);
  expect(unexpected).toEqual([]);
});

test('a text of any kind in any argument is accepted or refused quickly', {
  timeout: 300_000,
  tags: 'long',
}, async () => {
  const values = { ...moreOdd, ...Object.fromEntries(more.map((kind) => [kind, bareHostileText(kind, LENGTH)])) };
  expect(await problemsWith(values, ({ texts }) => texts)).toEqual([]);
  expect(unexpected).toEqual([]);
});

/** Parsed from JSON, as a body is, so that `__proto__` is an ordinary field. */
const fromJson = (text: string): unknown => JSON.parse(text);
const polluting = '{"polluted": true, "isAdmin": true, "planId": 4}';

async function expectNoEffectOf(objects: Record<string, unknown>): Promise<void> {
  expect(await problemsWith(objects, ({ texts }) => texts)).toEqual([]);
  expect(await problemsWith(objects, ({ objects }) => objects)).toEqual([]);
  expect({}).not.toHaveProperty('polluted');
  expect({}).not.toHaveProperty('isAdmin');
  expect(unexpected).toEqual([]);
}

test('an operator or a prototype in place of an argument has no effect', {
  timeout: 300_000,
}, async () => {
  await expectNoEffectOf({
    'an operator': { $ne: null },
    'a prototype': fromJson(`{"__proto__": ${polluting}}`),
  });
});

test('any other object in place of an argument has no effect', { timeout: 300_000, tags: 'long' }, async () => {
  await expectNoEffectOf({
    'another operator': { $gt: '' },
    'a pattern': { $regex: '.*' },
    'a list': ['a', 'b'],
    'lists in lists': [[['x']]],
    'a length': { length: 1e9 },
    'a method': { toString: 1, valueOf: 1, toJSON: 1 },
    'a constructor': fromJson(`{"constructor": {"prototype": ${polluting}}}`),
    'lists within lists': fromJson(`${'['.repeat(500)}${']'.repeat(500)}`),
  });
});
