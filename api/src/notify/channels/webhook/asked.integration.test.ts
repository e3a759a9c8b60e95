import { expect, it } from 'vitest';
import { deliverAll, letTimePass, makeWebhook } from '../../../../test/webhooks/dealer.ts';
import { setWebhookScene } from '../../../../test/webhooks/scene.ts';

const scene = setWebhookScene();

it('replays under the same id: one message, from a cursor, from a time', async () => {
  const { dealer, made, receiver, engine, cars, webhook, act } = scene;
  await cars(4);
  await deliverAll(engine);
  const before = receiver.taken.toSorted((a, b) => a.cursor - b.cursor);
  const nodes = (await webhook()).deliveries.nodes;
  await act('replayDelivery(id: $id) { status }', nodes[0].id);
  await deliverAll(engine);
  expect(receiver.taken.at(-1)).toMatchObject({ id: before[3]?.id, body: before[3]?.body });

  const replay = async (from: Record<string, unknown>) => {
    receiver.taken = [];
    const { data, errors } = await dealer.browser.gql(
      `mutation ($id: ID!, $cursor: ID, $since: DateTime) { replayEvents(webhookId: $id, afterCursor: $cursor, since: $since) { count } }`,
      { id: made.id, ...from },
    );
    await deliverAll(engine);
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

it('sends a test to a paused webhook alone', async () => {
  const { api, dealer, receiver, engine, cars, webhook, act } = scene;
  const other = await makeWebhook(dealer);
  await act('pauseWebhook(id: $id) { id }');
  await cars(1);
  expect((await act('sendTestEvent(webhookId: $id) { type status }')).sendTestEvent).toEqual({
    type: 'webhook.test',
    status: 'waiting',
  });
  await deliverAll(engine);
  expect(receiver.taken.map(({ type }) => type)).toEqual(['webhook.test']);
  expect(other.receiver.taken.map(({ type }) => type)).toEqual(['match.created']);
  receiver.answer = () => 500;
  await act('sendTestEvent(webhookId: $id) { id }');
  for (let round = 0; round < 2; round += 1) {
    await deliverAll(engine);
    await letTimePass(api);
  }
  expect(receiver.seen).toHaveLength(2);
  expect(await webhook()).toMatchObject({ failingSince: null, deliveries: { nodes: [{ status: 'failed' }, {}, {}] } });
});
