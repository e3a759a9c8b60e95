/** @module-tag plain */
// It explains statements, which on a cluster are texts within calls where they run on shards.
import { beforeAll, expect, it } from 'vitest';
import { seedPlans } from '../../src/billing/plans.ts';
import { listWebhooks } from '../../src/webhooks/manage/own-webhook.ts';
import { readDeliveries } from '../../src/webhooks/manage/read-deliveries.ts';
import { setUpDatabase } from '../database.ts';
import { rowsRead } from './rows-read.ts';

const db = setUpDatabase();

const DEALERS = 100;
/** Of each dealer's webhook: more than webhooks, all of which a statement may read. */
const DELIVERIES = 300;
const PAGE = 25;

let dealer = 0;
let webhookId = 0;

beforeAll(async () => {
  const { pool } = db;
  await seedPlans(pool);
  await pool.query(
    `insert into users (username, password_hash, plan_id) select 'dealer-' || n, 'x', 4 from generate_series(1, $1::int4) n`,
    [DEALERS],
  );
  await pool.query(
    `insert into webhooks (user_id, url, events, secret_ciphertext) select id, 'https://example.com', '{match.created}', 'x' from users`,
  );
  await pool.query(
    `insert into webhook_events (user_id, type, subject, data)
     select u.id, 'match.created', n, '{}' from users u, generate_series(1, $1::int4) n order by n, u.id`,
    [DELIVERIES],
  );
  await pool.query(
    `insert into webhook_deliveries (user_id, webhook_id, event_id, status, tries)
     select w.user_id, w.id, e.id, 'delivered', 1 from webhook_events e join webhooks w using (user_id) order by e.id`,
  );
  await pool.query('analyze');
  ({ id: webhookId, dealer } = await db.row(
    'select id, user_id as dealer from webhooks order by id limit 1 offset 50',
  ));
});

it('a page of deliveries, and the last try of a webhook, are read without the older ones', async () => {
  // As in a system whose older rows were vacuumed: not while another connection may still have to see less.
  const isVisible = "select relallvisible > 0 as visible from pg_class where relname = 'webhook_deliveries'";
  const vacuumed = async () => {
    await db.pool.query('vacuum webhook_deliveries');
    return db.row(isVisible);
  };
  await expect.poll(vacuumed).toEqual({ visible: true });
  const read = await rowsRead(db, /webhook_deliveries/, async (pool) => {
    const page = await readDeliveries(pool, { id: webhookId, userId: dealer }, { first: PAGE });
    expect(page.nodes).toHaveLength(PAGE);
    expect(await listWebhooks(pool, { id: dealer })).toHaveLength(1);
  });
  expect(read.length).toBeGreaterThan(0);
  expect(read.filter(({ rows }) => rows > DEALERS)).toEqual([]);
});
