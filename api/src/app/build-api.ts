import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GraphQLSchema } from 'graphql';
import { makeWhileAwaited } from '../base/awaited-query.ts';
import { cached } from '../base/cached.ts';
import { allocateForApi, logConnections } from '../base/connections.ts';
import { makePool, type Pool, statementTimeouts } from '../base/database.ts';
import { startListener } from '../base/listener.ts';
import { type Log, makeLog } from '../base/log.ts';
import { makeSecurityLog } from '../base/security-events.ts';
import type { Settings } from '../base/settings/settings.ts';
import { makeBilling } from '../billing/make-billing.ts';
import { seedPlans } from '../billing/plans.ts';
import { type Gazetteer, makeGazetteer } from '../domain/places/places.ts';
import { makeOrm, type Orm } from '../entities/orm.ts';
import {
  configuredSources,
  databaseOf,
  derivedSecret,
  makeTexter,
  makeVendorSuppressions,
  marketplaceHome,
  postTargets,
  secondFactorEncryption,
  sessionSecret,
  sourceEncryption,
  textRules,
  userAgent,
  vapidEncryption,
  webhookEncryption,
} from '../from-settings.ts';
import type { ApiParts } from '../graphql/context.ts';
import { makeGraphql } from '../graphql/make-graphql.ts';
import { makeSchema } from '../graphql/make-schema.ts';
import { makeRunOperation } from '../graphql/run-operation.ts';
import { makeSiteReader } from '../graphql/site-reader.ts';
import { makeSocketOptions } from '../graphql/socket-options.ts';
import { makeStatusReader } from '../graphql/status-reader.ts';
import { clientAddress } from '../http/client-address.ts';
import type { ConnectionLimits } from '../http/connection-limits.ts';
import { makeHealth } from '../http/health/health.ts';
import { waitWhileAnswering } from '../http/health/wait-while-answering.ts';
import { makeKeyCallers } from '../http/keys/key-callers.ts';
import { makeRateLimits } from '../http/limits/rate-limits.ts';
import { makeHttpServer } from '../http/make-http-server.ts';
import { makeSessions } from '../http/sessions.ts';
import type { SocketLimits } from '../http/sockets/socket-limits.ts';
import { acceptSockets } from '../http/sockets/websocket.ts';
import { makePriceModelReader } from '../intake/price-models.ts';
import { ingestPush } from '../jobs/ingest-push.ts';
import { retryDeps, retryQuarantined } from '../jobs/retry-quarantined.ts';
import { type KeyAuthentication, makeKeyAuthentication } from '../keys/key-authentication.ts';
import { makeMarketplaceUrl } from '../listings/marketplace-links.ts';
import { startMatchFeed } from '../live/match-feed.ts';
import { ensureVapidKeys } from '../notify/channels/push/vapid-keys.ts';
import { followChosenLayout, followLayout } from '../placement/follow-layout.ts';
import { apiRoutes } from '../rest/api-routes.ts';
import type { IngestParts } from '../rest/ingest/ingest.ts';
import { parseMarketplacePageInSlices } from '../sources/marketplace-items/read-marketplace-items.ts';
import { trySource } from '../sources/try-source.ts';
import type { Payments } from '../vendors/payments/payments.ts';
import { openPhotoCache } from '../vendors/photos/photo-cache.ts';
import type { Texter } from '../vendors/texts/text.ts';
import { fetchPage } from '../vendors/web-fetch.ts';
import type { Resolve } from '../vendors/web-fetch-guard.ts';
import { drawForVisitors } from './draw-for-visitors.ts';
import { makeMounts } from './mounts.ts';
import { vendorWebhooks } from './vendor-webhooks.ts';
import { watchHealth } from './watch-health.ts';

const builtWeb = fileURLToPath(new URL('../../../web/dist', import.meta.url));
/** Proxies may abort a call that takes longer. */
const RETRY_BUDGET_MS = 10_000;

type SocketOptions = ReturnType<typeof makeSocketOptions>;

