import { expect, it } from 'vitest';
import { deliverAll, makeWebhook } from '../../../../test/webhooks/dealer.ts';
import { setWebhookScene, told } from '../../../../test/webhooks/scene.ts';
import { makeEncryption } from '../../../base/encryption.ts';

const scene = setWebhookScene();

it('signs with both secrets for a day after a rotation, and with the new one alone then', async () => {
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
  expect(receiver.taken.at(-1)?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
  await api.db.pool.query('update webhooks set previous_until = now()');
  receiver.secret = old;
  await cars(1);
  await deliverAll(engine);
  expect(receiver.forged).toHaveLength(1);
});

it('says so when a secret can not be read any more, holds up nobody else, and goes on when it is rotated', async () => {
  const { api, dealer, made, receiver, engine, cars, webhook, act } = scene;
  const other = await makeWebhook(dealer);
  // As after a change of SESSION_SECRET.
  const ciphertext = makeEncryption('what the secret was before: 32 characters', 'webhook secrets').encrypt(
    receiver.secret,
  );
  await api.db.pool.query('update webhooks set secret_ciphertext = $1 where id = $2', [ciphertext, made.id]);
  const ids = await cars(2);
  await deliverAll(engine);
  expect([told(other.receiver), receiver.seen]).toEqual([ids, []]);
  const { lastTry, deliveries } = await webhook();
  for (const { error } of [lastTry, ...deliveries.nodes.map(({ attempts }: { attempts: unknown[] }) => attempts[0])])
    expect(error).toContain('Please rotate it');

  receiver.secret = (await act('rotateWebhookSecret(id: $id) { secret }')).rotateWebhookSecret.secret;
  await deliverAll(engine);
  expect([told(receiver), receiver.forged]).toEqual([ids, []]);
  expect(receiver.taken.at(-1)?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
  expect(await webhook()).toMatchObject({ previousSecretUntil: null, failingSince: null, lastTry: { taken: true } });
});
