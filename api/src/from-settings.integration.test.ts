import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../test/database.ts';
import { setUpFolder } from '../test/set-up.ts';
import { readSettings } from './base/settings/settings.ts';
import { configuredSources, marketplaceHome, writeSources } from './from-settings.ts';
import { type EnsuredSources, endSource, resumeSource } from './sources/change-sources.ts';
import { dueSources } from './sources/claim-source.ts';
import { recordFailure } from './sources/record-poll.ts';

const folder = setUpFolder();
let db: TestDatabase;
beforeAll(async () => {
  db = await makeTestDatabase();
});
afterAll(async () => {
  await db.close();
});
beforeEach(() => db.pool.query('truncate sources'));

let files = 0;
const lot = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  kind: 'vehicle-feed',
  url: `https://${name}.example/feed.csv`,
  ...more,
});

/** A worker starts with these settings; ROLE=worker on the test's database where nothing else is said. */
function start(sources: object[] | null, env: Record<string, string> = {}): Promise<EnsuredSources> {
  files += 1;
  const file = join(folder, `${files}.json`);
  if (sources) writeFileSync(file, JSON.stringify(sources));
  const secret = { SESSION_SECRET: 'a secret of this test that is long enough' };
  const role = { ROLE: 'worker', DATABASE_URL: db.url, ...secret };
  return writeSources(db.pool, readSettings({ ...role, ...(sources && { SOURCES_FILE: file }), ...env }));
}
const nothing: EnsuredSources = { keptEnded: [], replaced: [] };
const demoOn = { DEMO_MARKETPLACE: 'on', DEMO_URL: 'http://127.0.0.1:9' };
const row = async (name: string) =>
  (await db.row('select * from sources where name = $1', [name])) as Record<string, unknown>;

it('stores tokens of sources only encrypted, and encrypts those that earlier versions stored in plain text', async () => {
  await db.pool.query("insert into sources (name, kind, settings) values ('old', 'vehicle-feed', $1)", [
    JSON.stringify({ url: 'https://old.example/', header: { name: 'x-token', value: 'zq-old-token' } }),
  ]);
  await start([lot('north', { header: { name: 'x-token', value: 'zq-new-token' } })]);
  const rows = await db.rows('select settings, header_ciphertext from sources order by name');
  const encrypted = { header_ciphertext: expect.stringMatching(/^v1\.[\w-]{40,}$/) };
  expect(rows).toMatchObject([encrypted, encrypted]);
  expect(rows.map(({ settings }) => settings.header)).toEqual([{ name: 'x-token' }, { name: 'x-token' }]);
});

describe('a worker that starts', () => {
  it.each([
    ['no SOURCES_FILE', null, {}],
    ['an empty one', [], {}],
    ['another one', [lot('west')], {}],
    ['no demo of its own, in production', null, { NODE_ENV: 'production' }],
  ])('leaves the sources of others polled with %s', async (_, sources, env) => {
    await start([lot('north'), lot('south')], demoOn);
    const needed = { SENDGRID_API_KEY: 'x', MAIL_FROM: 'a@b.example', SUPPORT_EMAIL: 'a@b.example' };
    await start(sources, { PUBLIC_URL: 'https://lotwatch.example', TRUSTED_PROXIES: 'none', ...needed, ...env });
    expect(await dueSources(db.pool)).toEqual(expect.arrayContaining(['demo', 'north', 'south']));
  });

  it('ends a source that its file marks as ended, and polls it again when a file no longer does', async () => {
    await start([lot('north'), lot('south')]);
    expect(await start([lot('north', { ended: true })])).toEqual(nothing);
    expect(await dueSources(db.pool)).toEqual(['south']);
    await start([lot('south')]);
    expect(await dueSources(db.pool)).toEqual(['south']);
    await start([lot('north')]);
    expect((await dueSources(db.pool)).sort()).toEqual(['north', 'south']);
    expect((await row('north')).settings).not.toHaveProperty('ended');
  });

  it('polls a source again that an older version ended because no settings named it', async () => {
    await start([lot('north')]);
    await db.pool.query("update sources set next_poll_at = 'infinity'");
    await start([lot('north')]);
    expect(await dueSources(db.pool)).toEqual(['north']);
  });

  it('keeps a source ended that an operator has ended, logs that, and updates its settings', async () => {
    await start([lot('north')]);
    await endSource(db.pool, 'north', 'operator');
    expect(await start([lot('north', { everySeconds: 300 })])).toEqual({ keptEnded: ['north'], replaced: [] });
    expect(await dueSources(db.pool)).toEqual([]);
    expect(await resumeSource(db.pool, 'north')).toBe('done');
    expect(await dueSources(db.pool)).toEqual(['north']);
    expect((await row('north')).settings).toMatchObject({ everySeconds: 300 });
    expect(await start([lot('north')])).toEqual(nothing);
  });

  it('ends the demo marketplace only where its settings turn it off', async () => {
    await start(null, demoOn);
    await start(null, { DEMO_MARKETPLACE: 'off' });
    expect(await dueSources(db.pool)).toEqual([]);
    await start(null, demoOn);
    expect(await dueSources(db.pool)).toEqual(['demo']);
  });

  it('applies its own settings of a source, until the next worker that names the source starts', async () => {
    const items = { kind: 'marketplace-items' };
    await start([lot('north', items)]);
    await db.pool.query(
      `update sources set etag = 'x', cursor = '{"offset": 7}', next_poll_at = now() + interval '1 hour'`,
    );
    await start([lot('north', { ...items, everySeconds: 300 })]);
    expect(await row('north')).toMatchObject({ etag: 'x', cursor: { offset: 7 }, settings: { everySeconds: 300 } });
    expect(await dueSources(db.pool)).toEqual(['north']);
    await start([lot('north', { ...items, url: 'https://elsewhere.example/feed.csv' })]);
    expect(await row('north')).toMatchObject({ etag: null, cursor: { offset: 7 } });
    await start([lot('north', { ...items, order: 'append' })]);
    expect(await row('north')).toMatchObject({ cursor: {}, settings: { url: 'https://north.example/feed.csv' } });
  });
});