/** Parts for tests, in place of those that the settings select. */
export interface ApiOverrides {
  log?: Log;
  /** Stays open when the API closes, as does `orm`. */
  pool?: Pool;
  orm?: Orm;
  gazetteer?: Gazetteer;
  feed?: ApiParts['feed'];
  payments?: Payments;
  texter?: (Texter & { close?(): Promise<void> }) | null;
  /** Resolves the host names of webhooks and push services. */
  resolve?: Resolve;
  ingest?: IngestParts['ingest'];
  schema?: GraphQLSchema;
  changeSocketOptions?: (options: SocketOptions) => SocketOptions;
  webFolder?: string;
  connectionLimits?: Partial<ConnectionLimits>;
  socketLimits?: Partial<SocketLimits>;
  /** How often the sessions and keys of open sockets are checked, in milliseconds. */
  checkSocketsEveryMs?: number;
}

export interface Api {
  parts: ApiParts;
  keys: KeyAuthentication;
  /** Opens the settings' port. @returns the port, which the system chooses for 0 */
  start(): Promise<number>;
  /** Lets proxies and open sockets go elsewhere while requests are still served, before `close`. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Makes all parts of the API and of the web app; nothing is served before `start`. */
export async function buildApi(settings: Settings, overrides: ApiOverrides = {}): Promise<Api> {
  const log = overrides.log ?? makeLog('api');
  const { database, directUrl, hasPooler } = databaseOf(settings);
  const shares = allocateForApi(settings.databaseConnections, hasPooler);
  const pool = overrides.pool ?? makePool(database, shares.statements, 'lotwatch-api', statementTimeouts.request);
  await followLayout(pool, settings.databaseDirectUrl !== undefined);
  await logConnections(pool, shares, log, database);
  const health = makeHealth(database, directUrl);
  const orm = overrides.orm ?? makeOrm(database, shares.entities, undefined, { onPoolCreated: followChosenLayout });
  const listener = await startListener(directUrl, log);
  const feed = await startMatchFeed(pool, listener, log);
  const gazetteer = overrides.gazetteer ?? makeGazetteer();
  const limits = makeRateLimits(pool, settings.rateLimits);
  const addressOf = clientAddress(settings.trustedProxies);
  const sessions = makeSessions({
    pool,
    secret: sessionSecret(settings),
    deviceSecret: derivedSecret(settings, 'known devices'),
    publicUrl: settings.publicUrl,
    addressOf,
    log,
  });
  const keys = makeKeyAuthentication({ pool, log, limits: settings.rateLimits });
  const callers = makeKeyCallers({ authentication: keys, sessions, addressOf, limits, log });
  const sources = configuredSources(settings).filter(({ ended }) => !ended);
  const texter = overrides.texter === undefined ? makeTexter(settings, pool) : overrides.texter;
  const photos = await openPhotoCache({
    folder: join(settings.dataDir, 'photos'),
    maxBytes: settings.photoCacheMegabytes * 1024 ** 2,
  });

  const security = makeSecurityLog(log, derivedSecret(settings, 'security log'));
  const { payments } = overrides;
  const { billing: connections } = shares;
  const billing = makeBilling({ settings, database, connections, log, ...(payments && { payments }) });
  const retry = retryDeps(pool, gazetteer);
  const prices = makePriceModelReader(pool);
  const home = marketplaceHome(sources);
  const targets = { ...postTargets(settings), ...(overrides.resolve && { resolve: overrides.resolve }) };
  const parts: ApiParts = {
    pool,
    whileAwaited: makeWhileAwaited(pool, Math.floor(shares.statements / 3)),
    em: orm.em,
    gazetteer,
    feed: overrides.feed ?? feed,
    limits,
    security,
    billing: billing.parts,
    marketplaceUrl: makeMarketplaceUrl(pool, home),
    site: makeSiteReader(pool, {
      testMode: settings.developmentPages,
      confirmEmail: settings.confirmEmail,
      supportEmail: settings.mail.support,
      marketplaceHome: home,
      checkEverySeconds: Math.min(60, ...sources.map((source) => source.everySeconds)),
    }),
    status: makeStatusReader(pool),
    prices,
    linkSecret: derivedSecret(settings, 'mail links'),
    guardsAdmin: settings.production,
    publicUrl: settings.publicUrl,
    confirmEmail: settings.confirmEmail,
    vendorSuppressions: makeVendorSuppressions(settings),
    webhooks: { encryption: webhookEncryption(settings), targets },
    sources: {
      encryption: sourceEncryption(settings),
      allowsPrivateNetwork: settings.sourcePrivateNetwork,
      gazetteer,
      acceptsPushes: settings.ingestToken !== undefined,
      trySource: (source, signal) =>
        trySource(source, {
          pool,
          encryption: sourceEncryption(settings),
          gazetteer,
          fetchPage,
          userAgent: userAgent(settings),
          now: () => new Date(),
          signal,
        }),
    },
    push: {
      targets,
      publicKey: cached(() => ensureVapidKeys(pool, vapidEncryption(settings)), Number.POSITIVE_INFINITY),
    },
    secondFactorEncryption: secondFactorEncryption(settings),
    phone: {
      pool,
      log,
      texter,
      textsFrom: settings.texts.from ?? null,
      secret: derivedSecret(settings, 'phone codes'),
      rules: textRules(settings),
    },
    retryQuarantined: (filter, after) => retryQuarantined(retry, filter, { after, budgetMs: RETRY_BUDGET_MS }),
  };
  await parts.push.publicKey();
  const shared = { schema: overrides.schema ?? makeSchema(), parts, log, callerOf: callers.callerOf };
  const graphql = await makeGraphql({ ...shared, production: settings.production });

  const run = makeRunOperation(shared.schema, parts);
  const webFolder = overrides.webFolder ?? builtWeb;
  const drawn = drawForVisitors({ folder: webFolder, publicUrl: settings.publicUrl, run, log, limits, addressOf });
  const parsePage = (text: string, now: Date) => parseMarketplacePageInSlices(text, { gazetteer, now });
  const http = makeHttpServer({
    settings,
    health,
    log,
    sessions,
    callers,
    limits,
    security,
    graphql: graphql.handler,
    answer: graphql.answer,
    api: apiRoutes({
      token: settings.ingestToken,
      ingest:
        overrides.ingest ??
        ((source, text) => ingestPush({ pool, parsePage, prices, now: () => new Date() }, source, text)),
      schema: shared.schema,
      run,
      em: parts.em,
      limits,
      callerOf: callers.callerOf,
      revalidateSession: sessions.revalidateSession,
      publicUrl: settings.publicUrl,
      seedPlans: settings.developmentPages ? () => seedPlans(pool) : null,
    }),
    webhooks: vendorWebhooks({ settings, pool, payments: billing.parts.payments, security, addressOf }),
    mounts: makeMounts({ settings, parts, log, limits, addressOf, photos }),
    webFolder,
    drawn,
    ...(overrides.connectionLimits && { connections: overrides.connectionLimits }),
  });
  const socketOptions = makeSocketOptions({ ...shared, enterWithKey: callers.countOperation });
  const sockets = await acceptSockets({
    server: http.server,
    path: '/graphql',
    options: overrides.changeSocketOptions?.(socketOptions) ?? socketOptions,
    sessions,
    callers,
    keys,
    rule: settings,
    trustedRequestIds: settings.trustedRequestIds,
    pool,
    listener,
    log,
    bounds: { socketsOfNetwork: settings.socketsPerNetwork, ...overrides.socketLimits },
    ...(overrides.checkSocketsEveryMs && { checkEveryMs: overrides.checkSocketsEveryMs }),
    security,
  });
  let watched: { close(): Promise<void> } | undefined;
  return {
    parts,
    keys,
    async start() {
      const pools = { statements: pool };
      watched = await watchHealth({ settings, health, database, log, pools, sockets: sockets.count });
      const port = await http.listen(settings.port, settings.host);
      health.start();
      return port;
    },
    async drain() {
      health.drain();
      // Proxies have noticed by half of the time.
      const half = (settings.drainSeconds * 1000) / 2;
      await waitWhileAnswering(half);
      // Without sockets it takes as long: a proxy that asks late must still find it open.
      await Promise.all([sockets.drain(half), waitWhileAnswering(half)]);
    },
    async close() {
      health.drain();
      await sockets.close();
      // Requests that have begun end before what answers them.
      await http.close();
      await feed.close();
      await graphql.stop();
      photos.close();
      drawn.close();
      callers.close();
      await keys.close();
      await listener.close();
      sessions.close();
      await texter?.close?.();
      await billing.close();
      await watched?.close();
      await health.close();
      if (!overrides.orm) await orm.close(true);
      if (!overrides.pool) await pool.end();
    },
  };
}
