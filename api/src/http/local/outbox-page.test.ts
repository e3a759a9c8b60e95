import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeOutboxMailer } from '../../vendors/outbox-mail.ts';
import { outboxPage } from './outbox-page.ts';

let folder: string;
let path: string;
let server: Server;
let base: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lotwatch-page-'));
  path = join(folder, 'outbox.ndjson');
  const app = express();
  app.use(outboxPage(path));
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

it('is empty before the first mail', async () => {
  expect(await (await fetch(`${base}/dev/outbox`)).text()).toContain('No mail yet.');
});

it('lists mails newest first and shows each as HTML and as text', async () => {
  const mailer = await makeOutboxMailer(path);
  const mail = {
    kind: 'match',
    to: 'ada@example.com',
    replyTo: null,
    text: 'plain <words>',
    headers: {},
    alertId: 1,
    matchIds: [],
    notificationIds: [],
  };
  await mailer.send({ ...mail, id: 'one', subject: 'First <b>', html: '<p>first whole</p>' });
  await mailer.send({ ...mail, id: 'two', subject: 'Second', html: '<p>second whole</p>' });
  await mailer.close();
  const list = await (await fetch(`${base}/dev/outbox`)).text();
  expect(list.indexOf('Second')).toBeLessThan(list.indexOf('First &lt;b&gt;'));
  expect(list.indexOf('Second')).toBeGreaterThan(0);

  const html = await fetch(`${base}/dev/outbox/one`);
  expect(await html.text()).toBe('<p>first whole</p>');
  expect(html.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
  expect(await (await fetch(`${base}/dev/outbox/one/text`)).text()).toContain('plain &lt;words&gt;');
  expect((await fetch(`${base}/dev/outbox/three`)).status).toBe(404);
});
