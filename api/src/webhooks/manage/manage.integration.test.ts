import { afterAll, beforeEach, expect, inject, it } from 'vitest';
import { storeCars } from '../../../test/factories.ts';
import { makeTestApi, setUpApi, type TestApi } from '../../../test/make-app.ts';
import {
  type Dealer,
  deliverAll,
  LOCAL_WEBHOOKS,
  makeDealer,
  makeTestEngine,
  makeWebhook,
  matchAndMakeEvents,
} from '../../../test/webhooks/dealer.ts';
import { makePool } from '../../base/database.ts';
import type { Log } from '../../base/log.ts';

let strict: TestApi;
let dealer: Dealer;
const resolve = async (name: string) => {
  if (name === 'nowhere.example') throw new Error('ENOTFOUND');
  return [{ address: name === 'inside.example' ? '10.0.0.7' : '93.184.216.34', family: 4 }];
};
const api = setUpApi({ env: LOCAL_WEBHOOKS }, async () => {
  strict = await makeTestApi({ db: api.db, resolve });
  dealer = await makeDealer(api);
});
beforeEach(() => api.db.pool.query('delete from webhooks'));
afterAll(async () => {
  await strict.close();
});

const create = `mutation ($url: String!, $events: [String!]!, $description: String) {
  createWebhook(url: $url, events: $events, description: $description) { secret webhook { id url state } } }`;
/** The same session at an API that allows no private addresses. */
async function createAt(one: TestApi, variables: Record<string, unknown>) {
  const response = await fetch(`${one.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: dealer.browser.cookie ?? '', origin: one.url },
    body: JSON.stringify({
      query: create,
      variables: { url: 'https://dealer.example/', events: ['match.created'], ...variables },
    }),
  });
  return (await response.json()) as {
    data: { createWebhook: { secret: string; webhook: { id: string; url: string } } };
    errors?: { extensions: { code: string; fields?: Record<string, string> } }[];
  };
}
const faults = async (variables: Record<string, unknown>) => {
  const { errors } = await createAt(strict, variables);
  const [error] = errors ?? [];
  return error ? [error.extensions.code, Object.keys(error.extensions.fields ?? {})] : 'made';
};

it.each([
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://10.1.2.3:8443/hook',
  'https://169.254.169.254/latest/meta-data',
  'https://0.0.0.0/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://[::ffff:10.0.0.1]/',
  'https://inside.example/',
  'https://localhost.inside.example@inside.example/',
  'ftp://dealer.example/',
  'dealer.example',
  'https://dealer.example/a\nb',
  'https://dealer.\texample/',
  'https://dealer.example/\u202egnp.exe',
  '',
  `https://dealer.example/${'x'.repeat(2_000)}`,
])('refuses the address %s', async (url) => expect(await faults({ url })).toEqual(['VALIDATION', ['url']]));

it('refuses events that it does not know, none, and long notes', async () => {
  expect(await faults({ events: [] })).toEqual(['VALIDATION', ['events']]);
  expect(await faults({ events: ['match.created', 'webhook.test'] })).toEqual(['VALIDATION', ['events']]);
  expect(await faults({ description: 'x'.repeat(201) })).toEqual(['VALIDATION', ['description']]);
  expect(await faults({ description: 'two\nlines' })).toEqual(['VALIDATION', ['description']]);
  expect(await faults({ url: 'https://nowhere.example/', events: ['match.created', 'match.created'] })).toBe('made');
});

it('allows ten at most, however many are created at once', async () => {
  const answers = await Promise.all(Array.from({ length: 25 }, () => faults({})));
  expect(answers.filter((answer) => answer === 'made')).toHaveLength(10);
  expect(answers.filter((answer) => answer !== 'made' && answer[0] === 'CONFLICT')).toHaveLength(15);
});

it('is for the Elite plan in every call, and for its owner only', async () => {
  const { id } = await makeWebhook(dealer);
  const other = await makeDealer(api);
  await storeCars(api.db.pool, [{}]);
  await matchAndMakeEvents(api);
  const { data } = await dealer.browser.gql('query ($id: ID!) { webhook(id: $id) { deliveries { nodes { id } } } }', {
    id,
  });
  const delivery = data.webhook.deliveries.nodes[0].id;
  const calls = [
    'query { webhooks { id } }',
    `query { webhook(id: ${id}) { id } }`,
    `mutation { createWebhook(url: "http://127.0.0.1/", events: ["match.created"]) { secret } }`,
    `mutation { updateWebhook(id: ${id}, description: "x") { id } }`,
    `mutation { rotateWebhookSecret(id: ${id}) { secret } }`,
    `mutation { pauseWebhook(id: ${id}) { id } }`,
    `mutation { resumeWebhook(id: ${id}) { id } }`,
    `mutation { sendTestEvent(webhookId: ${id}) { id } }`,
    `mutation { replayDelivery(id: ${delivery}) { id } }`,
    `mutation { replayEvents(webhookId: ${id}, afterCursor: "0") { count } }`,
    `mutation { deleteWebhook(id: ${id}) }`,
  ];
  const codes = async (who: Dealer) => {
    const all: unknown[] = [];
    for (const call of calls) all.push((await who.browser.gql(call)).errors[0]?.extensions.code ?? 'OK');
    return all;
  };
  expect(await codes(other)).toEqual(['OK', 'NOT_FOUND', 'OK', ...Array.from({ length: 8 }, () => 'NOT_FOUND')]);
  await api.db.pool.query('update users set plan_id = 3 where id = $1', [dealer.id]);
  expect(await codes(dealer)).toEqual(calls.map(() => 'PLAN_REQUIRED'));
  await api.db.pool.query('update users set plan_id = 4 where id = $1', [dealer.id]);
  expect(await codes(dealer)).toEqual(calls.map(() => 'OK'));
});

