import { expect, it } from 'vitest';
import { untilDone } from '../../../test/until-done.ts';
import { deliverAll, letTimePass, makeTestDeliverer, makeWebhook } from '../../../test/webhooks/dealer.ts';
import { setWebhookScene, told } from '../../../test/webhooks/scene.ts';
import { claimMessages } from './claim-messages.ts';
import { expireWaitingMessages, purgeMessages } from './purge-messages.ts';
import { settleMessage } from './settle-message.ts';

const scene = setWebhookScene();

it('loses nothing while the receiver is slow, then down, then back', async () => {
  const { api, receiver, deliverer, cars, webhook } = scene;
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

it('does not let a webhook that hangs hold up another', async () => {
  const { api, dealer, receiver, deliverer, cars } = scene;
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

it('follows no redirect', async () => {
  const { dealer, receiver, deliverer, cars, webhook } = scene;
  const elsewhere = await makeWebhook(dealer, ['alert.expiring']);
  receiver.answer = () => ({ status: 302, headers: { location: elsewhere.receiver.url } });
  await cars(1);
  await deliverAll(deliverer);
  expect(elsewhere.receiver.seen).toEqual([]);
  expect((await webhook()).lastTry.error).toBe('It answered 302; redirects are not followed.');
});

it('takes a message for delivered by its status, however slow or long the rest of the answer is', async () => {
  const { receiver, deliverer, cars, webhook } = scene;
  receiver.answer = () => ({ status: 201, body: 'x'.repeat(5_000_000) });
  await cars(1);
  await deliverAll(deliverer);
  const [delivery] = (await webhook()).deliveries.nodes;
  expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ statusCode: 201, answer: 'x'.repeat(1_000) }] });
});

it('keeps the events of who left Elite, and of a paused webhook, for seven days', async () => {
  const { api, dealer, receiver, deliverer, cars, statuses, act } = scene;
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
  await untilDone(api.db.pool, [expireWaitingMessages, purgeMessages]);
  await act('resumeWebhook(id: $id) { id }');
  await deliverAll(deliverer);
  expect(told(receiver)).toEqual(kept);

  await act('pauseWebhook(id: $id) { id }');
  await cars(1);
  await api.db.pool.query(`update webhook_deliveries set waiting_since = now() - interval '169 hours'`);
  await untilDone(api.db.pool, [expireWaitingMessages, purgeMessages]);
  await act('resumeWebhook(id: $id) { id }');
  await deliverAll(deliverer);
  expect(receiver.seen).toHaveLength(3);
  expect((await statuses()).at(-1)).toBe('expired');
  await api.db.pool.query(`update webhook_events set created_at = now() - interval '31 days' where user_id = $1`, [
    dealer.id,
  ]);
  await untilDone(api.db.pool, [expireWaitingMessages, purgeMessages]);
  expect(await statuses()).toEqual([]);
});

it('forgets a message whose webhook is deleted while it is on its way', async () => {
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
  await deliverAll(makeTestDeliverer(api, { log }));
  expect([receiver.taken.length, await statuses(), faults]).toEqual([1, [], []]);
});

it('a worker that comes to a message too late leaves it to another', async () => {
  const { api, receiver, deliverer, cars } = scene;
  await cars(1);
  const late = makeTestDeliverer(api, { sendWithinMs: 0 });
  await late.run();
  late.stop();
  await late.idle();
  expect(receiver.seen).toEqual([]);
  await deliverAll(deliverer);
  expect(receiver.seen).toHaveLength(1);
});

it('what comes of a try that was left behind does not count against the webhook', async () => {
  const { api, cars, webhook, statuses } = scene;
  const { pool } = api.db;
  await cars(1);
  const [first] = await claimMessages(pool, 10);
  await letTimePass(api);
  const [second] = await claimMessages(pool, 10);
  if (!first || !second) throw new Error('not claimed');
  expect(second.tries).toBe(2);
  const failed = { taken: false, statusCode: null, ms: 1, error: 'slow', answer: null, retryAfterSeconds: null };
  const options = { confirmEmail: false, random: () => 0.5 };
  await settleMessage(pool, first, failed, options);
  expect(await webhook()).toMatchObject({ failingSince: null });
  expect(await statuses()).toEqual(['sending']);
  await settleMessage(pool, first, { ...failed, taken: true, statusCode: 200, error: null }, options);
  await settleMessage(pool, second, failed, options);
  expect(await statuses()).toEqual(['delivered']);
  expect(await webhook()).toMatchObject({ failingSince: null });
});
