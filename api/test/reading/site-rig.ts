import { afterEach, beforeEach } from 'vitest';
import { DealerSite, type SiteCar } from '../../lab/dealer-site.ts';
import { makeEncryption } from '../../src/base/encryption.ts';
import { silentLog } from '../../src/base/log.ts';
import { retireAbsent } from '../../src/intake/retire-listings.ts';
import { storeListings } from '../../src/intake/store-listings.ts';
import { type PollDeps, pollSource } from '../../src/jobs/poll/poll-sources-job.ts';
import { ensureSources } from '../../src/sources/change-sources.ts';
import { encryptSecrets } from '../../src/sources/source-secrets.ts';
import { parseSources } from '../../src/sources/source-settings.ts';
import { trySource } from '../../src/sources/try-source.ts';
import { fetchPage } from '../../src/vendors/web-fetch.ts';
import { setUpDatabase } from '../database.ts';
import { setUpServer } from '../set-up.ts';
import { gazetteer } from './marketplace-items.ts';

const encryption = makeEncryption('a secret of this test', 'source headers');

/** A car for the site of a test. @param number from 0 to 99 */
export const siteCar = (number: number, more: Partial<SiteCar> = {}): SiteCar => ({
  vin: `2HGFB2F50CH5000${String(number).padStart(2, '0')}`,
  title: `20${String(10 + (number % 12))} Honda Civic LX`,
  price: 7000 + 100 * number,
  ...more,
});

/** A dealer's site that is read as the source `site`, with a database and a clock that moves only when a read waits. */
export function siteRig() {
  const rig = {
    db: setUpDatabase(),
    site: new DealerSite(),
    deps: undefined as unknown as PollDeps,
    /** How much time was let pass, in milliseconds. */
    time: 0,
    /** That time and the real one together. */
    clock: () => 0,
    waits: [] as number[],

    async add(more: Record<string, unknown> = {}, name = 'site'): Promise<void> {
      const settings = { name, kind: 'vehicle-pages', site: rig.site.url, allowPrivateNetwork: true, ...more };
      await ensureSources(rig.db.pool, encryptSecrets(encryption, parseSources(JSON.stringify([settings]), '/')));
    },

    /** Lets time pass: what is stored becomes older. */
    async pass(ms: number): Promise<void> {
      rig.time += ms;
      await rig.db.pool.query(
        `update site_hosts set next_at = next_at - $1 * interval '1 ms', robots_at = robots_at - $1 * interval '1 ms'`,
        [ms],
      );
      await rig.db.pool.query(
        `update source_pages set answered_at = answered_at - $1 * interval '1 ms', read_at = read_at - $1 * interval '1 ms'`,
        [ms],
      );
    },

    /** Polls once. @returns the source's row */
    async pollOnce(more: Partial<PollDeps> = {}, name = 'site') {
      await rig.db.pool.query('update sources set next_poll_at = now() where name = $1', [name]);
      await pollSource({ ...rig.deps, ...more }, name);
      return rig.source(name);
    },

    /** Reads the site to the end, however many claims that takes. */
    async read(more: Partial<PollDeps> = {}, name = 'site') {
      const before = Number((await rig.source(name)).last_complete_at);
      for (let polls = 0; polls < 50; polls++) {
        const row = await rig.pollOnce(more, name);
        if (row.failures > 0 || Number(row.last_complete_at) !== before) return row;
        await rig.pass(Math.max(0, row.seconds * 1000));
      }
      throw new Error('the read did not end');
    },

    /** Tries the site as the admin's page does. */
    async tried(more: Record<string, unknown> = {}) {
      const settings = { name: 'tried', kind: 'vehicle-pages', site: rig.site.url, allowPrivateNetwork: true, ...more };
      const [source] = parseSources(JSON.stringify([settings]), '/');
      if (!source) throw new Error('no source');
      return trySource(source, rig.deps);
    },

    source: (name = 'site') =>
      rig.db.row('select *, extract(epoch from next_poll_at - now())::float8 as seconds from sources where name = $1', [
        name,
      ]),

    async cars(): Promise<Record<string, [status: string, price: number]>> {
      const rows = await rig.db.rows('select external_id, status, price from listings order by external_id');
      return Object.fromEntries(rows.map(({ external_id, status, price }) => [external_id, [status, price]]));
    },
  };
  const server = setUpServer((request, response) => rig.site.answer(request, response));
  beforeEach(() => {
    Object.assign(rig, { site: new DealerSite(), time: 0, waits: [] });
    rig.site.url = server.url;
    const start = Date.now();
    rig.clock = () => Date.now() - start + rig.time;
    rig.site.now = rig.clock;
    rig.deps = {
      pool: rig.db.pool,
      storeListings,
      retireAbsent,
      gazetteer,
      fetchPage: (page) => fetchPage({ ...page, timeoutMs: 2000 }),
      userAgent: 'LotWatch/1.0 (+https://lotwatch.example; help@lotwatch.example)',
      wait: async (ms) => {
        rig.waits.push(ms);
        await rig.pass(ms);
      },
      encryption,
      allowsPrivateNetwork: false,
      now: () => new Date(start + rig.clock()),
      log: silentLog,
      random: () => 0,
    };
  });
  afterEach(() =>
    rig.db.pool.query(
      'truncate sources, listings, listings_to_match, price_changes, quarantine, source_pages, site_hosts',
    ),
  );
  return rig;
}
