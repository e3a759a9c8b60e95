import { channels } from '../base/channels.ts';
import { shareOfWorker, tellConnections } from '../base/connections.ts';
import { makePool } from '../base/database.ts';
import { startListener } from '../base/listener.ts';
import { makeLog } from '../base/log.ts';
import type { Settings } from '../base/settings/settings.ts';
import { makeBilling } from '../billing/make-billing.ts';
import { makeGazetteer } from '../domain/places/places.ts';
import {
  configuredSources,
  derivedSecret,
  makeMailer,
  makeTexter,
  marketplaceHome,
  needed,
  outboxPurge,
  sealedColumns,
  sourceSeal,
  webhookSeal,
  writeSources,
} from '../from-settings.ts';
import { retireAbsent } from '../intake/retire-absent.ts';
import { storeListings } from '../intake/store-listings.ts';
import { startJobs } from '../jobs/schedule/start-jobs.ts';
import { webhookJobs } from '../jobs/webhook-jobs.ts';
import { workerJobs } from '../jobs/worker-jobs.ts';
import { readMarketplaceItems } from '../sources/marketplace-items/read-marketplace-items.ts';
import { readVehicleFeed } from '../sources/vehicle-feed/read-feed.ts';
import { readPhoto } from '../vendors/photos/read-photo.ts';
import { postGuarded } from '../vendors/post-guarded.ts';
import { fetchPage } from '../vendors/web-fetch.ts';
import type { Running } from './running.ts';

/** Starts polling, matching and sending. */
export async function startWorker(settings: Settings): Promise<Running> {
  const log = makeLog('worker');
  const databaseUrl = needed(settings.databaseUrl, 'DATABASE_URL');
  const shares = shareOfWorker(settings.databaseConnections, settings.mongoUrl ? 'MongoDB' : 'PostgreSQL');
  const pool = makePool(databaseUrl, shares.statements, 'lotwatch-worker');
  await tellConnections(pool, shares, log);
  const listener = await startListener(databaseUrl, log);
  const gazetteer = makeGazetteer();
  const mailer = await makeMailer(settings, pool);
  const texter = makeTexter(settings, pool);
  const sources = configuredSources(settings);
  for (const source of await writeSources(pool, settings))
    log.warn('a source is named by the settings, but an operator has ended it', { source });

  const billing = makeBilling({ settings, databaseUrl, connections: shares.billing, log });
  const stopping = new AbortController();
  const webhooks = webhookJobs({
    pool,
    post: postGuarded,
    seal: webhookSeal(settings),
    allowPrivateNetwork: settings.webhookPrivateNetwork,
    allowHttp: !settings.production,
    confirmEmail: settings.confirmEmail,
    log,
    signal: stopping.signal,
  });
  await listener.on(channels.matches, webhooks.hear);
  listener.onReconnect(webhooks.startAnew);
  const jobs = workerJobs({
    pool,
    signal: stopping.signal,
    poll: {
      pool,
      storeListings,
      retireAbsent,
      readers: { 'marketplace-items': readMarketplaceItems, 'vehicle-feed': readVehicleFeed },
      gazetteer,
      fetchPage,
      seal: sourceSeal(settings),
      now: () => new Date(),
      signal: stopping.signal,
      log,
    },
    billing: billing.parts,
    photos: { pool, readPhoto, log, signal: stopping.signal },
    secrets: { sealed: sealedColumns(settings), hasFormer: settings.formerSessionSecrets.length > 0 },
    purgeOutbox: outboxPurge(settings, pool),
    webhooks,
    send: {
      pool,
      mailer,
      log,
      confirmEmail: settings.confirmEmail,
      publicUrl: settings.publicUrl,
      secret: derivedSecret(settings, 'mail links'),
      supportEmail: settings.mail.support,
      marketplaceHome: marketplaceHome(settings, sources),
      signal: stopping.signal,
    },
    texts: {
      pool,
      texter,
      log,
      publicUrl: settings.publicUrl,
      confirmEmail: settings.confirmEmail,
      signal: stopping.signal,
    },
  });
  const running = await startJobs({
    databaseUrl,
    mongoUrl: settings.mongoUrl,
    connections: shares.schedule,
    listener,
    log,
    jobs: Object.values(jobs),
    wakes: {
      match: jobs.match,
      'look-back': jobs.lookBack,
      send: [jobs.send, jobs.sendTexts],
      photos: jobs.photos,
      deliver: jobs.deliver,
      billing: jobs.billing,
    },
    onMatches: jobs.events,
  });
  return {
    async close() {
      stopping.abort();
      await running.close();
      // What was under way is given back, and leaves with the next worker.
      await webhooks.idle();
      await listener.close();
      await mailer.close?.();
      await texter?.close?.();
      await billing.close();
      await pool.end();
    },
  };
}
