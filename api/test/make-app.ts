import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import { afterAll, beforeAll } from 'vitest';
import { gazetteer } from '../lab/gazetteer.ts';
import { seedAdmin } from '../src/accounts/seed-admin.ts';
import { type ApiOverrides, buildApi } from '../src/app/build-api.ts';
import { silentLog } from '../src/base/log.ts';
import type { Secret } from '../src/base/secret.ts';
import { readSettings } from '../src/base/settings/settings.ts';
import type { BillingParts } from '../src/billing/make-billing.ts';
import { seedPlans } from '../src/billing/plans.ts';
import { makeSchema } from '../src/graphql/make-schema.ts';
import type { KeyAuthentication } from '../src/keys/key-authentication.ts';
import type { OutgoingText } from '../src/vendors/texts/text.ts';
import { type Browser, makeBrowser } from './browser.ts';
import { makeTestDatabase, onCluster, type TestDatabase } from './database.ts';
import { recordingTexter } from './texts/text-fixtures.ts';

export interface TestApi {
  db: TestDatabase;
  /** For example http://127.0.0.1:41234, which is one of the accepted origins. */
  url: string;
  port: number;
  sessionSecret: string;
  /** Signs links in mails and paths of photos. */
  linkSecret: Secret;
  keys: KeyAuthentication;
  /** Texts that were sent, unless the test gives a `texter`. */
  texts: OutgoingText[];
  billing: BillingParts;
  /** Registers a user, who is signed in. @param more of the form */
  user(username: string, more?: Record<string, unknown>): Promise<{ browser: Browser; id: number }>;
  /** Signs the admin in. */
  admin(): Promise<Browser>;
  /** As the signal to stop does, before `close`. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

export interface TestApiOptions extends Omit<ApiOverrides, 'pool' | 'orm' | 'gazetteer' | 'webFolder'> {
  /** Environment variables; rate limits are off without RATE_LIMITS. */
  env?: Record<string, string>;
  /** A database shared with another API of the same test. */
  db?: TestDatabase;
}

const SESSION_SECRET = 'a secret of at least 32 characters, for tests';
/** User 1 is `admin` with this password. */
export const ADMIN_PASSWORD = 'password-of-the-tests';
/** Settings without which an API in production does not start, except its secret. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://lotwatch.example',
  TRUSTED_PROXIES: 'none',
  SENDGRID_API_KEY: 'x',
  MAIL_FROM: 'a@b.test',
  SUPPORT_EMAIL: 'a@b.test',
  RATE_LIMITS: 'on',
};
/** Whether an API with these settings starts on the database of the tests: in production it refuses distributed tables. */
export const startsInProduction = !onCluster;
/** The files of a worker share it; nothing changes it. */
let schema: GraphQLSchema | undefined;

/** Starts the whole API on a free port over a database with the four plans and the admin, with real HTTP and sockets. */
export async function makeTestApi({ env, db: shared, ...overrides }: TestApiOptions = {}): Promise<TestApi> {
  const db = shared ?? (await makeTestDatabase());
  if (!shared) {
    await seedPlans(db.pool);
    await seedAdmin(db.pool, ADMIN_PASSWORD);
  }
  const folder = mkdtempSync(join(tmpdir(), 'lotwatch-api-'));
  const webFolder = join(folder, 'web');
  mkdirSync(join(webFolder, 'assets'), { recursive: true });
  writeFileSync(join(webFolder, 'index.html'), '<!doctype html><title>LotWatch</title>');
  writeFileSync(join(webFolder, 'assets', 'app-1a2b3c4d.js'), `// ${'x'.repeat(5000)}`);
  const settings = readSettings({
    DATABASE_URL: db.url,
    DATA_DIR: folder,
    HOST: '127.0.0.1',
    PORT: '0',
    PUBLIC_URL: 'http://localhost:4000',
    RATE_LIMITS: 'off',
    SESSION_SECRET,
    ...env,
  });
  schema ??= makeSchema();
  const texts: OutgoingText[] = [];
  const { pool, orm } = db;
  const own = { log: silentLog, texter: recordingTexter(texts), pool, orm, gazetteer, schema, webFolder };
  const api = await buildApi(settings, { ...own, ...overrides });
  const port = await api.start();
  const url = `http://127.0.0.1:${port}`;
  return {
    db,
    port,
    url,
    sessionSecret: SESSION_SECRET,
    linkSecret: api.parts.linkSecret,
    keys: api.keys,
    texts,
    billing: api.parts.billing,
    async user(username, more) {
      const browser = makeBrowser(url);
      return { browser, id: await browser.register(username, more) };
    },
    async admin() {
      const browser = makeBrowser(url);
      await browser.login('admin', ADMIN_PASSWORD);
      return browser;
    },
    drain: () => api.drain(),
    async close() {
      await api.close();
      if (!shared) await db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts an API for the tests of a file, which stops after them. Call it at the top of the file; the result is filled
 * before the tests.
 * @param prepare runs once the API is started
 */
export function setUpApi(options: TestApiOptions = {}, prepare: () => unknown = () => {}): TestApi {
  const api = {} as TestApi;
  beforeAll(async () => {
    Object.assign(api, await makeTestApi(options));
    await prepare();
  });
  afterAll(() => api.close());
  return api;
}
