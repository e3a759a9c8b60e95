import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../../test/database.ts';
import { WEBHOOK_KEY } from '../../test/mail/sendgrid-events.ts';
import { setUpFolder } from '../../test/set-up.ts';
import { freePort } from '../base/free-port.ts';
import { readSettings } from '../base/settings/settings.ts';
import { seedPlans } from '../billing/plans.ts';
import { routes } from '../policies/routes.ts';
import { callTable } from '../rest/calls/table.ts';
import { type Api, buildApi } from './build-api.ts';

/** The types of Express's internal router. */
interface Layer {
  rawPath: string | readonly string[];
  route?: { path: string | readonly string[]; methods: Record<string, boolean> };
  handle: { stack?: Layer[] };
}

const folder = setUpFolder();
let db: TestDatabase;
let api: Api;
let found: string[];

beforeAll(async () => {
  db = await makeTestDatabase();
  await seedPlans(db.pool);
  const listen = vi.spyOn(Server.prototype, 'listen');
  // With settings that mount everything; the upstream servers are not called.
  api = await buildApi(
    readSettings({
      ROLE: 'api',
      DATABASE_URL: db.url,
      DATABASE_CONNECTIONS: '12',
      SESSION_SECRET: 'a secret of at least 32 characters, for tests',
      DATA_DIR: folder,
      PORT: String(await freePort()),
      DEMO_URL: 'http://127.0.0.1:9',
      PAYMENT_SANDBOX_URL: 'http://127.0.0.1:9',
      SENDGRID_WEBHOOK_KEY: WEBHOOK_KEY,
    }),
  );
  await api.start();
  const server = listen.mock.contexts.find((context) => (context as HttpServer).listenerCount('request') > 0);
  listen.mockRestore();
  const [app] = (server as HttpServer).listeners('request') as unknown as [{ router: { stack: Layer[] } }];
  found = [...new Set(app.router.stack.flatMap((layer) => addressesOf(layer)))];
});
afterAll(async () => {
  await api?.close();
  await db?.close();
});

const all = (path: string | readonly string[]): string[] => (typeof path === 'string' ? [path] : [...path]);
/** The file's name with its version. */
const named = (path: string): string => path.replace(/^\/api\/docs\/.+/, '/api/docs/:file');

/** The paths of a layer; none for middleware of all paths. */
function addressesOf({ route, rawPath, handle }: Layer, base = ''): string[] {
  if (route) {
    const methods = Object.keys(route.methods).map((method) => (method === '_all' ? 'ALL' : method.toUpperCase()));
    return all(route.path).flatMap((path) => methods.map((method) => `${method} ${named(base + path)}`));
  }
  return all(rawPath).flatMap((path) => {
    const mounted = path === '/' ? base : base + path;
    const inner = handle.stack?.flatMap((layer) => addressesOf(layer, mounted)) ?? [];
    return mounted === base ? inner : [mounted, ...inner];
  });
}

it('has a row for every route that is not a call over an operation, and for no others', () => {
  const calls = new Set(callTable(async () => {}).map(({ path }) => `ALL /api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`));
  expect(found.length).toBeGreaterThan(calls.size + 20);
  expect([...calls].filter((call) => !found.includes(call))).toEqual([]);
  expect(found.filter((address) => !calls.has(address)).sort()).toEqual(Object.keys(routes).sort());
});
