import { buildWorker } from '../../src/app/build-worker.ts';
import { makePool } from '../../src/base/database.ts';
import { silentLog } from '../../src/base/log.ts';
import { readSettings } from '../../src/base/settings/settings.ts';
import { matchPendingListings } from '../../src/matching/match-listings.ts';

/** A worker that only matches, makes events and delivers them, until it is killed. */
const [url = '', secret = ''] = process.argv.slice(2);
const settings = readSettings({ DATABASE_URL: url, SESSION_SECRET: secret, WEBHOOK_PRIVATE_NETWORK: 'on' });
const pool = makePool(url, 8);
const { jobs } = await buildWorker(settings, { log: silentLog, pool });
const webhookJobs = ['webhook-events', 'deliver-webhooks'].map((name) => jobs.find((job) => job.name === name));
process.send?.('ready');
for (;;) {
  while ((await matchPendingListings(pool, 5)) > 0);
  for (const job of webhookJobs) await job?.run();
}
