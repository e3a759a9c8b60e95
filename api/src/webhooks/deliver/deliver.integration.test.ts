import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeTestApi, type TestApi } from '../../../test/make-app.ts';
import { storeCars } from '../../../test/matching/match-factory.ts';
import {
  type Dealer,
  deliverAll,
  letTimePass,
  type MadeWebhook,
  makeDealer,
  makeTestDeliverer,
  makeWebhook,
  matchAndMake,
  TRYING,
} from '../../../test/webhooks/dealer.ts';
import type { Receiver } from '../../../test/webhooks/receiver.ts';
import { MAX_TRIES } from '../../domain/webhooks/retry-plan.ts';
import { forgetMessages } from './forget-messages.ts';

let api: TestApi;
let dealer: Dealer;
let made: MadeWebhook;
let receiver: Receiver;
let deliverer: ReturnType<typeof makeTestDeliverer>;
beforeAll(async () => {
  api = await makeTestApi({ env: TRYING });
  dealer = await makeDealer(api);
});
beforeEach(async () => {
  await api.db.pool.query('delete from webhooks');
  await api.db.pool.query('delete from mails');
  made = await makeWebhook(dealer);
  receiver = made.receiver;
  deliverer = makeTestDeliverer(api);
});
afterAll(() => api.close());

const cars = async (count: number) => {
  const ids = await storeCars(
    api.db.pool,
    Array.from({ length: count }, () => ({})),
  );
  await matchAndMake(api);
  return ids.toSorted((a, b) => a - b);
};
const told = ({ taken }: Receiver) => taken.toSorted((a, b) => a.cursor - b.cursor).map(({ data }) => data.listing?.id);
const statuses = async () => {
  const { rows } = await api.db.pool.query<{ status: string }>(
    'select status from webhook_deliveries order by event_id',
  );
  return rows.map(({ status }) => status);
};
const webhook = async () => {
  const fields = `state pausedBecause failingSince waiting previousSecretUntil lastTry { taken statusCode error }
    deliveries { nodes { id messageId status cursor body attempts { statusCode ms error answer } } }`;
  const { data } = await dealer.browser.gql(`query ($id: ID!) { webhook(id: $id) { ${fields} } }`, { id: made.id });
  return data.webhook;
};
const act = async (mutation: string, id = made.id) => {
  const answer = await dealer.browser.gql(`mutation ($id: ID!) { ${mutation} }`, { id });
  if (answer.errors[0]) throw new Error(answer.errors[0].message);
  return answer.data;
};

it('loses nothing while the receiver is slow, then down, then back', async () => {
  const ids = [...(await cars(5))];
  receiver.answer = () => new Promise((settle) => setTimeout(() => settle(200), 40));
  await deliverAll(deliverer);
  expect(receiver.mostAtOnce).toBeLessThanOrEqual(4);
  let down = 0;
  receiver.answer = () => (down++ % 2 === 0 ? 503 : 'cut');
  ids.push(...(await cars(5)));
  for (let round = 0; round < 4; round += 1) {
    await letTimePass(api);
    await deliverAll(deliverer);
  }
  expect(told(receiver)).toHaveLength(5);
  expect((await webhook()).failingSince).not.toBeNull();
  receiver.answer = () => 200;
  ids.push(...(await cars(5)));
  await letTimePass(api);
  await deliverAll(deliverer);
  expect(receiver.forged).toEqual([]);
  expect(told(receiver)).toEqual(ids);
  expect(new Set(receiver.taken.map(({ id }) => id)).size).toBe(15);
  const idsByCursor = Map.groupBy(receiver.seen, ({ cursor }) => cursor);
  for (const list of idsByCursor.values()) {
    expect(new Set(list.map(({ id }) => id)).size).toBe(1);
    expect(new Set(list.map(({ body }) => body)).size).toBe(1);
  }
  expect(await webhook()).toMatchObject({ failingSince: null, waiting: 0, lastTry: { taken: true, statusCode: 200 } });
});

it('lets what failed follow at once when one is taken again', async () => {
  receiver.answer = () => 500;
  await cars(3);
  await deliverAll(deliverer);
  await letTimePass(api);
  receiver.answer = () => 200;
  await api.db.pool.query(`update webhook_deliveries set next_try_at = now() + interval '5 hours' where event_id <> (
    select min(event_id) from webhook_deliveries where status = 'waiting')`);
  await deliverAll(deliverer);
  expect(receiver.taken).toHaveLength(3);
});

it('does not let a webhook that hangs hold up another', async () => {
  const other = await makeWebhook(dealer);
  receiver.answer = () => 'hang';
  await cars(12);
  const patient = makeTestDeliverer(api);
  await patient.run();
  await expect.poll(() => other.receiver.taken.length).toBe(12);
  expect(receiver.seen.length).toBeLessThanOrEqual(4);
  patient.stop();
  await patient.idle();
  receiver.answer = () => 200;
  await deliverAll(deliverer);
  expect(receiver.taken).toHaveLength(12);
});

