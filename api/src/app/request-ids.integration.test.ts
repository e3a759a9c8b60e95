import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeBrowser } from '../../test/browser.ts';
import { type SendgridServer, startSendgridServer } from '../../test/mail/sendgrid-server.ts';
import { makeTestApi, setUpApi } from '../../test/make-app.ts';
import { setUpFolder } from '../../test/set-up.ts';
import { makeDealer, makeWebhook } from '../../test/webhooks/dealer.ts';
import { makeLog } from '../base/log.ts';
import { readSettings } from '../base/settings/settings.ts';
import { buildWorker, type Worker } from './build-worker.ts';

const KEY = 'SG.a-key-of-this-test';
// biome-ignore lint/suspicious/noExplicitAny: each line has fields of its own
const lines: any[] = [];
const log = makeLog('test', (line) => lines.push(JSON.parse(line)));
const folder = setUpFolder();
const api = setUpApi({ log, env: { TRUSTED_PROXIES: '1', TRUSTED_REQUEST_IDS: 'on', WEBHOOK_PRIVATE_NETWORK: 'on' } });

let sendgrid: SendgridServer;
let worker: Worker;
beforeAll(async () => {
  sendgrid = await startSendgridServer(KEY);
  const settings = readSettings({
    ROLE: 'worker',
    DATABASE_URL: api.db.url,
    DATA_DIR: folder,
    SESSION_SECRET: api.sessionSecret,
    SENDGRID_API_KEY: KEY,
    SENDGRID_API_BASE: sendgrid.url,
    MAIL_FROM: 'alerts@lotwatch.example',
    WEBHOOK_PRIVATE_NETWORK: 'on',
  });
  worker = await buildWorker(settings, { log, pool: api.db.pool });
});
afterAll(async () => {
  await worker.close();
  await sendgrid.close();
});
beforeEach(() => {
  lines.length = 0;
});

const run = (name: string) => worker.jobs.find((job) => job.name === name)?.run();
const linesOf = (requestId: string | null) => lines.filter((line) => line.requestId === requestId);

it('a mail that a request enqueues is delivered, and logged, under the id of the request', async () => {
  const { browser } = await api.user('follows-a-mail', { email: 'follows@example.test' });
  const alertId = await browser.createAlert();
  await run('send-notifications');
  sendgrid.accepted.length = 0;
  const { headers, errors } = await browser.gql(
    'mutation ($id: ID!) { sendTestNotification(alertId: $id) { message } }',
    {
      id: alertId,
    },
    { 'x-request-id': 'an-id-of-the-proxy' },
  );
  expect(errors).toEqual([]);
  expect(headers.get('x-request-id')).toBe('an-id-of-the-proxy');
  await run('send-notifications');
  expect(sendgrid.accepted[0]?.body.personalizations[0]?.custom_args).toMatchObject({
    request_id: 'an-id-of-the-proxy',
  });
  expect(linesOf('an-id-of-the-proxy')).toEqual([
    expect.objectContaining({ message: 'a message was sent', channel: 'email', id: expect.any(String) }),
  ]);
});

it('a client chooses no id behind a proxy that is not trusted with ids', async () => {
  const other = await makeTestApi({ db: api.db, env: { TRUSTED_PROXIES: '1' } });
  const chosen = {
    'x-request-id': 'an-id-of-a-client',
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  };
  const { headers } = await makeBrowser(other.url).fetch('/', { headers: chosen });
  expect(headers.get('x-request-id')).toMatch(/^[\da-f]{8}-[\da-f]{4}-4/);
  await other.close();
});

it('a webhook gets the id of the request that asked for its message, and the log has how it ended', async () => {
  const dealer = await makeDealer(api);
  const { id, receiver } = await makeWebhook(dealer);
  const sent = await dealer.browser.gql('mutation ($id: ID!) { sendTestEvent(webhookId: $id) { id } }', { id });
  const requestId = sent.headers.get('x-request-id');
  receiver.answer = () => 503;
  await run('deliver-webhooks');
  await worker.idle();
  expect(receiver.seen[0]?.headers['x-request-id']).toBe(requestId);
  expect(linesOf(requestId)).toEqual([
    expect.objectContaining({ message: 'a message was not accepted', channel: 'webhook' }),
  ]);
  const again = await dealer.browser.gql('mutation ($id: ID!) { replayDelivery(id: $id) { id } }', {
    id: sent.data.sendTestEvent.id,
  });
  receiver.answer = () => 200;
  await run('deliver-webhooks');
  await worker.idle();
  expect(receiver.accepted[0]?.headers['x-request-id']).toBe(again.headers.get('x-request-id'));
  expect(linesOf(again.headers.get('x-request-id'))).toHaveLength(1);
  receiver.close();
});

it('an error that nobody expected is logged and answered under the id of its request or operation', async () => {
  const { browser } = await api.user('unlucky');
  const socket = browser.socket();
  const query = '{ plans { id } }';
  const overSocket = async () => {
    for await (const { errors } of socket.iterate({ query })) return errors?.[0]?.extensions?.incidentId;
  };
  await api.db.pool.query('alter table plans rename to plans_away');
  const asked = await browser.gql(query);
  const incidents = [asked.errors[0]?.extensions.incidentId, await overSocket(), await overSocket()];
  const rest = await browser.fetch('/api/subscription/plans');
  incidents.push(((await rest.json()) as { incidentId: string }).incidentId);
  await api.db.pool.query('alter table plans_away rename to plans');
  await socket.dispose();
  expect(incidents[0]).toBe(asked.headers.get('x-request-id'));
  expect(incidents[3]).toBe(rest.headers.get('x-request-id'));
  expect(new Set(incidents).size).toBe(4);
  const faults = lines.filter(({ message }) => message === 'unexpected error');
  expect(faults.map(({ requestId }) => requestId)).toEqual(incidents);
});

it('every answer has an id, also of pages, refusals and files, and none that a stranger chose is used elsewhere', async () => {
  const visitor = makeBrowser(api.url);
  const paths = ['/', '/livez', '/assets/app-1a2b3c4d.js', '/api/alerts/user', '/nowhere.txt', '/%ff'];
  const ids = await Promise.all(paths.map(async (path) => (await visitor.fetch(path)).headers.get('x-request-id')));
  expect(new Set(ids).size).toBe(paths.length);
  expect(ids).not.toContain(null);
});
