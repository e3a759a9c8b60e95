import { makePool } from '../../src/base/database.ts';
import { makeEncryption } from '../../src/base/encryption.ts';
import { silentLog } from '../../src/base/log.ts';
import { makeGazetteer } from '../../src/domain/places/places.ts';
import { retireAbsent } from '../../src/intake/retire-listings.ts';
import { storeListings } from '../../src/intake/store-listings.ts';
import { pollSource } from '../../src/jobs/poll/poll-sources-job.ts';
import { followLayout } from '../../src/placement/follow-layout.ts';
import { fetchPage } from '../../src/vendors/web-fetch.ts';

/** Polls the source `lot` once, as a worker does, and reports the outcome. */
const [url = '', leaseMs = '0'] = process.argv.slice(2);
const pool = makePool(url, 2);
await followLayout(pool);
const outcome = await pollSource(
  {
    pool,
    storeListings,
    retireAbsent,
    gazetteer: makeGazetteer(),
    fetchPage,
    encryption: makeEncryption('a secret of this test', 'source headers'),
    allowsPrivateNetwork: false,
    now: () => new Date(),
    log: silentLog,
    leaseMs: Number(leaseMs),
  },
  'lot',
).catch((error: Error) => error.constructor.name);
process.send?.(outcome);
await pool.end();
process.disconnect();
