import { type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import { gazetteer } from '../../lab/gazetteer.ts';
import { makeEncryption } from '../../src/base/encryption.ts';
import { silentLog } from '../../src/base/log.ts';
import { retireAbsent } from '../../src/intake/retire-listings.ts';
import { storeListings } from '../../src/intake/store-listings.ts';
import { type PollDeps, pollSource } from '../../src/jobs/poll/poll-sources-job.ts';
import type { MarketplaceItemsSettings } from '../../src/sources/marketplace-items/marketplace-items-settings.ts';
import { encryptSecrets, type StoredSource } from '../../src/sources/source-secrets.ts';
import { parseSources } from '../../src/sources/source-settings.ts';
import { fetchPage } from '../../src/vendors/web-fetch.ts';
import { setUpDatabase } from '../database.ts';
import { setUpServer } from '../set-up.ts';

export interface Row {
  id: string;
  title: string;
  price: number;
  listedAt?: number;
}

type Script = (
  request: { offset: number; limit: number; message: IncomingMessage },
  response: ServerResponse,
) => boolean;

interface SourceRow {
  cursor: Record<string, number>;
  etag: string | null;
  first_read_done: boolean;
  failures: number;
  last_error: string | null;
  last_success_at: Date | null;
  lag_ms: number | null;
  /** Seconds until the next poll. */
  seconds: number;
}

export const car = (id: string, price = 9000, listedAt?: number): Row => ({
  id,
  title: '2015 Toyota Camry',
  price,
  ...(listedAt && { listedAt }),
});

/** Cars, newest first. @param from how many existed before */
export const cars = (count: number, from = 0): Row[] =>
  Array.from({ length: count }, (_, index) => car(`c${from + count - index}`));

export function answerJson(response: ServerResponse, body: unknown, head: Record<string, string> = {}): true {
  response.writeHead(200, { 'content-type': 'application/json', ...head }).end(JSON.stringify(body));
  return true;
}

/** Stores `whole` batches, then fails before or after storing the next one, as if the process was killed. */
export function crashingStore(whole = 1, at: 'before' | 'stored' = 'before'): PollDeps['storeListings'] {
  let batches = 0;
  return async (...given) => {
    batches += 1;
    const isLast = batches > whole;
    if (isLast && at === 'before') throw new Error('killed');
    const result = await storeListings(...given);
    if (isLast) throw new Error('killed');
    return result;
  };
}

const ITEMS = 'marketplace-items';
export type RigSettings = Omit<MarketplaceItemsSettings, 'kind'> & { kind: string };

const encryption = makeEncryption('a secret of this test', 'source headers');

/** A scripted HTTP source named `lot`, with a database, for one test file. */
export function pollRig() {
  const rig = {
    db: setUpDatabase(),
    url: '',
    deps: undefined as unknown as PollDeps,
    rows: [] as Row[],
    requests: [] as { offset: number; headers: IncomingMessage['headers'] }[],
    /** Answers a request itself if it returns true; otherwise the list is the answer. */
    script: (() => false) as Script,

    settings: (more: Partial<RigSettings> = {}): StoredSource[] =>
      encryptSecrets(
        encryption,
        parseSources(
          JSON.stringify([
            {
              name: 'lot',
              kind: ITEMS,
              url: rig.url,
              everySeconds: 60,
              ...((more.kind ?? ITEMS) === ITEMS && { pageSize: 10 }),
              allowPrivateNetwork: true,
              ...more,
            },
          ]),
          '/',
        ),
      ),

    async source(): Promise<SourceRow> {
      const rows = await rig.db.rows(
        `select *, extract(epoch from next_poll_at - now())::float8 as seconds from sources where name = 'lot'`,
      );
      const row = rows[0];
      if (!row) throw new Error('no source');
      return row;
    },

    due: () => rig.db.pool.query(`update sources set next_poll_at = now() where name = 'lot'`),

    /** Polls once. @returns the requested offsets */
    async poll(more: Partial<PollDeps> = {}): Promise<number[]> {
      await rig.due();
      rig.requests = [];
      await pollSource({ ...rig.deps, ...more }, 'lot');
      return rig.requests.map(({ offset }) => offset);
    },

    async stored(): Promise<{ external_id: string; announce: boolean; price: number }[]> {
      return rig.db.rows('select external_id, announce, price from listings order by id');
    },
  };

  const server = setUpServer((message, response) => {
    const { searchParams } = new URL(message.url ?? '/', 'http://x');
    const offset = Number(searchParams.get('offset'));
    const limit = Number(searchParams.get('limit'));
    rig.requests.push({ offset, headers: message.headers });
    if (!rig.script({ offset, limit, message }, response)) {
      answerJson(response, rig.rows.slice(offset, offset + limit));
    }
  });
  beforeAll(() => {
    rig.url = `${server.url}/items`;
  });
  beforeEach(() => {
    rig.rows = [];
    rig.requests = [];
    rig.script = () => false;
    rig.deps = {
      pool: rig.db.pool,
      storeListings,
      retireAbsent,
      gazetteer,
      fetchPage: (page) => fetchPage({ ...page, timeoutMs: 1000, maxBytes: 1_000_000 }),
      encryption,
      allowsPrivateNetwork: false,
      now: () => new Date(),
      log: silentLog,
      random: () => 0,
    };
  });
  afterEach(() => rig.db.pool.query('truncate sources, listings, listings_to_match, price_changes, quarantine'));
  return rig;
}
