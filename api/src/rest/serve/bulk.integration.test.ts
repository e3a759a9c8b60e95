import { describe, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { insertMatches, storeCars } from '../../../test/factories.ts';
import { setUpApi } from '../../../test/make-app.ts';

const api = setUpApi();

const car = { make: 'toyota', location: '90001', radius: 50 };

interface Outcome {
  index: number;
  alert: { id: number; make: string; isActive: boolean; radius: number } | null;
  error: { code: string; fields: Record<string, string> | null; needsUpgrade: boolean | null } | null;
}

async function dealer(username: string, planId = 4): Promise<Browser> {
  const { browser, id } = await api.user(username);
  await api.db.pool.query('update users set plan_id = $1 where id = $2', [planId, id]);
  return browser;
}

async function bulk(browser: Browser, method: 'POST' | 'PATCH', alerts: unknown) {
  const headers = { 'content-type': 'application/json' };
  const answer = await browser.fetch('/api/alerts/bulk', { method, headers, body: JSON.stringify({ alerts }) });
  const body = (await answer.json()) as { results: Outcome[]; code?: string; fields?: Record<string, string> };
  return { status: answer.status, ...body };
}

const mine = async (browser: Browser) =>
  (await (await browser.fetch('/api/alerts/user')).json()) as { id: number; radius: number }[];

describe('many alerts in one call', () => {
  it('are created in order, each validated by itself, and never above the plan’s limit', async () => {
    const browser = await dealer('bulk-maker');
    const first = await bulk(browser, 'POST', [
      { ...car, radius: 5 },
      { ...car, make: '' },
      { ...car, make: 'nothing' },
      { ...car, yearMin: 2020, yearMax: 2010 },
      { ...car, location: 'nowhere at all 99' },
      { ...car, radius: 10, model: '', priceMax: null },
    ]);
    expect(first).toMatchObject({ status: 200 });
    expect(first.results.map(({ index, alert, error }) => [index, alert?.radius ?? error?.code])).toEqual([
      [0, 5],
      [1, 'VALIDATION'],
      [2, 'VALIDATION'],
      [3, 'VALIDATION'],
      [4, 'VALIDATION'],
      [5, 10],
    ]);
    expect(first.results[1]?.error?.fields).toEqual({ make: 'Car make is required' });
    expect(await mine(browser)).toHaveLength(2);

    const rest = await bulk(
      browser,
      'POST',
      Array.from({ length: 100 }, () => car),
    );
    expect(rest.results.filter(({ alert }) => alert)).toHaveLength(98);
    expect(rest.results.slice(98).map(({ error }) => [error?.code, error?.needsUpgrade])).toEqual([
      ['PLAN_LIMIT', false],
      ['PLAN_LIMIT', false],
    ]);
    expect(await mine(browser)).toHaveLength(100);
  });

  it('are refused together where the call itself is invalid', async () => {
    const browser = await dealer('bulk-wrong');
    const tooMany = Array.from({ length: 101 }, () => car);
    for (const alerts of [[], tooMany, 'text', [7], [null], undefined])
      expect([alerts, await bulk(browser, 'POST', alerts)]).toMatchObject([
        alerts,
        { status: 400, code: 'VALIDATION' },
      ]);
    const typed = await bulk(browser, 'POST', [car, { ...car, radius: 'wide' }]);
    expect(typed).toMatchObject({ status: 400, fields: { 'alerts.1.radius': expect.any(String) } });
    const guarded = await bulk(browser, 'POST', [{ ...car, userId: 1 }]);
    expect(guarded).toMatchObject({ status: 400, fields: { userId: "userId can't be set." } });
    expect(await mine(browser)).toHaveLength(0);
  });

  it('are for the Elite plan only', async () => {
    const browser = await dealer('bulk-pro', 3);
    expect(await bulk(browser, 'POST', [car])).toMatchObject({ status: 403, code: 'PLAN_REQUIRED' });
    expect(await bulk(browser, 'PATCH', [{ id: 1 }])).toMatchObject({ status: 403, code: 'PLAN_REQUIRED' });
    expect((await browser.fetch('/api/matches/export')).status).toBe(403);
    expect(await mine(browser)).toHaveLength(0);
  });

  it('are changed in any order, and those of other users are not found', async () => {
    const [browser, other] = [await dealer('bulk-editor'), await dealer('bulk-other')];
    const made = await bulk(browser, 'POST', [car, car, car]);
    const [a = 0, b = 0, c = 0] = made.results.map(({ alert }) => alert?.id ?? 0);
    const theirs = (await bulk(other, 'POST', [car])).results[0]?.alert?.id ?? 0;
    const changed = await bulk(browser, 'PATCH', [
      { id: c, isActive: false },
      { id: theirs, radius: 5 },
      { id: a, radius: 5 },
      { id: 'abc', radius: 5 },
      { id: b, make: '' },
    ]);
    expect(changed.results.map(({ index, alert, error }) => [index, alert?.id ?? error?.code])).toEqual([
      [0, c],
      [1, 'NOT_FOUND'],
      [2, a],
      [3, 'NOT_FOUND'],
      [4, 'VALIDATION'],
    ]);
    expect(changed.results[0]?.alert?.isActive).toBe(false);
    expect((await mine(browser)).map(({ id, radius }) => [id, radius])).toEqual([
      [c, 50],
      [b, 50],
      [a, 5],
    ]);
    expect((await mine(other))[0]?.radius).toBe(50);
  });

  it('are changed except one that the plan’s limit refuses, which stays as it was', async () => {
    const browser = await dealer('bulk-full');
    const made = await bulk(browser, 'POST', [car, car, car]);
    const [off = 0, on = 0, last = 0] = made.results.map(({ alert }) => alert?.id ?? 0);
    await bulk(browser, 'PATCH', [{ id: off, isActive: false }]);
    await api.db.pool.query('update plans set alert_limit = 2 where id = 4');
    const changed = await bulk(browser, 'PATCH', [
      { id: off, radius: 5, isActive: true },
      { id: on, radius: 10 },
    ]);
    await api.db.pool.query('update plans set alert_limit = 100 where id = 4');
    expect(changed.results.map(({ alert, error }) => alert?.radius ?? error?.code)).toEqual(['PLAN_LIMIT', 10]);
    const rows = await api.db.rows('select id, radius, is_active, version from alerts where id = any ($1)', [
      [off, on, last],
    ]);
    expect(rows.sort((a, b) => a.id - b.id)).toEqual([
      { id: off, radius: 50, is_active: false, version: 1 },
      { id: on, radius: 10, is_active: true, version: 2 },
      { id: last, radius: 50, is_active: true, version: 1 },
    ]);
  });

  it('are requested by their ids', async () => {
    const [browser, other] = [await dealer('bulk-reader'), await dealer('bulk-strange')];
    const ids = (await bulk(browser, 'POST', [car, car, car])).results.map(({ alert }) => alert?.id ?? 0);
    const theirs = (await bulk(other, 'POST', [car])).results[0]?.alert?.id ?? 0;
    const read = async (names: string) => {
      const answer = await browser.fetch(`/api/alerts/bulk?ids=${names}`);
      return { status: answer.status, body: (await answer.json()) as { id: number }[] };
    };
    const some = await read(`${ids[2]},${theirs},${ids[0]},999999,abc`);
    expect(some.body.map(({ id }) => id)).toEqual([ids[2], ids[0]]);
    expect((await read(Array.from({ length: 101 }, (_, at) => at + 1).join(','))).status).toBe(400);
    expect((await read('')).status).toBe(400);
  });

  it('are created once for one Idempotency-Key', async () => {
    const browser = await dealer('bulk-keyed');
    const send = () =>
      browser.fetch('/api/alerts/bulk', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'one' },
        body: JSON.stringify({ alerts: [car, { ...car, make: '' }] }),
      });
    const answers = await Promise.all(Array.from({ length: 5 }, async () => (await send()).text()));
    expect(new Set(answers).size).toBe(1);
    expect(await mine(browser)).toHaveLength(1);
  });
});