it('a source stays ended when its last read fails afterwards', async () => {
  await start([lot('north')]);
  await endSource(db.pool, 'north', 'operator');
  await recordFailure(
    db.pool,
    { name: 'north', token: 0, version: 1 },
    { message: 'It answered 500.', delaySeconds: 0 },
  );
  expect(await dueSources(db.pool)).toEqual([]);
  expect(await row('north')).toMatchObject({ failures: 1, ended_by: 'operator' });
});

it('a source that is pushed to can not be ended or resumed', async () => {
  await db.pool.query("insert into sources (name, kind, next_poll_at) values ('partner', 'push', 'infinity')");
  expect(await endSource(db.pool, 'partner', 'operator')).toBe('pushed');
  expect(await resumeSource(db.pool, 'partner')).toBe('pushed');
  expect(await resumeSource(db.pool, 'nobody')).toBe('unknown');
  expect(await dueSources(db.pool)).toEqual([]);
});

it('lets a file take over a source that was made in the browser, and says so', async () => {
  await db.pool.query(
    `insert into sources (name, kind, settings, origin, version)
     values ('north', 'vehicle-feed', '{"url": "https://elsewhere.example/"}', 'browser', 3)`,
  );
  expect(await start([lot('north')])).toEqual({ keptEnded: [], replaced: ['north'] });
  const { rows } = await db.pool.query(
    `select origin, version, settings ->> 'url' as url, replaced_at is not null as replaced from sources`,
  );
  expect(rows).toEqual([{ origin: 'settings', version: 4, url: 'https://north.example/feed.csv', replaced: true }]);
  expect(await start([lot('north')])).toEqual(nothing);
});

describe('where a car leads whose source names no marketplace', () => {
  const settingsOf = (sources: object[]) => {
    files += 1;
    const file = join(folder, `${files}.json`);
    writeFileSync(file, JSON.stringify(sources));
    return readSettings({ SESSION_SECRET: 'a secret of this test that is long enough', SOURCES_FILE: file, ...demoOn });
  };
  const homeOf = (...sources: object[]) => marketplaceHome(configuredSources(settingsOf(sources)));
  const named = { marketplaceHome: 'https://market.example/' };

  it('is the first marketplace that SOURCES_FILE names, and never that of the demo', () => {
    expect(homeOf(lot('west'), lot('east', named))).toBe('https://market.example/');
    expect(homeOf(lot('west'), lot('east', { ...named, ended: true }))).toMatch(/^https:\/\/www\.facebook\.com\//);
    const demo = configuredSources(settingsOf([])).find(({ name }) => name === 'demo');
    expect(demo?.marketplaceHome).toMatch(/\/demo\/$/);
  });
});