it('tries ten times over about a day, then pauses and mails, keeps all, and goes on when resumed', async () => {
  receiver.answer = () => ({ status: 500, body: 'Out of \u0000order' });
  const ids = await cars(1);
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    expect((await webhook()).state).toBe('active');
    // Only what is due is tried.
    await deliverAll(deliverer);
    expect(receiver.seen).toHaveLength(tries);
    await letTimePass(api);
    await api.db.pool.query(`update webhooks set failing_since = failing_since - interval '3 hours'`);
  }
  expect(await webhook()).toMatchObject({ state: 'paused', pausedBecause: 'failures', waiting: 1 });
  const mails = await api.db.pool.query('select kind, to_address as to, data from mails');
  expect(mails.rows).toEqual([
    {
      kind: 'webhook_paused',
      to: expect.stringContaining('@example.test'),
      data: { webhookId: Number(made.id), host: expect.stringContaining('127.0.0.1'), because: 'failures' },
    },
  ]);
  const [delivery] = (await webhook()).deliveries.nodes;
  expect(delivery.attempts).toHaveLength(MAX_TRIES);
  expect(delivery.attempts[0]).toMatchObject({
    statusCode: 500,
    error: 'It answered 500.',
    answer: 'Out of \uFFFDorder',
  });
  receiver.answer = () => 200;
  ids.push(...(await cars(2)));
  await deliverAll(deliverer);
  expect(receiver.taken).toEqual([]);
  expect((await act('resumeWebhook(id: $id) { state pausedBecause waiting }')).resumeWebhook).toEqual({
    state: 'active',
    pausedBecause: null,
    waiting: 3,
  });
  await deliverAll(deliverer);
  expect(told(receiver)).toEqual(ids);
});

it('is not paused for one event that is never taken while others are', async () => {
  const [bad] = await cars(1);
  receiver.answer = ({ data }) => (data.listing.id === bad ? 400 : 200);
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    await deliverAll(deliverer);
    await cars(1);
    await deliverAll(deliverer);
    await letTimePass(api);
  }
  expect(await webhook()).toMatchObject({ state: 'active', waiting: 0 });
  expect((await statuses()).filter((status) => status !== 'delivered')).toEqual(['failed']);
});

it('stops at 410, and waits as long as Retry-After asks', async () => {
  receiver.answer = () => ({ status: 429, headers: { 'retry-after': '1800' } });
  await cars(1);
  await deliverAll(deliverer);
  const { rows } = await api.db.pool.query<{ minutes: number }>(
    'select extract(epoch from rest_until - now())::float8 / 60 as minutes from webhooks',
  );
  expect(rows[0]?.minutes).toBeGreaterThan(29);
  await api.db.pool.query('update webhook_deliveries set next_try_at = now()');
  await deliverAll(deliverer);
  expect(receiver.seen).toHaveLength(1);
  await letTimePass(api);
  receiver.answer = () => 410;
  await deliverAll(deliverer);
  expect(await webhook()).toMatchObject({ state: 'paused', pausedBecause: 'gone', waiting: 0 });
  expect((await api.db.pool.query('select from mails')).rowCount).toBe(1);
});

it('follows no redirect', async () => {
  const elsewhere = await makeWebhook(dealer, ['alert.expiring']);
  receiver.answer = () => ({ status: 302, headers: { location: elsewhere.receiver.url } });
  await cars(1);
  await deliverAll(deliverer);
  expect(elsewhere.receiver.seen).toEqual([]);
  expect((await webhook()).lastTry.error).toBe('It answered 302; redirects are not followed.');
});

it('takes a message for delivered by its status, however slow or long the rest of the answer is', async () => {
  receiver.answer = () => ({ status: 201, body: 'x'.repeat(5_000_000) });
  await cars(1);
  await deliverAll(deliverer);
  const [delivery] = (await webhook()).deliveries.nodes;
  expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ statusCode: 201, answer: 'x'.repeat(1_000) }] });
});

it('keeps the events of who left Elite, and of a paused webhook, for seven days', async () => {
  await api.db.pool.query('update users set plan_id = 3 where id = $1', [dealer.id]);
  const kept = await cars(2);
  await deliverAll(deliverer);
  expect(receiver.seen).toEqual([]);
  await api.db.pool.query('update users set plan_id = 4 where id = $1', [dealer.id]);
  await act('pauseWebhook(id: $id) { id }');
  kept.push(...(await cars(1)));
  await deliverAll(deliverer);
  expect(receiver.seen).toEqual([]);
  await api.db.pool.query(`update webhook_deliveries set waiting_since = now() - interval '167 hours'`);
  await forgetMessages(api.db.pool);
  await act('resumeWebhook(id: $id) { id }');
  await deliverAll(deliverer);
  expect(told(receiver)).toEqual(kept);

  await act('pauseWebhook(id: $id) { id }');
  await cars(1);
  await api.db.pool.query(`update webhook_deliveries set waiting_since = now() - interval '169 hours'`);
  await forgetMessages(api.db.pool);
  await act('resumeWebhook(id: $id) { id }');
  await deliverAll(deliverer);
  expect(receiver.seen).toHaveLength(3);
  expect((await statuses()).at(-1)).toBe('expired');
  await api.db.pool.query(`update webhook_events set created_at = now() - interval '31 days' where user_id = $1`, [
    dealer.id,
  ]);
  await forgetMessages(api.db.pool);
  expect(await statuses()).toEqual([]);
});

