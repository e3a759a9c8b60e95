import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoStream } from '../../demo/ids.ts';
import { makeDemoServer } from '../../demo/server.ts';
import { closeServer, listen } from '../../lab/local-server.ts';
import { setUpDatabase } from '../../test/database.ts';
import { setUpFolder } from '../../test/set-up.ts';
import { type SandboxRig, startSandbox } from '../../test/stripe/sandbox-rig.ts';
import { freePort } from '../base/free-port.ts';
import { readSettings } from '../base/settings/settings.ts';
import { seedPlans } from '../billing/plans.ts';
import { buildApi } from './build-api.ts';

const SECRET = 'a secret of at least 32 characters, for tests';
const folder = setUpFolder();
const demo = makeDemoServer({ stream: demoStream(1, 1), publicUrl: 'http://localhost:4000/demo' });
let demoUrl: string;
let sandbox: SandboxRig;
const closing: (() => Promise<void>)[] = [];

const db = setUpDatabase(async () => {
  await seedPlans(db.pool);
  demoUrl = await listen(demo);
  sandbox = await startSandbox();
  const mail = { id: 'one', channel: 'email', kind: 'reset', to: 'ada@example.test', subject: 'Reset your password' };
  const rest = { text: 'http://localhost:4000/reset-password/secret', html: '', headers: {} };
  writeFileSync(
    join(folder, 'outbox.ndjson'),
    `${JSON.stringify({ ...mail, ...rest, sentAt: '2026-01-01T00:00Z' })}\n`,
  );
});
afterAll(async () => {
  for (const close of closing) await close();
  await sandbox.close();
  await closeServer(demo);
});

/** Starts an API as the launcher does. @returns its port */
async function start(env: Record<string, string> = {}): Promise<number> {
  const port = await freePort();
  const inner = {
    DEMO_URL: demoUrl,
    PAYMENT_SANDBOX_URL: sandbox.url,
    STRIPE_SECRET_KEY: sandbox.secretKey,
    STRIPE_WEBHOOK_SECRET: sandbox.webhookSecret,
    STRIPE_API_BASE: sandbox.url,
  };
  const own = { ROLE: 'api', DATABASE_URL: db.url, SESSION_SECRET: SECRET, DATA_DIR: folder, PORT: String(port) };
  const api = await buildApi(readSettings({ ...own, DATABASE_CONNECTIONS: '12', ...inner, ...env }));
  closing.push(() => api.close());
  await api.start();
  return port;
}

/** @param host the Host header; null for none, as in HTTP/1.0 */
async function ask(port: number, path: string, host: string | null): Promise<{ status: number; body: string }> {
  const socket = connect(port, '127.0.0.1');
  const lines = host === null ? [`GET ${path} HTTP/1.0`] : [`GET ${path} HTTP/1.1`, `Host: ${host}`];
  socket.write(`${[...lines, 'Apollo-Require-Preflight: 1', 'Connection: close'].join('\r\n')}\r\n\r\n`);
  const answer = await text(socket);
  return { status: Number(answer.split(' ')[1]), body: answer.slice(answer.indexOf('\r\n\r\n')) };
}

const pages = [
  ['/dev/outbox', 'Reset your password'],
  ['/dev/outbox/one/text', 'reset-password'],
  ['/DEV/Outbox/', 'Reset your password'],
  ['/dev/checkout/cs_test_1', 'This payment page is unknown'],
  ['/dev/portal/bps_1', 'This payment page is unknown'],
  ['/demo/', 'Demo'],
  ['/api/debug/subscription-plans', 'Starter'],
  ['/api/debug/ensure-subscription-plans', 'Starter'],
  ['/API/Debug/subscription-plans', 'Starter'],
] as const;
const site = `/graphql?query=${encodeURIComponent('{ site { testMode } }')}`;

describe('on a loopback HOST the development pages', () => {
  let port: number;
  beforeAll(async () => {
    port = await start();
  });

  it.each(['localhost', 'LOCALHOST:PORT', '127.0.0.1:PORT', '[::1]:PORT'])('are shown for Host: %s', async (name) => {
    const host = name.replace('PORT', String(port));
    for (const [path, content] of pages) expect((await ask(port, path, host)).body).toContain(content);
    expect((await ask(port, site, host)).body).toContain('{"testMode":true}');
  });

  it.each([
    'rebound.evil.example:PORT',
    'localhost.evil.example',
    '127.0.0.1.evil.example:PORT',
    '0.0.0.0:PORT',
    '192.168.0.7:PORT',
    '',
    null,
  ])('are not found for Host: %s', async (name) => {
    const host = name?.replace('PORT', String(port)) ?? null;
    for (const [path, content] of pages) {
      const { status, body } = await ask(port, path, host);
      expect([path, status]).toEqual([path, 404]);
      expect(body).not.toContain(content);
    }
    expect((await ask(port, site, host)).body).toContain('{"testMode":false}');
    expect((await ask(port, '/api/subscription/plans', host)).status).toBe(200);
  });
});

it('with a HOST that other machines can reach, the development pages are off', async () => {
  const port = await start({ HOST: '0.0.0.0', ALLOW_PUBLIC_HOST: 'on' });
  const host = `localhost:${port}`;
  for (const [path] of pages) expect([path, (await ask(port, path, host)).status]).toEqual([path, 404]);
  expect((await ask(port, site, host)).body).toContain('{"testMode":false}');
  expect((await ask(port, '/api/subscription/plans', host)).status).toBe(200);
});

it('the servers of demo and sandbox behind them answer only for loopback names', async () => {
  const servers = [
    [(demo.address() as AddressInfo).port, '/', 'Demo'],
    [Number(new URL(sandbox.url).port), '/checkout/cs_test_1', 'This payment page is unknown'],
  ] as const;
  for (const [port, path, content] of servers) {
    expect((await ask(port, path, 'localhost')).body).toContain(content);
    for (const host of ['rebound.evil.example', '', null])
      expect((await ask(port, path, host)).body).not.toContain(content);
  }
});
