import { afterEach, expect, it, vi } from 'vitest';

const given = { necessary: true, analytics: true, preferences: false, marketing: true, accepted: true };

/** The module as a page that has just been opened would load it. */
async function openPage(stored: Record<string, string>, forbidden = false) {
  const kept = new Map(Object.entries(stored));
  const access = <T>(answer: () => T): T => {
    if (forbidden) throw new Error('SecurityError');
    return answer();
  };
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => access(() => kept.get(key) ?? null),
    setItem: (key: string, value: string) => access(() => kept.set(key, value)),
    removeItem: (key: string) => access(() => kept.delete(key)),
  });
  vi.resetModules();
  return { kept, ...(await import('./cookie-consent.ts')) };
}

afterEach(() => vi.unstubAllGlobals());

it('reads a stored choice, whose necessary part is always on', async () => {
  const page = await openPage({ 'cookie-consent': JSON.stringify({ ...given, necessary: false }) });
  expect(page.cookieConsent.get()).toEqual(given);
});

it.each([
  undefined,
  '',
  'yes',
  'null',
  'true',
  '[]',
  '{"accepted":true}',
  JSON.stringify({ ...given, accepted: false }),
  JSON.stringify({ ...given, analytics: 'on' }),
  JSON.stringify(given).slice(0, -1),
])('counts a broken choice as none: %s', async (stored) => {
  expect((await openPage(stored === undefined ? {} : { 'cookie-consent': stored })).cookieConsent.get()).toBeNull();
});

it('stores a choice for the next page, notifies watchers, and deletes it', async () => {
  const page = await openPage({});
  const seen: unknown[] = [];
  page.cookieConsent.subscribe(() => seen.push(page.cookieConsent.get()));
  page.storeCookieConsent(page.firstChoice);
  const stored = { necessary: true, analytics: true, preferences: true, marketing: false, accepted: true };
  expect(JSON.parse(page.kept.get('cookie-consent') ?? '')).toEqual(stored);
  page.clearCookieConsent();
  expect(page.kept.size).toBe(0);
  expect(seen).toEqual([stored, null]);
});

it('keeps the choice for the visit where storage is forbidden', async () => {
  const page = await openPage({}, true);
  page.storeCookieConsent(page.necessaryOnly);
  expect(page.cookieConsent.get()).toMatchObject({ analytics: false, preferences: false, marketing: false });
  page.clearCookieConsent();
  expect(page.cookieConsent.get()).toBeNull();
});
