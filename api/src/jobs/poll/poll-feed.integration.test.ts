import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { demoStream } from '../../../demo/ids.ts';
import { makeDemoServer } from '../../../demo/server.ts';
import { gazetteer } from '../../../lab/gazetteer.ts';
import { closeServer, listen } from '../../../lab/local-server.ts';
import { setUpDatabase } from '../../../test/database.ts';
import { pollRig } from '../../../test/reading/poll-rig.ts';
import { setUpFolder } from '../../../test/set-up.ts';
import { makeEncryption } from '../../base/encryption.ts';
import { silentLog } from '../../base/log.ts';
import { retireAbsent } from '../../intake/retire-listings.ts';
import { storeListings } from '../../intake/store-listings.ts';
import { ensureSources } from '../../sources/change-sources.ts';
import { encryptSecrets } from '../../sources/source-secrets.ts';
import { demoSource } from '../../sources/source-settings.ts';
import { fetchPage } from '../../vendors/web-fetch.ts';
import { type PollDeps, pollSource } from './poll-sources-job.ts';

const rig = pollRig();
const { poll, settings, source } = rig;
const folder = setUpFolder();

const feedOf = (...ids: string[]) =>
  ['vehicle_id,title,price', ...ids.map((id) => `${id},2015 Toyota Camry,9000 USD`), ''].join('\n');

async function statuses(): Promise<Record<string, string>> {
  const rows = await rig.db.rows('select external_id as id, status from listings order by 1');
  return Object.fromEntries(rows.map(({ id, status }) => [id, status]));
}

describe('a feed', () => {
  const answers = (text: string | null, etag = '"1"') => {
    rig.script = ({ message }, response) => {
      if (text === null) response.writeHead(500).end();
      else if (message.headers['if-none-match'] === etag) response.writeHead(304).end();
      else response.writeHead(200, { etag }).end(text);
      return true;
    };
  };

  it('is requested as a whole, and cars that two complete reads lack are marked as gone', async () => {
    await ensureSources(rig.db.pool, settings({ kind: 'vehicle-feed' }));
    answers(feedOf('a', 'b', 'c'));
    await poll();
    expect(rig.requests[0]?.offset).toBe(0);
    expect(await source()).toMatchObject({ first_read_done: true, last_error: null, cursor: {} });
    answers(feedOf('a'), '"2"');
    await poll();
    expect(await statuses()).toEqual({ a: 'for_sale', b: 'for_sale', c: 'for_sale' });
    answers(null);
    await poll();
    answers(feedOf('a', 'b').slice(0, -20), '"3"');
    await poll();
    expect(await statuses()).toEqual({ a: 'for_sale', b: 'for_sale', c: 'for_sale' });
    answers(feedOf('a', 'b'), '"4"');
    await poll();
    expect(await statuses()).toEqual({ a: 'for_sale', b: 'for_sale', c: 'gone' });
  });

  it('counts as a complete read when it is unchanged, and a quarantined row counts as present', async () => {
    await ensureSources(rig.db.pool, settings({ kind: 'vehicle-feed' }));
    answers(feedOf('a', 'b'));
    await poll();
    answers(feedOf('a', 'b').replace('b,2015 Toyota Camry', 'b,Winter tires'), '"2"');
    await poll();
    await poll();
    expect(await statuses()).toEqual({ a: 'for_sale', b: 'for_sale' });
    answers(feedOf('a'), '"3"');
    await poll();
    expect(await statuses()).toMatchObject({ b: 'for_sale' });
    await poll();
    expect(await statuses()).toMatchObject({ b: 'gone' });
    expect(await source()).toMatchObject({ etag: '"3"', failures: 0 });
  });

  it('is read from a file, plain or compressed, whatever its name', async () => {
    const file = join(folder, 'feed.csv');
    await ensureSources(rig.db.pool, settings({ kind: 'vehicle-feed', url: undefined, file }));
    await writeFile(file, feedOf('a', 'b'));
    await poll();
    await writeFile(file, gzipSync(feedOf('a', 'd')));
    await poll();
    expect(await statuses()).toEqual({ a: 'for_sale', b: 'for_sale', d: 'for_sale' });
    await poll();
    expect(await statuses()).toMatchObject({ b: 'gone' });
  });
});

describe('items from a file', () => {
  it('are read only to the last complete line of a file that is being written', async () => {
    const file = join(folder, 'items.ndjson');
    const line = (id: string) => JSON.stringify({ id, title: '2015 Toyota Camry', price: 9000 });
    await ensureSources(rig.db.pool, settings({ order: 'append', url: undefined, file }));
    await writeFile(file, `${line('a')}\n${line('b').slice(0, 20)}`);
    await poll();
    expect(await source()).toMatchObject({ cursor: { offset: 1 }, failures: 0 });
    await writeFile(file, `${line('a')}\n${line('b')}\nnonsense\n${line('c')}\n`);
    await poll();
    expect(await source()).toMatchObject({ cursor: { offset: 4 } });
    expect(Object.keys(await statuses())).toEqual(['a', 'b', 'c']);
    await writeFile(file, `${line('a')}\n${line('b')}\nnonsense\n${line('c')}\n${line('d')}`);
    await poll();
    expect(Object.keys(await statuses())).toEqual(['a', 'b', 'c', 'd']);
  });
});

let now = new Date(Math.floor(Date.now() / 1000) * 1000);
const demo = makeDemoServer({ stream: demoStream(7, 2), publicUrl: 'http://localhost:4000/demo', now: () => now });
const encryption = makeEncryption('a secret of this test', 'source headers');

const db = setUpDatabase(async () => {
  const source = demoSource(await listen(demo), 2, 'http://localhost:3000/demo/');
  await ensureSources(db.pool, encryptSecrets(encryption, [source]));
});
afterAll(() => closeServer(demo));

const count = async (where: string): Promise<number> => {
  return (await db.row(`select count(*)::int as n from listings where ${where}`))?.n ?? 0;
};

it('shows the first read of the demo marketplace, and announces later cars, among them a Camry within 10 s', async () => {
  const deps: PollDeps = {
    pool: db.pool,
    storeListings,
    retireAbsent,
    gazetteer,
    fetchPage,
    encryption,
    allowsPrivateNetwork: false,
    now: () => now,
    log: silentLog,
  };
  expect(await pollSource(deps, 'demo')).toBe(true);
  expect(await count('not announce')).toBeGreaterThan(350);
  expect(await count('announce')).toBe(0);
  const begin = now;
  for (let poll = 0; poll < 5; poll++) {
    now = new Date(now.getTime() + 2000);
    await db.pool.query('update sources set next_poll_at = now()');
    expect(await pollSource(deps, 'demo')).toBe(true);
  }
  // A price that drops or a car that is sold meanwhile is news about an old listing.
  const asFirstSeen = 'changed_at = seen_at';
  expect(await count(`announce and ${asFirstSeen}`)).toBeGreaterThan(14);
  const camry = `make = 'toyota' and model = 'camry' and price < 50000 and image_url is not null and state = 'CA'`;
  expect(await count(`announce and ${camry}`)).toBeGreaterThan(0);
  expect(await count(`announce and ${asFirstSeen} and listed_at < '${begin.toISOString()}'`)).toBe(0);
  const rows = await db.rows('select failures, last_error, first_read_done, lag_ms from sources');
  expect(rows).toMatchObject([{ failures: 0, last_error: null, first_read_done: true }]);
  expect(rows[0].lag_ms).toBeLessThanOrEqual(2000);
});
