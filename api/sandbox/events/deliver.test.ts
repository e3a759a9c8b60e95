import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { folderOfTest, serverOfTest } from '../../test/set-up.ts';
import { type SandboxRig, startSandbox } from '../../test/stripe/sandbox-rig.ts';

interface Received {
  signature: string;
  payload: string;
}

let journal: string;
let webhookUrl: string;
let statuses: number[];
let received: Received[];
let sandbox: SandboxRig | undefined;

beforeEach(async () => {
  journal = join(folderOfTest(), 'sandbox.ndjson');
  statuses = [];
  received = [];
  webhookUrl = await serverOfTest(async (request, response) => {
    received.push({ signature: String(request.headers['stripe-signature']), payload: await text(request) });
    response.writeHead(statuses.shift() ?? 200).end('{}');
  });
});
afterEach(async () => {
  await sandbox?.close();
  sandbox = undefined;
});

const clientOf = ({ url, secretKey }: SandboxRig): Stripe => {
  const { hostname, port } = new URL(url);
  return new Stripe(secretKey, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 });
};

const pending = async (rig: SandboxRig): Promise<number[]> =>
  (await clientOf(rig).events.list({ limit: 100 })).data.map((event) => event.pending_webhooks);

it('sends each event once, with a signature that the official client accepts', async () => {
  sandbox = await startSandbox({ journal, webhookUrl });
  const stripe = clientOf(sandbox);
  const customer = await stripe.customers.create({ email: 'ada@example.com' });
  await stripe.customers.del(customer.id);
  await expect.poll(() => received.length).toBe(2);
  const { webhookSecret } = sandbox;
  const events = received.map(({ payload, signature }) =>
    stripe.webhooks.constructEvent(payload, signature, webhookSecret),
  );
  expect(events.map(({ type }) => type)).toEqual(['customer.created', 'customer.deleted']);
  expect(events[0]?.data.object).toMatchObject({ id: customer.id, email: 'ada@example.com' });
  const [first] = received;
  expect(() => stripe.webhooks.constructEvent(`${first?.payload} `, first?.signature ?? '', webhookSecret)).toThrow(
    /signature/i,
  );
  const rig = sandbox;
  await expect.poll(() => pending(rig)).toEqual([0, 0]);
});

it('retries an event with delays until it is accepted', async () => {
  statuses = [500, 404];
  sandbox = await startSandbox({ journal, webhookUrl });
  await clientOf(sandbox).customers.create({});
  await expect.poll(() => received.length, { timeout: 8000 }).toBe(3);
  expect(new Set(received.map(({ payload }) => (JSON.parse(payload) as Stripe.Event).id)).size).toBe(1);
  const rig = sandbox;
  await expect.poll(() => pending(rig)).toEqual([0]);
});

it('sends an event after a restart that was not accepted before', async () => {
  statuses = Array.from({ length: 5 }, () => 503);
  sandbox = await startSandbox({ journal, webhookUrl });
  await clientOf(sandbox).customers.create({ email: 'late@example.com' });
  await expect.poll(() => received.length).toBeGreaterThan(0);
  await sandbox.close();
  statuses = [];
  received = [];
  sandbox = await startSandbox({ journal, webhookUrl });
  await expect.poll(() => received.length).toBe(1);
  expect(received[0]?.payload).toContain('late@example.com');
});
