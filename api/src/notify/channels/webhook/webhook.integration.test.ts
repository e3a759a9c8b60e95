import { expect, it } from 'vitest';
import { untilDone } from '../../../../test/until-done.ts';
import {
  deliverAll,
  makeRetriesDue,
  makeTestEngine,
  makeWebhook,
  receivedListings,
  setUpWebhookScene,
} from '../../../../test/webhooks/dealer.ts';
import { makeEncryption } from '../../../base/encryption.ts';
import { expireWaitingMessages, purgeMessages } from '../../../webhooks/events/stored-events.ts';
import { deferred } from '../../complete.ts';
import { claimMessages } from './claim-messages.ts';
import { completeMessage } from './complete-messages.ts';

const scene = setUpWebhookScene();

it('loses no message while the receiver is slow, then down, then available again', async () => {
  const { api, receiver, engine, cars, webhook } = scene;
  const ids = [...(await cars(5))];
  receiver.answer = () => new Promise((resolve) => setTimeout(() => resolve(200), 40));
  await deliverAll(engine);
  expect(receiver.maxConcurrent).toBeLessThanOrEqual(4);
  let down = 0;
  receiver.answer = () => (down++ % 2 === 0 ? 503 : 'cut');
  ids.push(...(await cars(5)));
  for (let round = 0; round < 4; round += 1) {
    await makeRetriesDue(api);
    await deliverAll(engine);
  }
  expect(receivedListings(receiver)).toHaveLength(5);
  expect((await webhook()).failingSince).not.toBeNull();
  receiver.answer = () => 200;
  ids.push(...(await cars(5)));
  await makeRetriesDue(api);
  await deliverAll(engine);
  expect(receiver.forged).toEqual([]);
  expect(receivedListings(receiver)).toEqual(ids);
  expect(new Set(receiver.accepted.map(({ id }) => id)).size).toBe(15);
  const idsByCursor = Map.groupBy(receiver.seen, ({ cursor }) => cursor);
  for (const list of idsByCursor.values()) {
    expect(new Set(list.map(({ id }) => id)).size).toBe(1);
    expect(new Set(list.map(({ body }) => body)).size).toBe(1);
  }
  expect(await webhook()).toMatchObject({ failingSince: null, waiting: 0, lastTry: { taken: true, statusCode: 200 } });
});

it('delivers in the same run through a server that was started again meanwhile', async () => {
  const { api, receiver, engine, cars } = scene;
  await deliverAll(engine);
  const ids = await cars(2);
  // As after a start of the server, since when nobody has found out which one it is.
  await api.db.pool.query('delete from running_server');
  await deliverAll(engine);
  expect(receivedListings(receiver)).toEqual(ids);
});

it('delivers to other webhooks while one receiver does not respond', async () => {
  const { api, dealer, receiver, engine, cars } = scene;
  const other = await makeWebhook(dealer);
  receiver.answer = () => 'hang';
  await cars(12);
  const patient = makeTestEngine(api);
  await patient.run();
  await expect.poll(() => other.receiver.accepted.length).toBe(12);
  expect(receiver.seen.length).toBeLessThanOrEqual(4);
  patient.stop();
  await patient.idle();
  receiver.answer = () => 200;
  await deliverAll(engine);
  expect(receiver.accepted).toHaveLength(12);
});

it('follows no redirect', async () => {
  const { dealer, receiver, engine, cars, webhook } = scene;
  const elsewhere = await makeWebhook(dealer, ['alert.expiring']);
  receiver.answer = () => ({ status: 302, headers: { location: elsewhere.receiver.url } });
  await cars(1);
  await deliverAll(engine);
  expect(elsewhere.receiver.seen).toEqual([]);
  expect((await webhook()).lastTry.error).toBe('It answered 302; redirects are not followed.');
});

it('counts a message as delivered by its status, however slow or long the body of the response is', async () => {
  const { receiver, engine, cars, webhook } = scene;
  receiver.answer = () => ({ status: 201, body: 'x'.repeat(5_000_000) });
  await cars(1);
  await deliverAll(engine);
  const [delivery] = (await webhook()).deliveries.nodes;
  expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ statusCode: 201, answer: 'x'.repeat(1_000) }] });
});

