import { join } from 'node:path';
import express from 'express';
import { expect, it } from 'vitest';
import { setUpFolder, setUpServer } from '../../../test/set-up.ts';
import { makeOutboxMailer } from '../../vendors/outbox-mail.ts';
import { outboxPage } from './outbox-page.ts';

const path = join(setUpFolder(), 'outbox.ndjson');
const server = setUpServer(express().use(outboxPage(path)));

it('is empty before the first mail', async () => {
  expect(await (await fetch(`${server.url}/dev/outbox`)).text()).toContain('No mail yet.');
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
  const list = await (await fetch(`${server.url}/dev/outbox`)).text();
  expect(list.indexOf('Second')).toBeLessThan(list.indexOf('First &lt;b&gt;'));
  expect(list.indexOf('Second')).toBeGreaterThan(0);

  const html = await fetch(`${server.url}/dev/outbox/one`);
  expect(await html.text()).toBe('<p>first whole</p>');
  expect(html.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
  expect(await (await fetch(`${server.url}/dev/outbox/one/text`)).text()).toContain('plain &lt;words&gt;');
  expect((await fetch(`${server.url}/dev/outbox/three`)).status).toBe(404);
});
