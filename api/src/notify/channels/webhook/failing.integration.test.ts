import { expect, it } from 'vitest';
import { changeEverywhere } from '../../../../test/everywhere.ts';
import { deliverAll, makeRetriesDue, receivedListings, setUpWebhookScene } from '../../../../test/webhooks/dealer.ts';
import { MAX_TRIES } from '../../../domain/webhooks/retry-plan.ts';

const scene = setUpWebhookScene();

it('delivers all failed messages at once as soon as one is accepted', async () => {
  const { api, receiver, engine, cars } = scene;
  receiver.answer = () => 500;
  await cars(3);
  await deliverAll(engine);
  await makeRetriesDue(api);
  receiver.answer = () => 200;
  await api.db.pool.query(`update webhook_deliveries set next_try_at = now() + interval '5 hours' where event_id <> (
    select min(event_id) from webhook_deliveries where status = 'waiting')`);
  await deliverAll(engine);
  expect(receiver.accepted).toHaveLength(3);
});

it('retries ten times over about a day, then pauses, mails the owner, and continues when resumed', async () => {
  const { api, made, receiver, engine, cars, webhook, act } = scene;
  receiver.answer = () => ({ status: 500, body: 'Out of \u0000order' });
  const ids = await cars(1);
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    expect((await webhook()).state).toBe('active');
    // Only what is due is tried.
    await deliverAll(engine);
    expect(receiver.seen).toHaveLength(tries);
    await makeRetriesDue(api);
    await changeEverywhere(api.db, `update webhooks set failing_since = failing_since - interval '3 hours'`);
  }
  expect(await webhook()).toMatchObject({ state: 'paused', pausedBecause: 'failures', waiting: 1 });
  const mails = await api.db.pool.query(
    `select kind, to_address as to, data from mails where kind <> 'webhook_changed'`,
  );
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
  await deliverAll(engine);
  expect(receiver.accepted).toEqual([]);
  expect((await act('resumeWebhook(id: $id) { state pausedBecause waiting }')).resumeWebhook).toEqual({
    state: 'active',
    pausedBecause: null,
    waiting: 3,
  });
  await deliverAll(engine);
  expect(receivedListings(receiver)).toEqual(ids);
});

it('is not paused for one event that is never accepted while others are', async () => {
  const { api, receiver, engine, cars, statuses, webhook } = scene;
  const [bad] = await cars(1);
  receiver.answer = ({ data }) => (data.listing.id === bad ? 400 : 200);
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    await deliverAll(engine);
    await cars(1);
    await deliverAll(engine);
    await makeRetriesDue(api);
  }
  expect(await webhook()).toMatchObject({ state: 'active', waiting: 0 });
  expect((await statuses()).filter((status) => status !== 'delivered')).toEqual(['failed']);
});

it('is paused after a 410, and retried after the time of Retry-After', async () => {
  const { api, receiver, engine, cars, webhook } = scene;
  receiver.answer = () => ({ status: 429, headers: { 'retry-after': '1800' } });
  await cars(1);
  await deliverAll(engine);
  const row = await api.db.row(
    'select extract(epoch from backoff_until - now())::float8 / 60 as minutes from webhooks',
  );
  expect(row?.minutes).toBeGreaterThan(29);
  await api.db.pool.query('update webhook_deliveries set next_try_at = now()');
  await deliverAll(engine);
  expect(receiver.seen).toHaveLength(1);
  await makeRetriesDue(api);
  receiver.answer = () => 410;
  await deliverAll(engine);
  expect(await webhook()).toMatchObject({ state: 'paused', pausedBecause: 'gone', waiting: 0 });
  expect((await api.db.pool.query(`select from mails where kind <> 'webhook_changed'`)).rowCount).toBe(1);
});
