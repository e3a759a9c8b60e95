/** @module-tag long */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type SendgridServer, startSendgridServer } from '../../test/mail/sendgrid-server.ts';
import { makeTestApi, type TestApi } from '../../test/make-app.ts';
import { setUpFolder } from '../../test/set-up.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../../test/traces/otlp-receiver.ts';
import { silentLog } from '../base/log.ts';
import { readSettings } from '../base/settings/settings.ts';
import { makeRunner } from '../jobs/schedule/runner.ts';
import { buildWorker, type Worker } from './build-worker.ts';
import { sendTraces } from './send-traces.ts';

const KEY = 'SG.a-key-of-this-test';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
/** What must never leave as a trace. */
const personal = ['jane-of-the-trace', 'a-password-that-no-trace-has', '5125550147', 'Round Rock'];
const folder = setUpFolder();

let receiver: OtlpReceiver;
let sendgrid: SendgridServer;
let worker: Worker;
let api: TestApi;
let tracing: { close(): Promise<void> };
/** What was logged as a warning. */
let warnings: string[];

async function start(env: Record<string, string> = {}): Promise<void> {
  const log = { ...silentLog, warn: (message: string) => void warnings.push(message) };
  const traced = readSettings({
    ROLE: 'api',
    DATABASE_URL: 'postgres://127.0.0.1/of-no-part',
    SESSION_SECRET: 'the-secret-of-no-part-with-32-letters',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    ...env,
  });
  // Before pools are made, as in `main.ts`.
  tracing = await sendTraces(traced, log);
  api = await makeTestApi({ log, env: { TRUSTED_PROXIES: '1', TRUSTED_REQUEST_IDS: 'on' } });
  const settings = readSettings({
    ROLE: 'worker',
    DATABASE_URL: api.db.url,
    DATA_DIR: folder,
    SESSION_SECRET: api.sessionSecret,
    SENDGRID_API_KEY: KEY,
    SENDGRID_API_BASE: sendgrid.url,
    MAIL_FROM: 'alerts@lotwatch.example',
  });
  worker = await buildWorker(settings, { log: silentLog, pool: api.db.pool });
}

async function run(name: string): Promise<void> {
  const job = worker.jobs.find((one) => one.name === name);
  if (!job) throw new Error(`there is no job ${name}`);
  const runner = makeRunner(job, silentLog);
  await runner.wake();
  await runner.stop();
}

/** Ends both, which sends what is left. */
async function stop(): Promise<ReceivedSpan[]> {
  await worker.close();
  await api.close();
  await tracing.close();
  return receiver.spans;
}

beforeAll(async () => {
  sendgrid = await startSendgridServer(KEY);
});
afterAll(() => sendgrid.close());
beforeEach(async () => {
  warnings = [];
  receiver = await startOtlpReceiver();
  return () => receiver.close();
});

const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const span = spans.find((one) => one.name === name);
  if (!span) throw new Error(`no span ${name} among ${spans.map((one) => one.name).join(', ')}`);
  return span;
};

it('a request is one trace, from the proxy to the provider in the run of a job, without anything personal', async () => {
  await start();
  const { browser } = await api.user('jane-of-the-trace', {
    email: 'jane-of-the-trace@example.test',
    password: 'a-password-that-no-trace-has',
    phone: '+15125550147',
  });
  const alertId = await browser.createAlert({ location: 'Round Rock, TX' });
  await run('backfill-alerts');
  await run('match-listings');
  await run('send-notifications');
  const mutation = 'mutation OfJane ($id: ID!) { sendTestNotification(alertId: $id) { message } }';
  const asked = await browser.gql(mutation, { id: alertId }, { traceparent: `00-${TRACE}-${SPAN}-01` });
  expect(asked.errors).toEqual([]);
  await run('send-notifications');
  const spans = await stop();

  const ofRequest = spans.filter(({ traceId }) => traceId === TRACE);
  const request = named(ofRequest, 'POST graphql');
  expect(request).toMatchObject({
    service: 'lotwatch-api',
    parentId: SPAN,
    attributes: { 'http.response.status_code': 200, 'lotwatch.request_id': TRACE },
    isFailed: false,
  });
  const operation = named(ofRequest, 'mutation sendTestNotification');
  expect(operation.parentId).toBe(request.spanId);
  expect(ofRequest.filter(({ parentId }) => parentId === operation.spanId).map(({ name }) => name)).toContain(
    'with mail_counts mails',
  );
  const delivery = named(ofRequest, 'deliver email');
  expect(delivery).toMatchObject({ parentId: '', attributes: { 'message.result': 'accepted' } });
  const call = ofRequest.find(({ parentId, kind }) => parentId === delivery.spanId && kind === 3);
  expect(call?.attributes).toMatchObject({ 'http.request.method': 'POST', 'http.response.status_code': 202 });
  const jobs = spans.filter(({ name }) => name === 'send-notifications');
  expect(jobs.map(({ spanId }) => spanId)).toContain(delivery.links[0]?.spanId);
  const batch = named(spans, 'match batch');
  expect(named(spans, 'match-listings')).toMatchObject({ spanId: batch.parentId, traceId: batch.traceId });

  for (const text of [...personal, 'OfJane']) expect(receiver.text()).not.toContain(text);
  expect(spans.filter(({ statusText, events }) => statusText !== '' || events > 0)).toEqual([]);
  expect(warnings).toEqual([]);
});

