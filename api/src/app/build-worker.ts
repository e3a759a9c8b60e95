import { channels } from '../base/channels.ts';
import { allocateForWorker, logConnections } from '../base/connections.ts';
import { makePool, type Pool } from '../base/database.ts';
import { type Listener, startListener } from '../base/listener.ts';
import { type Log, makeLog } from '../base/log.ts';
import type { Settings } from '../base/settings/settings.ts';
import { makeBilling } from '../billing/make-billing.ts';
import { type Gazetteer, makeGazetteer } from '../domain/places/places.ts';
import {
  configuredSources,
  databaseOf,
  derivedSecret,
  makeMailer,
  makePusher,
  makeTexter,
  marketplaceHome,
  outboxPurge,
  postTargets,
  sourceEncryption,
  tableEncryptions,
  textRules,
  userAgent,
  vapidEncryption,
  webhookEncryption,
  writeSources,
} from '../from-settings.ts';
import { makeHealth } from '../http/health/health.ts';
import { makePriceModelReader } from '../intake/price-models.ts';
import { retireAbsent } from '../intake/retire-listings.ts';
import { storeListings } from '../intake/store-listings.ts';
import { bindJobs, type Job } from '../jobs/job.ts';
import { jobs, type WorkerParts } from '../jobs/jobs.ts';
import { startJobs } from '../jobs/schedule/agenda.ts';
import { makeEmailEngine } from '../notify/channels/email/email.ts';
import { makePushEngine } from '../notify/channels/push/push.ts';
import { ensureVapidKeys } from '../notify/channels/push/vapid-keys.ts';
import { makeSmsEngine } from '../notify/channels/sms/sms.ts';
import { makeWebhookEngine } from '../notify/channels/webhook/webhook.ts';
import { releaseUnconfirmed } from '../notify/release-waiting.ts';
import { declareSynchronous } from '../notify/restored/know-server.ts';
import { followLayout } from '../placement/follow-layout.ts';
import type { Mailer } from '../vendors/mail.ts';
import type { Payments } from '../vendors/payments/payments.ts';
import { readPhoto } from '../vendors/photos/read-photo.ts';
import { type PostGuarded, postGuarded } from '../vendors/post-guarded.ts';
import type { Texter } from '../vendors/texts/text.ts';
import { fetchPage } from '../vendors/web-fetch.ts';
import { makeEventMaker } from '../webhooks/events/event-maker.ts';
import { watchHealth } from './watch-health.ts';

/** Parts for tests, in place of those that the settings select. */
export interface WorkerOverrides {
  log?: Log;
  /** Stays open when the worker closes. */
  pool?: Pool;
  gazetteer?: Gazetteer;
  mailer?: Mailer & { close?(): Promise<void> };
  texter?: (Texter & { close?(): Promise<void> }) | null;
  payments?: Payments;
  fetchPage?: WorkerParts['fetchPage'];
  readPhoto?: WorkerParts['readPhoto'];
  /** Posts a message to a webhook or a push service. */
  post?: PostGuarded;
  now?: () => Date;
}

