import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { makeTestApi, setUpApi, type TestApi } from '../../../test/make-app.ts';

/** A second API process on the same database. */
let other: TestApi;
const api = setUpApi({}, async () => {
  other = await makeTestApi({ db: api.db });
});
afterAll(async () => {
  await other.close();
});

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const me = '{ me { username } }';
const login = 'mutation ($u: String!, $p: String!) { login(username: $u, password: $p) { id } }';
const list = '{ sessions { id browser system signedInAt lastUsedAt expiresAt isCurrent } }';
const endOne = 'mutation ($id: ID!) { endSession(id: $id) }';
const endOthers = 'mutation { endOtherSessions }';

let people = 0;
let name = '';
let laptop: Browser;
let userId = 0;
beforeEach(async () => {
  people += 1;
  name = `owner-${people}`;
  ({ browser: laptop, id: userId } = await api.user(name));
});

async function signInOn(url: string, userAgent: string): Promise<Browser> {
  const browser = makeBrowser(url);
  await browser.gql(login, { u: name, p: 'secret-1' }, { 'user-agent': userAgent });
  return browser;
}

/** Opens a socket that subscribes to matches; `closed` resolves with its close code and the time until then. */
async function follow(browser: Browser): Promise<{ closed: Promise<{ code: number; at: number }> }> {
  const client = browser.socket();
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<{ code: number; at: number }>();
  client.on('connected', () => opened.resolve());
  client.on('closed', (event) => closed.resolve({ code: (event as { code: number }).code, at: performance.now() }));
  client.subscribe({ query: 'subscription { matchAdded { cursor } }' }, { next() {}, error() {}, complete() {} });
  await opened.promise;
  return { closed: closed.promise };
}

const faultOf = (answer: Awaited<ReturnType<Browser['gql']>>) => answer.errors[0]?.extensions.code;
const sessionsOf = async (browser: Browser) => (await browser.gql(list)).data.sessions;
const isIn = async (browser: Browser) => (await browser.gql(me)).data.me !== null;

describe('the list of devices', () => {
  it('shows the signed-in browsers, the current one first, and no secret of a session', async () => {
    const phone = await signInOn(other.url, FIREFOX);
    const tablet = await signInOn(api.url, CHROME);
    await makeBrowser(api.url).register(`stranger-${people}`);
    const shown = await sessionsOf(phone);
    expect(shown).toMatchObject([
      { browser: 'Firefox', system: 'Linux', isCurrent: true },
      { browser: 'Chrome', system: 'Windows', isCurrent: false },
      { browser: null, system: null, isCurrent: false },
    ]);
    for (const one of shown) {
      expect(Date.now() - new Date(one.signedInAt).getTime()).toBeLessThan(60_000);
      expect(new Date(one.expiresAt).getTime() - Date.now()).toBeGreaterThan(29.9 * 86_400_000);
    }
    const rows = await api.db.rows('select sid from session');
    for (const { sid } of rows) expect(JSON.stringify(shown)).not.toContain(sid);
    expect((await sessionsOf(tablet)).map((one: { id: string }) => one.id).sort()).toEqual(
      shown.map((one: { id: string }) => one.id).sort(),
    );
  });

  it('is refused to visitors and keys', async () => {
    await api.db.pool.query('update users set plan_id = 4 where id = $1', [userId]);
    const made = await laptop.gql('mutation { createApiKey(name: "x", scopes: [write]) { secret } }');
    const headers = { authorization: `Bearer ${made.data.createApiKey.secret}` };
    for (const [query, variables] of [[list], [endOne, { id: '1' }], [endOthers]] as const) {
      expect(faultOf(await makeBrowser(api.url).gql(query, variables))).toBe('UNAUTHENTICATED');
      expect(faultOf(await makeBrowser(api.url, null).gql(query, variables, headers))).toBe('FORBIDDEN');
    }
  });

  it('shows when a session was last used', async () => {
    await api.db.pool.query(
      `update session set last_used_at = now() - interval '3 days' where sess ->> 'userId' = $1`,
      [String(userId)],
    );
    await laptop.gql(me);
    await expect
      .poll(async () => Date.now() - new Date((await sessionsOf(laptop))[0].lastUsedAt).getTime())
      .toBeLessThan(60_000);
  });
});

describe('signing a device out', () => {
  it('ends its session and its sockets in another process within a second, and no others', async () => {
    const phone = await signInOn(other.url, FIREFOX);
    const [{ closed }, kept] = [await follow(phone), await follow(laptop)];
    const id = (await sessionsOf(laptop)).find((one: { isCurrent: boolean }) => !one.isCurrent).id;
    const before = performance.now();
    expect((await laptop.gql(endOne, { id })).data.endSession).toBe(id);
    const { code, at } = await closed;
    expect(code).toBe(4401);
    expect(at - before).toBeLessThan(1_000);
    expect([await isIn(phone), await isIn(laptop)]).toEqual([false, true]);
    expect(await Promise.race([kept.closed, Promise.resolve('open')])).toBe('open');
    expect(faultOf(await laptop.gql(endOne, { id }))).toBe('NOT_FOUND');
  });

  it("is refused for another user's session and for an invalid id", async () => {
    const { browser: stranger } = await api.user(`stranger-${people}`);
    const id = (await sessionsOf(stranger))[0].id;
    for (const wrong of [id, '0', 'x', '99999999999999999999'])
      expect(faultOf(await laptop.gql(endOne, { id: wrong }))).toBe('NOT_FOUND');
    expect(await isIn(stranger)).toBe(true);
  });

  it('ends all other sessions of the user at once, with their sockets, and no other user’s', async () => {
    const { browser: stranger } = await api.user(`stranger-${people}`);
    const others = [await signInOn(other.url, FIREFOX), await signInOn(api.url, CHROME)];
    const followed = await Promise.all(others.map(follow));
    const before = performance.now();
    expect((await laptop.gql(endOthers)).data.endOtherSessions).toBe(2);
    for (const { closed } of followed) {
      const { code, at } = await closed;
      expect(code).toBe(4401);
      expect(at - before).toBeLessThan(1_000);
    }
    expect(await Promise.all([...others, laptop, stranger].map(isIn))).toEqual([false, false, true, true]);
    expect(await sessionsOf(laptop)).toMatchObject([{ isCurrent: true }]);
  });
});

describe('the duration of a session', () => {
  const agedBy = (age: string, left: string) =>
    api.db.pool.query(
      `update session set created_at = now() - $2::interval, expire = now() + $3::interval where sess ->> 'userId' = $1`,
      [String(userId), age, left],
    );

  it('is 90 days after the sign-in at most, however much it is used', async () => {
    await agedBy('89 days', '1 hour');
    expect(await isIn(laptop)).toBe(true);
    await expect
      .poll(async () => new Date((await sessionsOf(laptop))[0].expiresAt).getTime() - Date.now())
      .toBeGreaterThan(23 * 3_600_000);
    const [{ expiresAt, signedInAt }] = await sessionsOf(laptop);
    expect(new Date(expiresAt).getTime() - new Date(signedInAt).getTime()).toBeLessThanOrEqual(90 * 86_400_000 + 1);
  });

  it('can’t be extended beyond that by any statement', async () => {
    await agedBy('90 days', '30 days');
    expect(await isIn(laptop)).toBe(false);
  });
});