it('keeps the events of a buyer who left Elite, and of a paused webhook, for seven days', async () => {
  const { api, dealer, receiver, engine, cars, statuses, act } = scene;
  await api.db.pool.query('update users set plan_id = 3 where id = $1', [dealer.id]);
  const kept = await cars(2);
  await deliverAll(engine);
  expect(receiver.seen).toEqual([]);
  await api.db.pool.query('update users set plan_id = 4 where id = $1', [dealer.id]);
  await act('pauseWebhook(id: $id) { id }');
  kept.push(...(await cars(1)));
  await deliverAll(engine);
  expect(receiver.seen).toEqual([]);
  await api.db.pool.query(`update webhook_deliveries set waiting_since = now() - interval '167 hours'`);
  await untilDone(api.db.pool, [expireWaitingMessages, purgeMessages]);
  await act('resumeWebhook(id: $id) { id }');
  await deliverAll(engine);
  expect(receivedListings(receiver)).toEqual(kept);

  await act('pauseWebhook(id: $id) { id }');
  await cars(1);
  await api.db.pool.query(`update webhook_deliveries set waiting_since = now() - interval '169 hours'`);
  await untilDone(api.db.pool, [expireWaitingMessages, purgeMessages]);
  await act('resumeWebhook(id: $id) { id }');
  await deliverAll(engine);
  expect(receiver.seen).toHaveLength(3);
  expect((await statuses()).at(-1)).toBe('expired');
  await api.db.pool.query(`update webhook_events set created_at = now() - interval '31 days' where user_id = $1`, [
    dealer.id,
  ]);
  await untilDone(api.db.pool, [expireWaitingMessages, purgeMessages]);
  expect(await statuses()).toEqual([]);
});

it('drops a message whose webhook is deleted during its delivery', async () => {
  const { api, receiver, cars, statuses, act } = scene;
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
  await deliverAll(makeTestEngine(api, { log }));
  expect([receiver.accepted.length, await statuses(), faults]).toEqual([1, [], []]);
});

it('a process that was stopped for half a lease releases its claims', async () => {
  const { api, receiver, engine, cars } = scene;
  await cars(1);
  const late = makeTestEngine(api, { leaseMs: 0 });
  await late.run();
  late.stop();
  await late.idle();
  expect(receiver.seen).toEqual([]);
  await deliverAll(engine);
  expect(receiver.seen).toHaveLength(1);
});

it('the result of an attempt whose claim was lost does not count against the webhook', async () => {
  const { api, cars, webhook, statuses } = scene;
  const { pool } = api.db;
  await cars(1);
  const [first] = await claimMessages(pool, 10);
  await makeRetriesDue(api);
  const [second] = await claimMessages(pool, 10);
  if (!first || !second) throw new Error('not claimed');
  expect(second.tries).toBe(2);
  const receipt = { statusCode: null, ms: 1, answer: null, retryAfterSeconds: null };
  const failed = { status: 'waiting', error: 'slow', delayMs: 5_000, isTried: true, receipt } as const;
  const accepted = { ...failed, status: 'sent', error: null, receipt: { ...receipt, statusCode: 200 } } as const;
  await completeMessage(pool, { claim: first, ...failed }, false);
  expect(await webhook()).toMatchObject({ failingSince: null });
  expect(await statuses()).toEqual(['sending']);
  await completeMessage(pool, { claim: first, ...accepted }, false);
  await completeMessage(pool, { claim: second, ...failed }, false);
  expect(await statuses()).toEqual(['delivered']);
  expect(await webhook()).toMatchObject({ failingSince: null });
});

it('the next claim stands when the result of the one before is recorded again, as its first answer was lost', async () => {
  const { api, cars, statuses, webhook, act } = scene;
  const { pool } = api.db;
  const claim = async () => {
    const [claimed, ...others] = await claimMessages(pool, 10);
    if (!claimed) throw new Error('not claimed');
    expect(others).toEqual([]);
    return claimed;
  };
  await cars(1);
  const receipt = { statusCode: 500, ms: 1, answer: null, retryAfterSeconds: null };
  const untried = deferred(await claim(), 0);
  await completeMessage(pool, untried, false);
  const first = await claim();
  expect(first.tries).toBe(1);
  await completeMessage(pool, untried, false);
  expect(await claimMessages(pool, 10)).toEqual([]);
  // Its tries begin again where its owner sends it again.
  const failed = { status: 'waiting', error: 'It answered 500.', delayMs: 5_000, isTried: true, receipt } as const;
  await completeMessage(pool, { claim: first, ...failed }, false);
  await act('replayDelivery(id: $id) { status }', (await webhook()).deliveries.nodes[0].id);
  const second = await claim();
  expect(second.tries).toBe(1);
  await completeMessage(pool, { claim: first, ...failed }, false);
  await completeMessage(pool, { claim: first, ...failed, receipt: null }, false);
  expect(await statuses()).toEqual(['sending']);
  await completeMessage(pool, { claim: second, ...failed, status: 'sent', error: null }, false);
  expect(await statuses()).toEqual(['delivered']);
});

