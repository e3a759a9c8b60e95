import type { Pool, Queryable } from '../base/database.ts';
import { withRequestId } from '../base/request-id.ts';
import { namesOnlyCharge, reasonOf } from '../vendors/payments/payments.ts';
import { readCustomer, unlinkCustomer, userOfCustomer } from './customer.ts';
import type { PaidParts } from './make-billing.ts';
import { refreshCheckout } from './payment-pages.ts';
import { syncUser } from './sync-user.ts';
import { type UserLease, UserLeaseLost } from './user-lock.ts';

const CUSTOMERS_PER_RUN = 100;
const DUE = 'settled_at is null and next_try_at <= now()';

/** The backoff doubles from five seconds to an hour. */
const nextTry = "now() + least(interval '1 hour', interval '5 seconds' * power(2, least(attempts, 12)))";

/**
 * Brings every customer up to date for whom events are stored. The number and order of events make no difference, since
 * the current state is read from the vendor. What fails is retried later.
 * @returns for how many customers events were processed
 */
export async function processEvents(parts: PaidParts, pool: Pool): Promise<number> {
  await nameCustomers(parts, pool);
  const { rows } = await pool.query<{ customerId: string | null; requestId: string | null }>(
    `select customer_id as "customerId", min(request_id) as "requestId" from billing_events where ${DUE}
      group by customer_id order by min(next_try_at) limit ${CUSTOMERS_PER_RUN}`,
  );
  let processed = 0;
  for (const { customerId, requestId } of rows) {
    // The events of one customer are processed together, so that only one of their requests can be followed.
    if (await withRequestId(requestId, () => processCustomer(parts, pool, customerId))) processed += 1;
  }
  return processed;
}

/**
 * Finds the customers of refunds and disputes, whose events name only the charge. Each event is claimed for a minute
 * before Stripe is asked, so that two workers don't ask about the same charge.
 */
async function nameCustomers({ payments, log }: PaidParts, pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ id: string; chargeId: string }>(
    `update billing_events set next_try_at = now() + interval '1 minute'
      where id in (
        select id from billing_events
         where ${DUE} and customer_id is null and type ~ '${namesOnlyCharge}' and object_id is not null
         limit ${CUSTOMERS_PER_RUN} for update skip locked)
       and object_id is not null
     returning id, object_id as "chargeId"`,
  );
  for (const { id, chargeId } of rows) {
    try {
      const customerId = await payments.customerOfCharge(chargeId);
      // An event without a customer is marked as processed below.
      await pool.query(
        'update billing_events set customer_id = $2, object_id = null, next_try_at = now() where id = $1',
        [id, customerId],
      );
    } catch (error) {
      log.warn('customer of a charge could not be read, will be retried', { event: id, error: reasonOf(error) });
      await deferEvents(pool, [id], error);
    }
  }
}

async function processCustomer(parts: PaidParts, pool: Pool, customerId: string | null): Promise<boolean> {
  const userId = customerId === null ? null : await userOfCustomer(pool, customerId);
  if (userId === null) {
    // The customer is unknown or erased, so the event's data are not kept.
    await pool.query(
      `update billing_events set settled_at = now(), customer_id = null, object_id = null
        where ${DUE} and customer_id is not distinct from $1`,
      [customerId],
    );
    return true;
  }
  try {
    await parts.withUserLock(userId, (lease) => processUser(parts, lease, { userId, customerId }));
    return true;
  } catch (error) {
    if (error instanceof UserLeaseLost) {
      parts.log.warn('lease lost', { user: userId });
      return false;
    }
    parts.log.warn('payment events not processed, will be retried', { user: userId, error: reasonOf(error) });
    await deferEvents(pool, await waitingOf(pool, customerId), error);
    return false;
  }
}

async function waitingOf(db: Queryable, customerId: string | null): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select id from billing_events where customer_id = $1 and settled_at is null',
    [customerId],
  );
  return rows.map(({ id }) => id);
}

/** Events that arrive while Stripe is asked are left for the next run. */
async function processUser(
  parts: PaidParts,
  lease: UserLease,
  { userId, customerId }: { userId: number; customerId: string | null },
): Promise<void> {
  const ids = await waitingOf(lease, customerId);
  if (ids.length === 0) return;
  await refreshCheckout(parts, lease, userId);
  await syncUser(parts, lease, userId);
  await unlinkIfDeleted(parts, lease, userId, ids);
  await lease.query('update billing_events set settled_at = now(), error = null where id = any ($1)', [ids]);
}

async function unlinkIfDeleted(
  { payments }: PaidParts,
  lease: UserLease,
  userId: number,
  ids: string[],
): Promise<void> {
  const { rowCount } = await lease.query(
    "select from billing_events where id = any ($1) and type = 'customer.deleted'",
    [ids],
  );
  const customer = rowCount ? await readCustomer(lease, userId) : null;
  if (customer?.customerId && !(await payments.hasCustomer(customer.customerId))) await unlinkCustomer(lease, userId);
}

async function deferEvents(pool: Pool, ids: readonly string[], error: unknown): Promise<void> {
  const cause = reasonOf(error);
  const reason = cause instanceof Error ? cause.message : String(cause);
  await pool.query(
    `update billing_events set attempts = attempts + 1, next_try_at = ${nextTry}, error = $2 where id = any ($1)`,
    [ids, reason],
  );
}
