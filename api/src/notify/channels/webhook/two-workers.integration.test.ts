import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { storeCars } from '../../../../test/factories.ts';
import { setUpApi } from '../../../../test/make-app.ts';
import {
  type Dealer,
  LOCAL_WEBHOOKS,
  makeDealer,
  makeRetriesDue,
  makeWebhook,
} from '../../../../test/webhooks/dealer.ts';
import type { Received } from '../../../../test/webhooks/receiver.ts';

let dealer: Dealer;
const children: ChildProcess[] = [];
const api = setUpApi({ env: LOCAL_WEBHOOKS }, async () => {
  dealer = await makeDealer(api);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
});

const childFile = fileURLToPath(new URL('../../../../test/webhooks/worker-child.ts', import.meta.url));
async function startWorker(): Promise<ChildProcess> {
  const child = fork(childFile, [api.db.url, api.sessionSecret], { execArgv: ['--import', 'tsx'] });
  children.push(child);
  await once(child, 'message');
  return child;
}
const CARS = 60;
const cars = () =>
  storeCars(
    api.db.pool,
    Array.from({ length: CARS }, () => ({})),
  );

const inOrder = (received: Received[]) =>
  received.toSorted((a, b) => a.cursor - b.cursor).map(({ data }) => data.listing.id);
/** The order in which the matches became visible, as batches of two workers may overtake each other. */
async function asMatched(ids: number[]): Promise<number[]> {
  const rows = await api.db.rows(
    'select listing_id as id from matches where listing_id = any($1) order by position, listing_id',
    [ids],
  );
  return rows.map(({ id }) => id);
}

it('delivers each event once when two workers run', async () => {
  const { receiver } = await makeWebhook(dealer, ['match.created']);
  receiver.answer = () => new Promise((resolve) => setTimeout(() => resolve(200), 20));
  await Promise.all([startWorker(), startWorker()]);
  const ids = await cars();
  await expect.poll(() => receiver.accepted.length, { timeout: 20_000 }).toBe(CARS);
  for (const child of children.splice(0)) child.kill('SIGKILL');
  expect(receiver.forged).toEqual([]);
  expect(receiver.maxConcurrent).toBeLessThanOrEqual(4);
  expect(new Set(receiver.seen.map(({ id }) => id)).size).toBe(CARS);
  expect(receiver.seen).toHaveLength(CARS);
  expect(inOrder(receiver.accepted)).toEqual(await asMatched(ids));
});

it('loses nothing when workers are killed again and again, and repeats only under the same id', {
  tags: 'long',
  timeout: 60_000,
}, async () => {
  const { receiver } = await makeWebhook(dealer, ['match.created']);
  receiver.answer = () => new Promise((resolve) => setTimeout(() => resolve(200), 10));
  const ids = await cars();
  let killed = 0;
  while (receiver.accepted.length < CARS && killed < 30) {
    const child = await startWorker();
    const aim = receiver.accepted.length + 8;
    await expect
      .poll(() => receiver.accepted.length, { interval: 5, timeout: 20_000 })
      .toBeGreaterThanOrEqual(Math.min(aim, CARS));
    child.kill('SIGKILL');
    await once(child, 'exit');
    killed += 1;
    // Its claims expire after 20 seconds.
    await makeRetriesDue(api);
  }
  const last = await startWorker();
  const open = async () =>
    (await api.db.pool.query(`select from webhook_deliveries where status <> 'delivered'`)).rowCount;
  await expect.poll(open, { timeout: 20_000 }).toBe(0);
  last.kill('SIGKILL');
  expect(killed).toBeGreaterThan(3);
  const byId = Map.groupBy(receiver.accepted, ({ id }) => id);
  expect(byId.size).toBe(CARS);
  expect(inOrder([...byId.values()].flatMap(([first]) => first ?? []))).toEqual(await asMatched(ids));
  // At most the deliveries that were under way when a worker was killed are repeated.
  expect(receiver.accepted.length - CARS).toBeLessThanOrEqual(killed * 4);
});
