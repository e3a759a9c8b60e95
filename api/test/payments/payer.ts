import { afterAll, beforeEach } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { type Billing, makeBilling } from '../../src/billing/make-billing.ts';
import { seedPlans } from '../../src/billing/plans.ts';
import { processDuePayments } from '../../src/billing/process-due-payments.ts';
import { storeEvent } from '../../src/billing/store-event.ts';
import type { PaidSubscription } from '../../src/domain/billing/derive-plan.ts';
import { type Browser, makeBrowser } from '../browser.ts';
import { setUpDatabase, type TestDatabase } from '../database.ts';
import { setUpApi, type TestApi } from '../make-app.ts';
import { type FakePayments, inDays, makeFakePayments } from './fake-payments.ts';

/** For tests of payment events: each test has its own customer and no events yet. */
interface Payer {
  db: TestDatabase;
  fake: FakePayments;
  billing: Billing;
  userId: number;
  customerId: string;
}

let counter = 0;
let events = 0;

/** Starts billing without an API before the tests of a file. The result is filled when the tests run. */
export function setUpPayer() {
  const fake = makeFakePayments();
  const untouched = { ...fake };
  const db = setUpDatabase(async () => {
    await seedPlans(db.pool);
    const settings = { stripe: null, publicUrl: 'http://localhost:4000', confirmEmail: false };
    here.billing = makeBilling({ settings, database: db.url, log: silentLog, payments: fake });
  });
  const here = { db, fake, userId: 0, customerId: '' } as Payer;
  afterAll(() => here.billing.close());
  beforeEach(async () => {
    Object.assign(fake, untouched, { writes: [] });
    fake.subscriptions.clear();
    await db.pool.query('delete from mails');
    await db.pool.query('delete from billing_events');
    Object.assign(here, await newCustomer());
  });

  async function newCustomer() {
    counter += 1;
    const row = await db.row(
      `insert into users (username, email, password_hash) values ($1, $1 || '@example.test', 'x') returning id`,
      [`payer-${counter}`],
    );
    const made = { userId: row?.id ?? 0, customerId: `cus_of_${counter}` };
    const sql = 'insert into billing_customers (user_id, customer_id) values ($1, $2)';
    await db.pool.query(sql, [made.userId, made.customerId]);
    return made;
  }

  /** Gives the customer a subscription at the payment service. @returns its id */
  function subscribe(over: Partial<PaidSubscription> = {}, of = here.customerId): string {
    const id = over.id ?? `sub_${of}`;
    const paid = { itemId: 'si', planId: 3, phase: 'active', cancels: false, periodEnd: inDays(30) } as const;
    fake.subscriptions.set(id, { ...paid, unpaidSince: null, isRefunded: false, ...over, id, customerId: of });
    return id;
  }

  const sendEvent = (
    type = 'customer.subscription.updated',
    of: string | null = here.customerId,
    id = `evt_${++events}`,
  ) => storeEvent(db.pool, { id, type, objectId: 'x', customerId: of });

  const processDue = () => processDuePayments(here.billing.parts, db.pool);

  async function stateOf(id = here.userId) {
    return await db.row(
      `select u.plan_id as plan, c.status, c.subscription_id as subscription, c.current_period_end as "periodEnd",
              c.grace_ends_at as "graceEnd" from users u join billing_customers c on c.user_id = u.id where u.id = $1`,
      [id],
    );
  }

  async function mails(): Promise<{ kind: string; data: Record<string, unknown> }[]> {
    const sql = 'select kind, data from mails where user_id = $1 order by created_at, kind';
    return db.rows(sql, [here.userId]);
  }

  return { here, newCustomer, subscribe, sendEvent, processDue, stateOf, mails };
}

/** For tests of buyers and plans: each test has its own buyer. */
interface Buyers {
  api: TestApi;
  fake: FakePayments;
  buyer: Browser;
  buyerId: number;
  /** How many buyers were registered. */
  people: number;
}

/** Starts an API with payments before the tests of a file. The result is filled when the tests run. */
export function setUpBuyers(): Buyers {
  const fake = makeFakePayments();
  const untouched = { ...fake };
  const api = setUpApi({ payments: fake });
  const here = { api, fake, buyerId: 0, people: 0 } as Buyers;
  beforeEach(async () => {
    here.people += 1;
    here.buyer = makeBrowser(api.url);
    here.buyerId = await here.buyer.register(`buyer-${here.people}`);
    Object.assign(fake, untouched, { writes: [], portalVisits: [] });
  });
  return here;
}
