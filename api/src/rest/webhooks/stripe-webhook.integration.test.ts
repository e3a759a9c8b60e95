import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, it } from 'vitest';
import { makeTestApi, setUpApi } from '../../../test/make-app.ts';
import { makeFakePayments, signedEvent } from '../../../test/payments/fake-payments.ts';

const api = setUpApi({
  payments: makeFakePayments(),
  env: { RATE_LIMITS: 'on', RATE_REQUESTS_PER_USER: '3' },
});
beforeEach(() => api.db.pool.query('delete from billing_events'));

const event = {
  id: 'evt_1',
  object: 'event',
  type: 'customer.subscription.updated',
  data: { object: { id: 'sub_1', object: 'subscription', customer: 'cus_1' } },
};
const now = () => Math.floor(Date.now() / 1000);
const stored = () => api.db.rows('select id, type, object_id, customer_id, settled_at from billing_events');

async function post(body: string | Buffer, headers: Record<string, string>) {
  const answer = await fetch(`${api.url}/api/webhooks/stripe`, { method: 'POST', headers, body: body as BodyInit });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

it('stores each event signed by Stripe once, without a session, an Origin or a rate limit', async () => {
  const { body, headers } = signedEvent(event);
  const foreign = { ...headers, origin: 'https://stripe.example', cookie: 'a=b' };
  for (let times = 0; times < 8; times += 1) {
    expect(await post(body, foreign)).toEqual({ status: 200, body: { received: true, repeated: times > 0 } });
  }
  const row = { id: 'evt_1', type: event.type, object_id: 'sub_1', customer_id: 'cus_1', settled_at: null };
  expect(await stored()).toEqual([row]);
});

it.each([
  ['checkout.session.completed', { id: 'cs_1', customer: 'cus_1' }, 'cs_1', 'cus_1'],
  ['customer.deleted', { id: 'cus_1' }, 'cus_1', 'cus_1'],
  ['charge.refunded', { id: 'ch_1', customer: 'cus_1' }, 'ch_1', 'cus_1'],
  ['refund.updated', { id: 're_1', charge: 'ch_1' }, 'ch_1', null],
  ['charge.refund.updated', { id: 're_1', charge: 'ch_1' }, 'ch_1', null],
  ['charge.dispute.closed', { id: 'du_1', charge: 'ch_1' }, 'ch_1', null],
  ['product.created', { id: 'prod_1' }, 'prod_1', null],
  ['account.updated', null, null, null],
])('stores the object and customer of %s %j', async (type, object, objectId, customerId) => {
  const { body, headers } = signedEvent({ ...event, type, data: { object } });
  expect((await post(body, headers)).status).toBe(200);
  expect(await stored()).toMatchObject([{ type, object_id: objectId, customer_id: customerId }]);
});

it('accepts a signature that is almost five minutes old', async () => {
  const { body, headers } = signedEvent(event, now() - 290);
  expect((await post(body, headers)).status).toBe(200);
});

const good = () => signedEvent(event);
it.each<[string, () => { body: string | Buffer; headers: Record<string, string> }]>([
  ['signed with another secret', () => signedEvent(event, now(), 'whsec_other')],
  ['signed five minutes ago', () => signedEvent(event, now() - 305)],
  ['not signed', () => ({ body: good().body, headers: { 'content-type': 'application/json' } })],
  ['signed with nothing', () => ({ body: good().body, headers: { 'stripe-signature': '' } })],
  ['signed with rubbish', () => ({ body: good().body, headers: { 'stripe-signature': 't=1,v1=00' } })],
  ['serialised again', () => ({ ...good(), body: JSON.stringify(JSON.parse(good().body), null, 2) })],
  ['reordered', () => ({ ...good(), body: JSON.stringify(Object.fromEntries(Object.entries(event).toReversed())) })],
  ['longer by a space', () => ({ ...good(), body: `${good().body} ` })],
  ['another', () => ({ ...good(), body: JSON.stringify({ ...event, id: 'evt_2' }) })],
  ['empty', () => ({ ...good(), body: '' })],
  ['signed, but no JSON', () => signedEvent('x' as unknown as object)],
  [
    'signed under the scheme of tests',
    () => {
      const { body, headers } = good();
      return { body, headers: { 'stripe-signature': headers['stripe-signature'].replace('v1=', 'v0=') } };
    },
  ],
])('refuses what is %s, and writes nothing', async (_what, make) => {
  const { body, headers } = make();
  expect(await post(body, headers)).toMatchObject({ status: 400, body: { code: 'VALIDATION' } });
  expect(await stored()).toEqual([]);
});

it('decompresses no body, and limits the length of the body', async () => {
  const { body, headers } = signedEvent(event);
  const packed = await post(gzipSync(body), { ...headers, 'content-encoding': 'gzip' });
  expect(packed).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
  expect(await post('x'.repeat(1_100_000), headers)).toMatchObject({ status: 413, body: { code: 'TOO_LARGE' } });
  expect(await stored()).toEqual([]);
});

it('accepts POST only', async () => {
  const answer = await fetch(`${api.url}/api/webhooks/stripe`);
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
});

it('answers NOT_CONFIGURED where payments are not set up', async () => {
  const bare = await makeTestApi();
  const { body, headers } = signedEvent(event);
  const answer = await fetch(`${bare.url}/api/webhooks/stripe`, { method: 'POST', headers, body });
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([503, 'NOT_CONFIGURED']);
  await bare.close();
});

it('ignores a request whose sender breaks off', async () => {
  const { headers } = signedEvent(event);
  await new Promise<void>((resolve) => {
    const call = request(`${api.url}/api/webhooks/stripe`, {
      method: 'POST',
      headers: { ...headers, 'content-length': 500 },
    });
    call.once('error', () => resolve());
    call.write('{"id":');
    setTimeout(() => call.destroy(), 30);
  });
  expect(await stored()).toEqual([]);
  const whole = signedEvent(event);
  expect((await post(whole.body, whole.headers)).status).toBe(200);
});