it('a request with a broken traceparent begins a trace, also where its id is in it', async () => {
  await start();
  const { browser } = await api.user('jane-of-the-trace');
  const headers = { traceparent: `xx-${TRACE}-${SPAN}-01`, 'x-request-id': TRACE };
  expect((await browser.gql('{ me { username } }', {}, headers)).errors).toEqual([]);
  const ofRequest = (await stop()).filter(({ traceId }) => traceId === TRACE);
  expect(named(ofRequest, 'POST graphql').parentId).toBe('');
});

it('work that fails says how by a code, and not what the database quoted', async () => {
  await start();
  const { browser } = await api.user('jane-of-the-trace');
  await api.db.pool.query('alter table plans rename to plans_away');
  const { errors } = await browser.gql('{ plans { id } }');
  await api.db.pool.query('alter table plans_away rename to plans');
  expect((await browser.login('jane-of-the-trace', 'a-password-that-no-trace-has')).errors).toHaveLength(1);
  const spans = await stop();
  const failed = named(spans, 'query plans');
  expect(failed).toMatchObject({ isFailed: true, attributes: { 'error.type': expect.any(String) } });
  expect(failed.traceId).toBe(String(errors[0]?.extensions.incidentId).replaceAll('-', ''));
  expect(named(spans, 'mutation login').attributes['error.type']).toBe('UNAUTHENTICATED');
  for (const text of personal) expect(receiver.text()).not.toContain(text);
});

it.each([
  ['is away', () => receiver.close()],
  ['refuses', () => (receiver.answer = (_request, response) => response.writeHead(400).end('no'))],
  ['answers garbage', () => (receiver.answer = (_request, response) => response.writeHead(200).end('\0\u00ffgarbage'))],
  ['never answers', () => (receiver.answer = () => new Promise(() => {}))],
])('an endpoint that %s fails nothing, and holds up the end for a second at most', async (how, breakIt) => {
  await start();
  await breakIt();
  const { browser } = await api.user('jane-of-the-trace');
  expect((await browser.gql('{ me { username } }')).data.me.username).toBe('jane-of-the-trace');
  const begun = performance.now();
  await stop();
  expect(performance.now() - begun).toBeLessThan(4_000);
  expect(warnings.filter((message) => message.startsWith('traces')).length).toBeLessThanOrEqual(1);
  if (how === 'refuses') expect(warnings).toContain('traces could not be sent and are dropped');
});

it('sends the share of requests that the sampler names, each whole', async () => {
  await start({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' });
  const { browser } = await api.user('sampled');
  for (let round = 0; round < 40; round += 1) await browser.gql('{ me { username } }');
  const spans = await stop();
  const requests = spans.filter(({ name }) => name === 'POST graphql');
  expect(requests.length).toBeGreaterThan(5);
  expect(requests.length).toBeLessThan(36);
  const whole = spans.filter(({ name }) => name === 'query me').map(({ parentId }) => parentId);
  expect(requests.map(({ spanId }) => spanId)).toEqual(expect.arrayContaining(whole));
});
