import { makePool } from '../../src/base/database.ts';
import { silentLog } from '../../src/base/log.ts';
import { makeSeal } from '../../src/base/seal.ts';
import { webhookJobs } from '../../src/jobs/webhook-jobs.ts';
import { matchPendingListings } from '../../src/matching/match-listings.ts';
import { postGuarded } from '../../src/vendors/post-guarded.ts';

/** Matches, makes events and delivers until it is killed: a worker without all else. */
const [url = '', secret = ''] = process.argv.slice(2);
const pool = makePool(url, 8);
const { events, deliver } = webhookJobs({
  pool,
  post: postGuarded,
  seal: makeSeal(secret, 'webhook secrets'),
  allowPrivateNetwork: true,
  allowHttp: true,
  confirmEmail: false,
  log: silentLog,
  signal: new AbortController().signal,
});
process.send?.('ready');
for (;;) {
  while ((await matchPendingListings(pool, 5)) > 0);
  await events.run();
  await deliver.run();
}
