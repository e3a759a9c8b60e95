import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import type { GraphQLSchema } from 'graphql';
import { seedAdmin } from '../src/accounts/seed-admin.ts';
import { mailPages } from '../src/app/mail-pages.ts';
import { vendorWebhooks } from '../src/app/vendor-webhooks.ts';
import { makeEncryption } from '../src/base/encryption.ts';
import { startListener } from '../src/base/listener.ts';
import { type Log, silentLog } from '../src/base/log.ts';
import { makeSecurityLog } from '../src/base/security-events.ts';
import { readSettings } from '../src/base/settings/settings.ts';
import { type BillingParts, makeBilling } from '../src/billing/make-billing.ts';
import { seedPlans } from '../src/billing/seed-plans.ts';
import { type Gazetteer, makeGazetteer } from '../src/domain/places/places.ts';
import type { ApiParts } from '../src/graphql/context.ts';
import { makeGraphql } from '../src/graphql/make-graphql.ts';
import { makeSchema } from '../src/graphql/make-schema.ts';
import { makeRunOperation } from '../src/graphql/run-operation.ts';
import { makeSiteReader } from '../src/graphql/site-reader.ts';
import { makeSocketOptions } from '../src/graphql/socket-options.ts';
import { clientAddress } from '../src/http/client-address.ts';
import type { ConnectionBounds } from '../src/http/connection-bounds.ts';
import { makeKeyCallers } from '../src/http/keys/key-callers.ts';
import { makeRateLimits } from '../src/http/limits/rate-limits.ts';
import { makeHttpServer } from '../src/http/make-http-server.ts';
import { makeFindPhoto } from '../src/http/photos/find-photo.ts';
import { photoRoute } from '../src/http/photos/photo-route.ts';
import { makeSessions } from '../src/http/sessions.ts';
import type { SocketBounds } from '../src/http/sockets/socket-bounds.ts';
import { acceptSockets } from '../src/http/sockets/websocket.ts';
import { retryDeps, retryQuarantined } from '../src/jobs/retry-quarantined.ts';
import { type KeyAuthentication, makeKeyAuthentication } from '../src/keys/key-authentication.ts';
import { startMatchFeed } from '../src/live/match-feed.ts';
import { apiRoutes } from '../src/rest/api-routes.ts';
import type { IngestParts } from '../src/rest/ingest/ingest.ts';
import type { Payments } from '../src/vendors/payments/payments.ts';
import { openPhotoCache } from '../src/vendors/photos/photo-cache.ts';
import type { OutgoingText, Texter } from '../src/vendors/texts/text.ts';
import type { Resolve } from '../src/vendors/web-fetch-guard.ts';
import { makeTestDatabase, type TestDatabase } from './database.ts';
import { recordingTexter } from './texts/recording-texter.ts';

export interface TestApi {
  db: TestDatabase;
  /** Like http://127.0.0.1:41234; it is an own origin too. */
  url: string;
  port: number;
  /** Signs the links in mails. */
  linkSecret: string;
  keys: KeyAuthentication;
  /** What was texted. */
  texts: OutgoingText[];
  billing: BillingParts;
  close(): Promise<void>;
}

type SocketOptions = ReturnType<typeof makeSocketOptions>;

export interface TestApiOptions {
  /** Environment variables; rate limits are off without RATE_LIMITS. */
  env?: Record<string, string>;
  /** A database to share with another api of the same test. */
  db?: TestDatabase;
  feed?: ApiParts['feed'];
  ingest?: IngestParts['ingest'];
  log?: Log;
  /** Of the names in webhooks' addresses. */
  resolve?: Resolve;
  /** Who takes payments; without, whom the settings name, and so nobody. */
  payments?: Payments;
  /** Handlers that know their own paths. */
  mounts?: RequestHandler[];
  /** How often the sessions of open sockets are looked at. */
  lookEveryMs?: number;
  bounds?: Partial<SocketBounds>;
  connections?: Partial<ConnectionBounds>;
  /** Without it texts are only kept, in `texts`. */
  texter?: Texter | null;
  /** In the place of ours: with what a test has planted. */
  schema?: GraphQLSchema;
  /** What a test plants in the sockets' options. */
  plantInSockets?: (options: SocketOptions) => SocketOptions;
}