it('replays one message, or all from a cursor or time, under the same ids', async () => {
  const { dealer, made, receiver, engine, cars, webhook, act } = scene;
  await cars(4);
  await deliverAll(engine);
  const before = receiver.accepted.toSorted((a, b) => a.cursor - b.cursor);
  const nodes = (await webhook()).deliveries.nodes;
  await act('replayDelivery(id: $id) { status }', nodes[0].id);
  await deliverAll(engine);
  expect(receiver.accepted.at(-1)).toMatchObject({ id: before[3]?.id, body: before[3]?.body });

  const replay = async (from: Record<string, unknown>) => {
    receiver.accepted = [];
    const { data, errors } = await dealer.browser.gql(
      `mutation ($id: ID!, $cursor: ID, $since: DateTime) { replayEvents(webhookId: $id, afterCursor: $cursor, since: $since) { count } }`,
      { id: made.id, ...from },
    );
    await deliverAll(engine);
    return errors[0]
      ? errors[0].extensions.code
      : [data.replayEvents.count, receiver.accepted.map(({ id }) => id).toSorted()];
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

it('sends only the test message to a paused webhook', async () => {
  const { api, dealer, receiver, engine, cars, webhook, act } = scene;
  const other = await makeWebhook(dealer);
  await act('pauseWebhook(id: $id) { id }');
  await cars(1);
  expect((await act('sendTestEvent(webhookId: $id) { type status }')).sendTestEvent).toEqual({
    type: 'webhook.test',
    status: 'waiting',
  });
  await deliverAll(engine);
  expect(receiver.accepted.map(({ type }) => type)).toEqual(['webhook.test']);
  expect(other.receiver.accepted.map(({ type }) => type)).toEqual(['match.created']);
  receiver.answer = () => 500;
  await act('sendTestEvent(webhookId: $id) { id }');
  for (let round = 0; round < 2; round += 1) {
    await deliverAll(engine);
    await makeRetriesDue(api);
  }
  expect(receiver.seen).toHaveLength(2);
  expect(await webhook()).toMatchObject({ failingSince: null, deliveries: { nodes: [{ status: 'failed' }, {}, {}] } });
});

it('signs with both secrets for a day after a rotation, and then only with the new one', async () => {
  const { api, receiver, engine, cars, act } = scene;
  const old = receiver.secret;
  const { secret } = (await act('rotateWebhookSecret(id: $id) { secret webhook { previousSecretUntil } }'))
    .rotateWebhookSecret;
  expect(secret).not.toBe(old);
  for (const known of [old, secret]) {
    receiver.secret = known;
    await cars(1);
    await deliverAll(engine);
    expect(receiver.forged).toEqual([]);
  }
  expect(receiver.accepted.at(-1)?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
  await api.db.pool.query('update webhooks set previous_until = now()');
  receiver.secret = old;
  await cars(1);
  await deliverAll(engine);
  expect(receiver.forged).toHaveLength(1);
});

it('reports a secret that can not be decrypted, delays no other webhook, and continues when it is rotated', async () => {
  const { api, dealer, made, receiver, engine, cars, webhook, act } = scene;
  const other = await makeWebhook(dealer);
  // As after a change of SESSION_SECRET.
  const ciphertext = makeEncryption('what the secret was before: 32 characters', 'webhook secrets').encrypt(
    receiver.secret,
  );
  await api.db.pool.query('update webhooks set secret_ciphertext = $1 where id = $2', [ciphertext, made.id]);
  const ids = await cars(2);
  await deliverAll(engine);
  expect([receivedListings(other.receiver), receiver.seen]).toEqual([ids, []]);
  const { lastTry, deliveries } = await webhook();
  for (const { error } of [lastTry, ...deliveries.nodes.map(({ attempts }: { attempts: unknown[] }) => attempts[0])])
    expect(error).toContain('Please rotate it');

  receiver.secret = (await act('rotateWebhookSecret(id: $id) { secret }')).rotateWebhookSecret.secret;
  await deliverAll(engine);
  expect([receivedListings(receiver), receiver.forged]).toEqual([ids, []]);
  expect(receiver.accepted.at(-1)?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
  expect(await webhook()).toMatchObject({ previousSecretUntil: null, failingSince: null, lastTry: { taken: true } });
});
