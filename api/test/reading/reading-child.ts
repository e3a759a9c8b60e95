import type { Pool } from '../../src/base/database.ts';
import { makeEncryption } from '../../src/base/encryption.ts';
import { makeGazetteer } from '../../src/domain/places/places.ts';
import { readSource } from '../../src/jobs/poll/read-source.ts';
import type { ReadDeps } from '../../src/jobs/poll/store-records.ts';
import type { ClaimedSource } from '../../src/sources/claim-source.ts';
import { encryptSecrets } from '../../src/sources/source-secrets.ts';
import { parseSources } from '../../src/sources/source-settings.ts';
import { fetchPage } from '../../src/vendors/web-fetch.ts';

/** The report of a read in a child process, as the last line of its output. */
export interface ReadReport {
  facts: number;
  /** Counts of rejected records, by code. */
  rejected: Record<string, number>;
  /** The first ids and titles, in order. */
  first: [string, string][];
  rejectedIds: (string | null)[];
  /** How many records repeated an id. */
  duplicates: number;
  /** Whether the read counted as complete, so that absent listings are gone. */
  complete: boolean;
  error: string | null;
  maxRssMb: number;
  seconds: number;
}

const encryption = makeEncryption('a secret of this test', 'source headers');
const [stored] = encryptSecrets(encryption, parseSources(`[${process.argv[2] ?? ''}]`, '/'));
if (!stored) throw new Error('no source');
const source: ClaimedSource = {
  ...stored,
  settings: { everySeconds: 60, ...stored.settings },
  token: 1,
  version: 1,
  cursor: {},
  etag: null,
  lastModified: null,
  firstReadDone: false,
  failures: 0,
  origin: 'settings',
};
const report: ReadReport = {
  facts: 0,
  rejected: {},
  first: [],
  rejectedIds: [],
  duplicates: 0,
  complete: false,
  error: null,
  maxRssMb: 0,
  seconds: 0,
};
const seen = new Set<string>();
// Nothing is stored, so every query of the database succeeds without one.
const noDatabase = { query: () => Promise.resolve({ rows: [], rowCount: 1 }) } as unknown as Pool;

const deps: ReadDeps = {
  pool: noDatabase,
  storeListings(_pool, _source, records) {
    for (const record of records) {
      if ('facts' in record) {
        report.facts++;
        const { externalId, title } = record.facts;
        if (seen.has(externalId)) report.duplicates++;
        seen.add(externalId);
        if (report.first.length < 10) report.first.push([externalId, title]);
      } else {
        const { code, externalId } = record.rejection;
        report.rejected[code] = (report.rejected[code] ?? 0) + 1;
        if (report.rejectedIds.length < 10) report.rejectedIds.push(externalId);
      }
    }
    return Promise.resolve({ accepted: records.length, updated: 0, unchanged: 0, results: [] });
  },
  retireAbsent() {
    report.complete = true;
    return Promise.resolve();
  },
  gazetteer: makeGazetteer(),
  fetchPage,
  encryption,
  allowsPrivateNetwork: false,
  now: () => new Date(),
};

const started = performance.now();
try {
  const read = await readSource(source, deps);
  report.complete = 'complete' in read && read.complete;
} catch (error) {
  report.error = error instanceof Error ? error.message : String(error);
}
report.seconds = (performance.now() - started) / 1000;
report.maxRssMb = Math.round(process.resourceUsage().maxRSS / 1024);
process.stdout.write(`${JSON.stringify(report)}\n`);
