import { channels } from '../base/channels.ts';
import { logConnections, shareOfWorker } from '../base/connections.ts';
import { makePool } from '../base/database.ts';
import { startListener } from '../base/listener.ts';
import { makeLog } from '../base/log.ts';
import type { Settings } from '../base/settings/settings.ts';
import { makeBilling } from '../billing/make-billing.ts';
import { makeGazetteer } from '../domain/places/places.ts';
import {
  configuredSources,
  derivedSecret,
  encryptedColumns,
  makeMailer,
  makeTexter,
  marketplaceHome,
  needed,
  outboxPurge,
  sourceEncryption,
  webhookEncryption,
  writeSources,
} from '../from-settings.ts';
import { retireAbsent } from '../intake/retire-listings.ts';
import { storeListings } from '../intake/store-listings.ts';
import { bindJobs } from '../jobs/job.ts';
import { jobs, type WorkerParts } from '../jobs/jobs.ts';
import { startJobs } from '../jobs/schedule/start-jobs.ts';
import { makeEmailEngine } from '../notify/channels/email/email.ts';
import { makeSmsEngine } from '../notify/channels/sms/sms.ts';
import { readMarketplaceItems } from '../sources/marketplace-items/read-marketplace-items.ts';
import { readVehicleFeed } from '../sources/vehicle-feed/read-feed.ts';
import { readPhoto } from '../vendors/photos/read-photo.ts';
import { postGuarded } from '../vendors/post-guarded.ts';
import { fetchPage } from '../vendors/web-fetch.ts';
import { makeDeliverer } from '../webhooks/deliver/deliverer.ts';
import { makeEventMaker } from '../webhooks/events/event-maker.ts';
import type { Running } from './running.ts';

/** Starts polling, matching and sending. */
export async function startWorker(settings: Settings): Promise<Running> {
  const log = makeLog('worker');
  const databaseUrl = needed(settings.databaseUrl, 'DATABASE_URL');
  const shares = shareOfWorker(settings.databaseConnections, settings.mongoUrl ? 'MongoDB' : 'PostgreSQL');
  const pool = makePool(databaseUrl, shares.statements, 'lotwatch-worker');
  await logConnections(pool, shares, log);
  const listener = await startListener(databaseUrl, log);
  const mailer = await makeMailer(settings, pool);
  const texter = makeTexter(settings, pool);
  const sources = configuredSources(settings);
  for (const source of await writeSources(pool, settings))
    log.warn('a source is named by the settings, but an operator has ended it', { source });

  const billing = makeBilling({ settings, databaseUrl, connections: shares.billing, log });
  const stopping = new AbortController();
  const { confirmEmail, publicUrl } = settings;
  const { signal } = stopping;
  const eventMaker = makeEventMaker(pool, { log });
  const webhookDeliverer = makeDeliverer({
    pool,
    post: postGuarded,
    encryption: webhookEncryption(settings),
    allowPrivateNetwork: settings.webhookPrivateNetwork,
    allowHttp: !settings.production,
    confirmEmail,
    log,
    signal,
  });
  await listener.on(channels.matches, (payload) => eventMaker.notify(payload));
  listener.onReconnect(() => eventMaker.restart());
  const parts: WorkerParts = {
    pool,
    log,
    signal,
    now: () => new Date(),
    confirmEmail,
    storeListings,
    retireAbsent,
    readers: { 'marketplace-items': readMarketplaceItems, 'vehicle-feed': readVehicleFeed },
    gazetteer: makeGazetteer(),
    fetchPage,
    encryption: sourceEncryption(settings),
    readPhoto,
    billing: billing.parts,
    encryptedColumns: encryptedColumns(settings),
    hasFormer: settings.formerSessionSecrets.length > 0,
    purgeOutbox: outboxPurge(settings, pool),
    eventMaker,
    webhookDeliverer,
    emailEngine: makeEmailEngine({
      pool,
      mailer,
      log,
      confirmEmail,
      publicUrl,
      secret: derivedSecret(settings, 'mail links'),
      supportEmail: settings.mail.support,
      marketplaceHome: marketplaceHome(settings, sources),
      signal,
    }),
    smsEngine: texter && makeSmsEngine({ pool, texter, log, publicUrl, confirmEmail, signal }),
  };
  const running = await startJobs({
    databaseUrl,
    mongoUrl: settings.mongoUrl,
    connections: shares.schedule,
    listener,
    log,
    jobs: bindJobs(jobs, parts),
  });
  return {
    async close() {
      stopping.abort();
      await running.close();
      // What was under way is given back, and leaves with the next worker.
      await webhookDeliverer.idle();
      await listener.close();
      await mailer.close?.();
      await texter?.close?.();
      await billing.close();
      await pool.end();
    },
  };
}