const SECRET = 'a secret of at least 32 characters, for tests';
/** User 1 is `admin` with this password. */
export const ADMIN_PASSWORD = 'password-of-the-tests';
/** What an API in production does not start without, beside its secret. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://lotwatch.example',
  TRUSTED_PROXIES: 'none',
  SENDGRID_API_KEY: 'x',
  MAIL_FROM: 'a@b.test',
  SUPPORT_EMAIL: 'a@b.test',
  RATE_LIMITS: 'on',
};
let gazetteer: Gazetteer | undefined;

/** The whole API on a free port over a database with the four plans and the admin: real HTTP, sockets and PostgreSQL. */
export async function makeTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const db = options.db ?? (await makeTestDatabase());
  if (!options.db) {
    await seedPlans(db.pool);
    await seedAdmin(db.pool, ADMIN_PASSWORD);
  }
  const settings = readSettings({ RATE_LIMITS: 'off', SESSION_SECRET: SECRET, ...options.env });
  const log = options.log ?? silentLog;
  const webFolder = mkdtempSync(join(tmpdir(), 'lotwatch-web-'));
  writeFileSync(join(webFolder, 'index.html'), '<!doctype html><title>LotWatch</title>');
  mkdirSync(join(webFolder, 'assets'));
  writeFileSync(join(webFolder, 'assets', 'app-1a2b3c4d.js'), `// ${'x'.repeat(5000)}`);

  gazetteer ??= makeGazetteer();
  const listener = await startListener(db.url, log);
  const feed = options.feed ? null : await startMatchFeed(db.pool, listener, log);
  const limits = makeRateLimits(db.pool, settings.rateLimits);
  const addressOf = clientAddress(settings.trustedProxies);
  const sessions = makeSessions({
    pool: db.pool,
    secret: SECRET,
    deviceSecret: SECRET,
    publicUrl: settings.publicUrl,
    addressOf,
    log,
  });
  const keys = makeKeyAuthentication({ pool: db.pool, log, limits: settings.rateLimits });
  const callers = makeKeyCallers({ authentication: keys, sessions, addressOf, limits, log });
  const security = makeSecurityLog(log, SECRET);
  const billing = makeBilling({
    settings,
    databaseUrl: db.url,
    log,
    ...(options.payments && { payments: options.payments }),
  });
  const retry = retryDeps(db.pool, gazetteer);
  const texts: OutgoingText[] = [];
  const photoFolder = mkdtempSync(join(tmpdir(), 'lotwatch-photos-'));
  const photos = await openPhotoCache({ folder: photoFolder, maxBytes: 1e6 });
  const parts: ApiParts = {
    pool: db.pool,
    em: db.orm.em,
    gazetteer,
    feed: options.feed ?? feed ?? { follow: () => Object.assign((async function* () {})()) },
    limits,
    security,
    billing: billing.parts,
    site: makeSiteReader(db.pool, {
      testMode: settings.developmentPages,
      confirmEmail: settings.confirmEmail,
      supportEmail: settings.mail.support,
      marketplaceHome: 'https://marketplace.example/',
      checkEverySeconds: 60,
    }),
    linkSecret: SECRET,
    guardsAdmin: settings.production,
    publicUrl: settings.publicUrl,
    confirmEmail: settings.confirmEmail,
    webhooks: {
      encryption: makeEncryption(SECRET, 'webhook secrets'),
      targets: {
        allowPrivateNetwork: settings.webhookPrivateNetwork,
        allowHttp: !settings.production,
        ...(options.resolve && { resolve: options.resolve }),
      },
    },
    secondFactorEncryption: makeEncryption(SECRET, 'second factors'),
    phone: {
      pool: db.pool,
      log,
      texter: options.texter === undefined ? recordingTexter(texts) : options.texter,
      textsFrom: settings.texts.from ?? null,
      secret: SECRET,
    },
    retryQuarantined: (filter, after) => retryQuarantined(retry, filter, { after }),
  };
  const shared = { schema: options.schema ?? makeSchema(), parts, log, callerOf: callers.callerOf };
  const graphql = await makeGraphql({ ...shared, production: settings.production });
  const http = makeHttpServer({
    settings,
    pool: db.pool,
    log,
    sessions,
    callers,
    limits,
    security,
    graphql: graphql.handler,
    api: apiRoutes({
      token: settings.ingestToken,
      ingest: options.ingest ?? (() => Promise.resolve({ results: [] })),
      schema: shared.schema,
      run: makeRunOperation(shared.schema, parts),
      em: parts.em,
      callerOf: callers.callerOf,
      revalidateSession: sessions.revalidateSession,
      publicUrl: settings.publicUrl,
      seedPlans: settings.developmentPages ? () => seedPlans(db.pool) : null,
    }),
    webhooks: vendorWebhooks(settings, db.pool, billing.parts.payments),
    mounts: [
      mailPages(parts, log, settings.mail.support),
      photoRoute({ secret: SECRET, find: makeFindPhoto(db.pool), cache: photos, limits, addressOf }),
      ...(options.mounts ?? []),
    ],
    webFolder,
    ...(options.connections && { connections: options.connections }),
  });
  const sockets = await acceptSockets({
    server: http.server,
    path: '/graphql',
    options: (options.plantInSockets ?? ((given) => given))(
      makeSocketOptions({ ...shared, enterWithKey: callers.enter }),
    ),
    sessions,
    callers,
    keys,
    rule: settings,
    pool: db.pool,
    listener,
    log,
    security,
    ...(options.bounds && { bounds: options.bounds }),
    ...(options.lookEveryMs && { lookEveryMs: options.lookEveryMs }),
  });
  const port = await http.listen(0, '127.0.0.1');
  return {
    db,
    port,
    url: `http://127.0.0.1:${port}`,
    linkSecret: SECRET,
    keys,
    texts,
    billing: billing.parts,
    async close() {
      await sockets.close();
      await feed?.close();
      await graphql.stop();
      photos.close();
      await http.close();
      callers.close();
      await keys.close();
      await listener.close();
      sessions.close();
      await billing.close();
      if (!options.db) await db.close();
      for (const folder of [webFolder, photoFolder]) rmSync(folder, { recursive: true, force: true });
    },
  };
}