it('numbers a test event from where the epoch of this server begins', async () => {
  const { id } = await makeWebhook(dealer);
  const servers = inject('serverUrls').map(
    (url) => Object.assign(new URL(url), { pathname: new URL(api.db.url).pathname }).href,
  );
  /** Runs a statement on each server. @returns how many rows they have in all */
  const onAll = async (sql: string): Promise<number> => {
    let rows = 0;
    for (const url of servers) {
      const pool = makePool(url, 1);
      rows += (await pool.query(sql)).rows.length;
      await pool.end();
    }
    return rows;
  };
  await onAll('delete from match_server');
  await dealer.browser.gql(`mutation { sendTestEvent(webhookId: ${id}) { id } }`);
  expect(await onAll('select 1 as one from match_server')).toBe(1);
});

it('sends waiting messages to a changed address at once', async () => {
  const { id, receiver } = await makeWebhook(dealer);
  const engine = makeTestEngine(api);
  receiver.answer = () => 500;
  await storeCars(api.db.pool, [{}]);
  await matchAndMakeEvents(api);
  await deliverAll(engine);
  const rows = await api.db.rows('select next_try_at > now() as waits from webhook_deliveries where webhook_id = $1', [
    id,
  ]);
  expect(rows).toEqual([{ waits: true }]);
  receiver.answer = () => 200;
  const update = 'mutation ($id: ID!, $url: String!) { updateWebhook(id: $id, url: $url) { failingSince } }';
  await dealer.browser.gql(update, { id, url: receiver.url });
  await deliverAll(engine);
  expect(receiver.accepted).toEqual([]);
  const { data } = await dealer.browser.gql(update, { id, url: `${receiver.url}/new` });
  expect(data.updateWebhook.failingSince).toBeNull();
  await deliverAll(engine);
  expect(receiver.accepted).toHaveLength(1);
});

it('sends a webhook that subscribes to matches later none from before', async () => {
  const { id, receiver } = await makeWebhook(dealer, ['alert.expiring']);
  const engine = makeTestEngine(api);
  await storeCars(api.db.pool, [{}]);
  await matchAndMakeEvents(api);
  await dealer.browser.gql('mutation ($id: ID!) { updateWebhook(id: $id, events: ["match.created"]) { events } }', {
    id,
  });
  const [car] = await storeCars(api.db.pool, [{}]);
  await matchAndMakeEvents(api);
  await deliverAll(engine);
  expect(receiver.accepted.map(({ data }) => data.listing.id)).toEqual([car]);
});

it('shows its secret in the first answer only, and never in the database or the logs', async () => {
  const lines: string[] = [];
  const note = (message: string, fields: unknown) => void lines.push(message + JSON.stringify(fields));
  const log: Log = { info: note, warn: note, error: note };
  const { id, receiver } = await makeWebhook(dealer);
  const first = receiver.secret;
  const { data } = await dealer.browser.gql('mutation ($id: ID!) { rotateWebhookSecret(id: $id) { secret } }', { id });
  receiver.secret = data.rotateWebhookSecret.secret;
  receiver.answer = ({ headers }) => ({ status: 500, body: `no: ${headers['webhook-id']}` });
  await storeCars(api.db.pool, [{}]);
  await matchAndMakeEvents(api);
  await deliverAll(makeTestEngine(api, { log }));
  expect(receiver.seen).toHaveLength(1);
  const shown = await dealer.browser.gql(`{ webhooks { id url deliveries { nodes { body attempts { answer } } } } }`);
  const exported = await dealer.browser.gql('mutation { exportMyData }');
  const tables = await api.db.rows(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  const dump = await Promise.all(
    tables.map(async ({ name }) => JSON.stringify(await api.db.rows(`select to_json(t) as row from "${name}" t`))),
  );
  const all = [...dump, ...lines, JSON.stringify(shown), JSON.stringify(exported)].join('\n');
  expect(all).toContain(receiver.seen[0]?.id);
  for (const secret of [first, receiver.secret]) {
    const bare = secret.replace('whsec_', '');
    const bytes = Buffer.from(bare, 'base64');
    for (const form of [secret, bare, bytes.toString('base64url'), bytes.toString('hex')])
      expect(all).not.toContain(form);
  }
});
