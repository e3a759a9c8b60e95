import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { demoStream } from '../../../demo/ids.ts';
import { makeDemoServer } from '../../../demo/server.ts';
import { makeTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { makeEncryption } from '../../base/encryption.ts';
import { silentLog } from '../../base/log.ts';
import { makeGazetteer } from '../../domain/places/places.ts';
import { retireAbsent } from '../../intake/retire-listings.ts';
import { storeListings } from '../../intake/store-listings.ts';
import { ensureSources } from '../../sources/change-sources.ts';
import { encryptHeaders } from '../../sources/encrypted-header.ts';
import { readMarketplaceItems } from '../../sources/marketplace-items/read-marketplace-items.ts';
import { demoSource } from '../../sources/source-settings.ts';
import { readVehicleFeed } from '../../sources/vehicle-feed/read-feed.ts';
import { fetchPage } from '../../vendors/web-fetch.ts';
import { type PollDeps, pollSource } from './poll-source.ts';

let db: TestDatabase;
let now = new Date(Math.floor(Date.now() / 1000) * 1000);
const demo = makeDemoServer({ stream: demoStream(7, 2), publicUrl: 'http://localhost:4000/demo', now: () => now });
const gazetteer = makeGazetteer();
const encryption = makeEncryption('a secret of this test', 'source headers');

beforeAll(async () => {
  db = await makeTestDatabase();
  await new Promise<void>((settle) => demo.listen(0, '127.0.0.1', settle));
  const source = demoSource(`http://127.0.0.1:${(demo.address() as AddressInfo).port}`, 2);
  await ensureSources(db.pool, encryptHeaders(encryption, [source]));
});
afterAll(async () => {
  demo.closeAllConnections();
  demo.close();
  await db.close();
});

const count = async (where: string): Promise<number> => {
  const { rows } = await db.pool.query<{ n: number }>(`select count(*)::int as n from listings where ${where}`);
  return rows[0]?.n ?? 0;
};

it('shows the first read of the demo and announces what comes after, a Camry within 10 s', async () => {
  const deps: PollDeps = {
    pool: db.pool,
    storeListings,
    retireAbsent,
    readers: { 'marketplace-items': readMarketplaceItems, 'vehicle-feed': readVehicleFeed },
    gazetteer,
    fetchPage,
    encryption,
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
  const { rows } = await db.pool.query('select failures, last_error, first_read_done, lag_ms from sources');
  expect(rows).toMatchObject([{ failures: 0, last_error: null, first_read_done: true }]);
  expect(rows[0].lag_ms).toBeLessThanOrEqual(2000);
});
