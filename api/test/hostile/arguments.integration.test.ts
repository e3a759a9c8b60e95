import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LogFields, silentLog } from '../../src/base/log.ts';
import { makeSchema } from '../../src/graphql/make-schema.ts';
import { type Browser, makeBrowser } from '../browser.ts';
import { ADMIN_PASSWORD, makeTestApi, type TestApi } from '../make-app.ts';
import { bareHostileText, type HostileKind, hostileText } from '../reading/hostile-texts.ts';
import { type Path, type RootField, rootFields, withValue } from './root-fields.ts';

const fields = rootFields(makeSchema());
/** As much as a request may bring. */
const LENGTH = 150_000;
/** To send, take, refuse and read the refusal, in one process. A quadratic pattern takes seconds over such a text. */
const MOST_MS = 250;
/** Comparing a password takes its time on purpose. */
const hashing: readonly string[] = ['login', 'register', 'changePassword', 'resetPassword'];
const HASHING_MS = 500;

let api: TestApi;
let admin: Browser;
const unexpected: (LogFields | undefined)[] = [];
beforeAll(async () => {
  api = await makeTestApi({ log: { ...silentLog, error: (_message, more) => unexpected.push(more) } });
  await api.db.pool.query('update users set plan_id = 4 where id = 1');
  admin = makeBrowser(api.url);
});
afterAll(() => api.close());

async function signIn(): Promise<void> {
  const { data } = await admin.gql('{ me { id } }');
  if (data?.me?.id === '1') return;
  const login = 'mutation ($password: String!) { login(username: "admin", password: $password) { id } }';
  await admin.gql(login, { password: ADMIN_PASSWORD });
}

/** What a request costs at best, and how it failed. */
async function asked({ name, operation }: RootField, variables: Record<string, unknown>) {
  const most = hashing.includes(name) ? HASHING_MS : MOST_MS;
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

/** What is wrong with the answers where a value stands in the place of another. */
async function faultsOf(values: Record<string, unknown>, placesOf: (field: RootField) => readonly Path[]) {
  const faults: string[] = [];
  for (const field of fields) {
    for (const path of placesOf(field)) {
      for (const [what, value] of Object.entries(values)) {
        const { code, late } = await asked(field, withValue(field.variables, path, value));
        const fault = late ?? (code === 'INTERNAL' ? code : null);
        if (fault !== null) faults.push(`${field.name}(${path.join('.')}) with ${what}: ${fault}`);
      }
    }
  }
  return faults;
}

test('there is much to be asked', () => {
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

test('a text of any length in any argument is refused or taken in no time', { timeout: 300_000 }, async () => {
  expect(await faultsOf(odd, ({ texts }) => texts)).toEqual([]);
  expect(unexpected).toEqual([]);
});

test('and so is a text of any kind', { timeout: 300_000, tags: 'long' }, async () => {
  const values = { ...moreOdd, ...Object.fromEntries(more.map((kind) => [kind, bareHostileText(kind, LENGTH)])) };
  expect(await faultsOf(values, ({ texts }) => texts)).toEqual([]);
  expect(unexpected).toEqual([]);
});

/** As a body brings it: `__proto__` is a field of its own. */
const fromJson = (text: string): unknown => JSON.parse(text);
const polluting = '{"polluted": true, "isAdmin": true, "planId": 4}';

async function expectNoEffectOf(objects: Record<string, unknown>): Promise<void> {
  expect(await faultsOf(objects, ({ texts }) => texts)).toEqual([]);
  expect(await faultsOf(objects, ({ objects }) => objects)).toEqual([]);
  expect({}).not.toHaveProperty('polluted');
  expect({}).not.toHaveProperty('isAdmin');
  expect(unexpected).toEqual([]);
}

test('an object in the place of a text, or with fields that are none, has no effect', {
  timeout: 300_000,
}, async () => {
  await expectNoEffectOf({
    'an operator': { $ne: null },
    'a prototype': fromJson(`{"__proto__": ${polluting}}`),
  });
});

test('and so has any other object', { timeout: 300_000, tags: 'long' }, async () => {
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