it('replays under the same id: one message, from a cursor, from a time', async () => {
  await cars(4);
  await deliverAll(deliverer);
  const before = receiver.taken.toSorted((a, b) => a.cursor - b.cursor);
  const nodes = (await webhook()).deliveries.nodes;
  await act('replayDelivery(id: $id) { status }', nodes[0].id);
  await deliverAll(deliverer);
  expect(receiver.taken.at(-1)).toMatchObject({ id: before[3]?.id, body: before[3]?.body });

  const replay = async (from: Record<string, unknown>) => {
    receiver.taken = [];
    const { data, errors } = await dealer.browser.gql(
      `mutation ($id: ID!, $cursor: ID, $since: DateTime) { replayEvents(webhookId: $id, afterCursor: $cursor, since: $since) { count } }`,
      { id: made.id, ...from },
    );
    await deliverAll(deliverer);
    return errors[0]
      ? errors[0].extensions.code
      : [data.replayEvents.count, receiver.taken.map(({ id }) => id).toSorted()];
  };
  const idsFrom = (at: number) =>
    before
      .slice(at)
      .map(({ id }) => id)
      .toSorted();
  expect(await replay({ cursor: String(before[1]?.cursor) })).toEqual([2, idsFrom(2)]);
  expect(await replay({ since: JSON.parse(before[0]?.body ?? '').timestamp })).toEqual([4, idsFrom(0)]);
  expect(await replay({})).toBe('VALIDATION');
  expect(await replay({ cursor: 'x' })).toBe('VALIDATION');
});

it('signs with both secrets for a day after a rotation, and with the new one alone then', async () => {
  const old = receiver.secret;
  const { secret } = (await act('rotateWebhookSecret(id: $id) { secret webhook { previousSecretUntil } }'))
    .rotateWebhookSecret;
  expect(secret).not.toBe(old);
  for (const known of [old, secret]) {
    receiver.secret = known;
    await cars(1);
    await deliverAll(deliverer);
    expect(receiver.forged).toEqual([]);
  }
  expect(receiver.taken.at(-1)?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
  await api.db.pool.query('update webhooks set previous_until = now()');
  receiver.secret = old;
  await cars(1);
  await deliverAll(deliverer);
  expect(receiver.forged).toHaveLength(1);
});

it('sends a test to a paused webhook alone', async () => {
  const other = await makeWebhook(dealer);
  await act('pauseWebhook(id: $id) { id }');
  await cars(1);
  expect((await act('sendTestEvent(webhookId: $id) { type status }')).sendTestEvent).toEqual({
    type: 'webhook.test',
    status: 'waiting',
  });
  await deliverAll(deliverer);
  expect(receiver.taken.map(({ type }) => type)).toEqual(['webhook.test']);
  expect(other.receiver.taken.map(({ type }) => type)).toEqual(['match.created']);
  receiver.answer = () => 500;
  await act('sendTestEvent(webhookId: $id) { id }');
  for (let round = 0; round < 2; round += 1) {
    await deliverAll(deliverer);
    await letTimePass(api);
  }
  expect(receiver.seen).toHaveLength(2);
  expect(await webhook()).toMatchObject({ failingSince: null, deliveries: { nodes: [{ status: 'failed' }, {}, {}] } });
});

it('says so when a secret can not be read any more', async () => {
  await api.db.pool.query(`update webhooks set secret_box = 'v1.' || repeat('A', 120)`);
  await cars(1);
  await deliverAll(deliverer);
  expect((await webhook()).lastTry.error).toContain('rotate');
  expect(receiver.seen).toEqual([]);
});

it('forgets a message whose webhook is deleted while it is on its way', async () => {
  receiver.answer = async () => {
    await act('deleteWebhook(id: $id)');
    return 200;
  };
  const faults: unknown[] = [];
  const log = {
    info() {},
    warn: (_: string, fields: unknown) => faults.push(fields),
    error: (_: string, fields: unknown) => faults.push(fields),
  };
  await cars(1);
  await deliverAll(makeTestDeliverer(api, { log }));
  expect([receiver.taken.length, await statuses(), faults]).toEqual([1, [], []]);
});
