import { afterEach, expect, it, vi } from 'vitest';
import { withoutSecrets } from './storage.ts';

const tab = (query: string | null, rest = {}) => ({
  id: '1',
  title: 'x',
  query,
  variables: null,
  headers: null,
  ...rest,
});
const kept = (key: string, value: unknown) => JSON.parse(withoutSecrets(key, JSON.stringify(value))) as unknown;

/** The module in a browser that has or has not allowed preferences. */
async function openPage(preferences: boolean, forbidden = false) {
  const places = { localStorage: new Map<string, string>(), sessionStorage: new Map<string, string>() };
  const choice = { necessary: true, analytics: false, preferences, marketing: false, accepted: true };
  places.localStorage.set('cookie-consent', JSON.stringify(choice));
  for (const [name, place] of Object.entries(places)) {
    const storage = {
      getItem: (key: string) => place.get(key) ?? null,
      setItem: (key: string, value: string) => place.set(key, value),
      removeItem: (key: string) => place.delete(key),
    };
    const own = {
      ownKeys: () => [...place.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    };
    if (!forbidden) vi.stubGlobal(name, new Proxy(storage, own));
  }
  vi.resetModules();
  return { ...places, ...(await import('./storage.ts')), ...(await import('../lib/state/cookie-consent.ts')) };
}

afterEach(() => vi.unstubAllGlobals());

it('keeps tabs, history and sizes, but no headers', () => {
  const headers = '{"Authorization":"Bearer lw_1"}';
  expect(kept('graphiql:queries', { queries: [tab('{ me { id } }', { headers })] })).toEqual({
    queries: [tab('{ me { id } }')],
  });
  const tabs = [tab('{ plans { id } }', { headers }), tab(null)];
  expect(kept('graphiql:tabState', { tabs, activeTabIndex: 1 })).toEqual({
    tabs: [tab('{ plans { id } }'), tab(null)],
    activeTabIndex: 1,
  });
  expect(withoutSecrets('graphiql:docExplorerFlex', '0.5')).toBe('0.5');
  expect(withoutSecrets('graphiql:variables', '{"ids":["1"]}')).toBe('{"ids":["1"]}');
});

it.each([
  tab('mutation { login(username: "a", password: "b") { id } }'),
  tab('mutation X($p: String!) { x(p: $p) { id } }', { variables: '{"newPassword":"b"}' }),
  tab('mutation { confirmEmail(token: "t") { message } }'),
  tab('mutation { createApiKey(name: "x", scopes: []) { secret } }'),
])('keeps nothing that may be secret: %j', (secret) => {
  for (const [key, name] of [
    ['queries', 'queries'],
    ['favorites', 'favorites'],
    ['tabState', 'tabs'],
  ] as const)
    expect(kept(`graphiql:${key}`, { [name]: [secret, tab('{ me { id } }')] })).toEqual({
      [name]: [tab('{ me { id } }')],
    });
  expect(
    withoutSecrets('graphiql:query', secret.query ?? '') === '' ||
      withoutSecrets('graphiql:variables', String(Reflect.get(secret, 'variables'))) === '',
  ).toBe(true);
});

it('stores it on this machine with consent, otherwise for the visit', async () => {
  for (const preferences of [true, false]) {
    const page = await openPage(preferences);
    page.makeStorage('7').setItem('graphiql:query', '{ me { id } }');
    page.makeStorage('visitor').setItem('graphiql:query', '{ plans { id } }');
    const place = preferences ? page.localStorage : page.sessionStorage;
    expect(place.get('lotwatch-playground-7:graphiql:query')).toBe('{ me { id } }');
    expect(page.makeStorage('7').length).toBe(1);
    page.makeStorage('7').clear();
    expect(page.makeStorage('7').getItem('graphiql:query')).toBeNull();
    expect(page.makeStorage('visitor').getItem('graphiql:query')).toBe('{ plans { id } }');
  }
});

it('is deleted when preferences are switched off', async () => {
  const page = await openPage(true);
  page.makeStorage('7').setItem('graphiql:query', '{ me { id } }');
  page.storeCookieConsent(page.allCookies);
  expect(page.localStorage.size).toBe(2);
  page.storeCookieConsent(page.necessaryOnly);
  expect([...page.localStorage.keys()]).toEqual(['cookie-consent']);
});

it('works without storage where it is forbidden', async () => {
  const page = await openPage(true, true);
  page.makeStorage('7').setItem('graphiql:query', '{ me { id } }');
  expect(page.makeStorage('7').getItem('graphiql:query')).toBeNull();
});