describe('the export of matches', () => {
  it('returns all of them, the oldest first, and continues from any line', async () => {
    const browser = await dealer('exporter');
    const alertId = (await bulk(browser, 'POST', [car])).results[0]?.alert?.id ?? 0;
    const stored = await storeCars(
      api.db.pool,
      Array.from({ length: 230 }, () => ({})),
    );
    // Two transactions: the order is that in which they became visible.
    await insertMatches(api.db.pool, alertId, stored.slice(100));
    await insertMatches(api.db.pool, alertId, stored.slice(0, 100));
    const lines = async (query = '') => {
      const answer = await browser.fetch(`/api/matches/export${query}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
      const text = await answer.text();
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { cursor: string; match: { alertId: number; listing: { id: number } } });
    };
    const all = await lines();
    expect(all.map(({ match }) => match.listing.id)).toEqual([...stored.slice(100), ...stored.slice(0, 100)]);
    expect(all[0]?.match).toMatchObject({ alertId, announced: true, receipt: { handedOverAt: null } });
    const at = 120;
    const after = await lines(`?after=${all[at]?.cursor}&alertId=${alertId}`);
    expect(after).toEqual(all.slice(at + 1));
    expect(await lines(`?after=${all.at(-1)?.cursor}`)).toEqual([]);
    expect((await browser.fetch('/api/matches/export?after=nonsense')).status).toBe(400);
    expect((await browser.fetch('/api/matches/export?alertId=999999')).status).toBe(404);
    const stranger = await dealer('export-stranger');
    expect(await (await stranger.fetch('/api/matches/export')).text()).toBe('');
    expect((await makeBrowser(api.url).fetch('/api/matches/export')).status).toBe(401);
  });
});