export interface Worker {
  jobs: readonly Job[];
  /** Starts listening for notifications, and running the jobs by their schedules. */
  start(): Promise<void>;
  /** Resolves when no push message and no message of a webhook is being sent. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Makes all parts of the worker, which polls, matches and sends; no job runs before `start`. */
export async function buildWorker(settings: Settings, overrides: WorkerOverrides = {}): Promise<Worker> {
  const log = overrides.log ?? makeLog('worker');
  const { database, directUrl, hasPooler } = databaseOf(settings);
  const shares = allocateForWorker(
    settings.databaseConnections,
    settings.mongoUrl ? 'MongoDB' : 'PostgreSQL',
    hasPooler,
  );
  const pool = overrides.pool ?? makePool(database, shares.statements, 'lotwatch-worker');
  await followLayout(pool, settings.databaseDirectUrl !== undefined);
  await logConnections(pool, shares, log, database);
  const health = makeHealth(database, directUrl);
  const mailer = overrides.mailer ?? (await makeMailer(settings, pool));
  const texter = overrides.texter === undefined ? makeTexter(settings, pool) : overrides.texter;
  const sources = configuredSources(settings);
  await declareSynchronous(pool, log, settings.databaseSynchronous);
  const ensured = await writeSources(pool, settings);
  for (const source of ensured.keptEnded) log.warn('a configured source was ended by an operator', { source });
  for (const source of ensured.replaced)
    log.warn('SOURCES_FILE names a source that was made in the browser, and applies from now on', { source });

  const { payments } = overrides;
  const billing = makeBilling({
    settings,
    database,
    connections: shares.billing,
    log,
    ...(payments && { payments }),
  });
  const prices = makePriceModelReader(pool);
  const stopping = new AbortController();
  const { confirmEmail, publicUrl } = settings;
  const { signal } = stopping;
  const eventMaker = makeEventMaker(pool, { log });
  const post = overrides.post ?? postGuarded;
  const pusher = makePusher(settings, pool, post);
  const secret = derivedSecret(settings, 'mail links');
  const push = makePushEngine({ pool, log, signal, pusher, site: { publicUrl, secret } });
  await ensureVapidKeys(pool, vapidEncryption(settings));
  // Addresses may have had to be confirmed until this start.
  if (!confirmEmail) await releaseUnconfirmed(pool);
  const webhook = makeWebhookEngine({
    pool,
    post,
    encryption: webhookEncryption(settings),
    ...postTargets(settings),
    confirmEmail,
    log,
    signal,
  });
  const parts: WorkerParts = {
    pool,
    log,
    signal,
    now: overrides.now ?? (() => new Date()),
    confirmEmail,
    storeListings: (given, source, records, options) => storeListings(given, source, records, { ...options, prices }),
    retireAbsent,
    gazetteer: overrides.gazetteer ?? makeGazetteer(),
    fetchPage: overrides.fetchPage ?? fetchPage,
    userAgent: userAgent(settings),
    allowsPrivateNetwork: settings.sourcePrivateNetwork,
    encryption: sourceEncryption(settings),
    readPhoto: overrides.readPhoto ?? readPhoto,
    billing: billing.parts,
    encryptions: tableEncryptions(settings),
    hasFormer: settings.formerSessionSecrets.length > 0,
    purgeOutbox: outboxPurge(settings, pool),
    keptDays: settings.keptDays,
    database,
    eventMaker,
    engines: {
      push,
      webhook,
      email: makeEmailEngine({
        pool,
        mailer,
        log,
        confirmEmail,
        publicUrl,
        secret,
        supportEmail: settings.mail.support,
        marketplaceHome: marketplaceHome(sources),
        signal,
      }),
      sms: texter && makeSmsEngine({ pool, texter, log, publicUrl, confirmEmail, rules: textRules(settings), signal }),
    },
  };
  const bound = bindJobs(jobs, parts);
  let listener: Listener | undefined;
  let watched: { close(): Promise<void> } | undefined;
  let running: { close(): Promise<void> } | undefined;
  return {
    jobs: bound,
    async start() {
      watched = await watchHealth({ settings, health, database, log, pools: { statements: pool } });
      listener = await startListener(directUrl, log);
      await listener.on(channels.matches, (payload) => eventMaker.notify(payload));
      listener.onReconnect(() => eventMaker.restart());
      const { mongoUrl } = settings;
      running = await startJobs({
        database,
        mongoUrl,
        connections: shares.schedule,
        listener,
        log,
        jobs: bound,
        onStore: health.setJobStore,
      });
      health.start();
    },
    async idle() {
      await Promise.all([push.idle(), webhook.idle()]);
    },
    async close() {
      health.drain();
      stopping.abort();
      await running?.close();
      // Messages in progress are released for the next worker.
      await Promise.all([push.idle(), webhook.idle()]);
      await listener?.close();
      await mailer.close?.();
      await texter?.close?.();
      await pusher.close?.();
      await billing.close();
      await watched?.close();
      await health.close();
      if (!overrides.pool) await pool.end();
    },
  };
}
