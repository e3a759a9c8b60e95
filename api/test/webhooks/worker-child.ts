import { makePool } from '../../src/base/database.ts';
import { makeEncryption } from '../../src/base/encryption.ts';
import { silentLog } from '../../src/base/log.ts';
import { deliverWebhooksJob } from '../../src/jobs/deliver-webhooks-job.ts';
import { webhookEventsJob } from '../../src/jobs/webhook-events-job.ts';
import { matchPendingListings } from '../../src/matching/match-listings.ts';
import { postGuarded } from '../../src/vendors/post-guarded.ts';
import { makeDeliverer } from '../../src/webhooks/deliver/deliverer.ts';
import { makeEventMaker } from '../../src/webhooks/events/event-maker.ts';

/** Matches, makes events and delivers until it is killed: a worker without all else. */
const [url = '', secret = ''] = process.argv.slice(2);
const pool = makePool(url, 8);
const { signal } = new AbortController();
const eventMaker = makeEventMaker(pool);
const webhookDeliverer = makeDeliverer({
  pool,
  post: postGuarded,
  encryption: makeEncryption(secret, 'webhook secrets'),
  allowPrivateNetwork: true,
  allowHttp: true,
  confirmEmail: false,
  log: silentLog,
  signal,
});
process.send?.('ready');
for (;;) {
  while ((await matchPendingListings(pool, 5)) > 0);
  await webhookEventsJob.run({ pool, eventMaker, signal });
  await deliverWebhooksJob.run({ webhookDeliverer });
}
