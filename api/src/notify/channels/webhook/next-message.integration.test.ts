import { expect, it } from 'vitest';
import { makeDealer, makeWebhook, setUpWebhookScene } from '../../../../test/webhooks/dealer.ts';
import { nextDueInMs } from './claim-messages.ts';

const scene = setUpWebhookScene();

it('knows when the next message of any dealer is due', async () => {
  const { api, cars, dealer } = scene;
  const dealers = [dealer];
  for (let others = 0; others < 5; others += 1) {
    const other = await makeDealer(api);
    await makeWebhook(other);
    dealers.push(other);
  }
  await cars(1);
  for (const { id } of dealers) {
    await api.db.pool.query(
      "update webhook_deliveries set next_try_at = now() + case when user_id = $1 then interval '4 seconds' else interval '1 hour' end",
      [id],
    );
    const ms = await nextDueInMs(api.db.pool);
    expect([id, ms !== null && ms > 0 && ms <= 4_000]).toEqual([id, true]);
  }
});
