import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { makeTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { ADMIN_PASSWORD, makeTestApi, PRODUCTION, startsInProduction, type TestApi } from '../../../test/make-app.ts';
import { seedAdmin } from '../../accounts/seed-admin.ts';
import { seedPlans } from '../../billing/plans.ts';

const opened: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const one of opened.toReversed()) await one.close();
});

async function start(db: TestDatabase, env: Record<string, string>): Promise<TestApi> {
  const api = await makeTestApi({ db, env });
  opened.push(api);
  return api;
}

let db: TestDatabase;
let production: TestApi;
beforeEach(async () => {
  db = await makeTestDatabase();
  opened.push(db);
  await seedPlans(db.pool);
  await seedAdmin(db.pool, ADMIN_PASSWORD);
});

const login = `mutation ($p: String!) { login(username: "admin", password: $p) { id mustChangePassword restrictedTo } }`;
const me = '{ me { id mustChangePassword restrictedTo } }';
const change = `mutation ($now: String!, $next: String!) {
  changePassword(currentPassword: $now, newPassword: $next) { message }
}`;
const act = 'mutation { dismissQuarantined(source: "lot") }';

/** A browser at the public address of production; its cookies are Secure. */
const browserOf = (api: TestApi): Browser => makeBrowser(api.url, PRODUCTION.PUBLIC_URL);
const faultOf = ({ errors }: { errors: { message: string; extensions: Record<string, unknown> }[] }) => [
  errors[0]?.extensions.code,
  errors[0]?.message,
];
const refused = [
  'FORBIDDEN',
  'Please choose a password of your own first. The one you signed in with was made for you.',
];

describe.runIf(startsInProduction)('the first password of the admin, in production', () => {
  beforeEach(async () => {
    production = await start(db, PRODUCTION);
  });

  it('signs in, and allows nothing but changing it', async () => {
    const admin = browserOf(production);
    const { data } = await admin.gql(login, { p: ADMIN_PASSWORD });
    expect(data.login).toEqual({ id: '1', mustChangePassword: true, restrictedTo: 'password' });
    for (const query of [act, '{ deletionRequests { id } }', '{ alerts { id } }', 'mutation { exportMyData }']) {
      expect(faultOf(await admin.gql(query))).toEqual(refused);
    }
    const rest = await admin.fetch('/api/admin/deletion-requests');
    expect([rest.status, (await rest.json()).code]).toEqual([403, 'FORBIDDEN']);
    expect((await admin.gql(me)).data.me.restrictedTo).toBe('password');
  });

  it('allows no subscription either', async () => {
    const admin = browserOf(production);
    await admin.gql(login, { p: ADMIN_PASSWORD });
    const live = admin.socket().iterate({ query: 'subscription { matchAdded { cursor } }' });
    await expect(live.next()).rejects.toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });

  it('once changed allows all operations that need no second factor', async () => {
    const admin = browserOf(production);
    await admin.gql(login, { p: ADMIN_PASSWORD });
    const same = await admin.gql(change, { now: ADMIN_PASSWORD, next: ADMIN_PASSWORD });
    expect(same.errors[0]?.extensions.fields).toEqual({
      newPassword: 'Please choose another password than the one you have',
    });
    expect(faultOf(await admin.gql(act))).toEqual(refused);
    expect((await admin.gql(change, { now: ADMIN_PASSWORD, next: 'my-own-1' })).errors).toEqual([]);
    const restrictedTo = 'secondFactor';
    expect((await admin.gql(me)).data.me).toEqual({ id: '1', mustChangePassword: false, restrictedTo });
    await db.pool.query("insert into second_factors (user_id, secret_ciphertext, confirmed_at) values (1, '', now())");
    await admin.gql(change, { now: 'my-own-1', next: 'my-own-2' });
    expect((await admin.gql(act)).errors).toEqual([]);
    await db.pool.query('delete from second_factors');
    const again = browserOf(production);
    expect((await again.gql(login, { p: 'my-own-2' })).data.login.restrictedTo).toBe(restrictedTo);
  });

  it('a registered user has no initial password to change', async () => {
    const buyer = browserOf(production);
    await buyer.register('ana');
    expect((await buyer.gql(me)).data.me).toMatchObject({ mustChangePassword: false, restrictedTo: null });
    expect((await buyer.gql('{ alerts { id } }')).errors).toEqual([]);
  });
});

it('outside production the admin is only reminded, and may call every operation at once', async () => {
  const api = await start(db, {});
  const admin = makeBrowser(api.url);
  const { data } = await admin.gql(login, { p: ADMIN_PASSWORD });
  expect(data.login).toEqual({ id: '1', mustChangePassword: true, restrictedTo: null });
  expect((await admin.gql(act)).errors).toEqual([]);
});
