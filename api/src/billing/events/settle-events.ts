import type { Pool, Queryable } from '../../base/database.ts';
import { reasonOf, tellsOfCharge } from '../../vendors/payments/payments.ts';
import type { PaidParts } from '../billing-parts.ts';
import { lookAtCheckout } from '../checkout/look-at-checkout.ts';
import { forgetCustomer, readCustomer, userOfCustomer } from '../state/customer-row.ts';
import { syncUser } from '../state/sync-user.ts';
import { type UserLease, UserLeaseLost } from '../state/user-turns.ts';

const CUSTOMERS_A_GO = 100;
const due = 'settled_at is null and next_try_at <= now()';

/** Doubles from five seconds to an hour. */
const laterTry = "now() + least(interval '1 hour', interval '5 seconds' * power(2, least(attempts, 12)))";

/**
 * Brings everyone up to date of whom an event told. How many told of somebody, and in which order, makes no difference:
 * what holds is read anew. What fails is tried again later.
 * @returns how many customers' events were settled
 */
export async function settleEvents(parts: PaidParts, pool: Pool): Promise<number> {
  await nameCustomers(parts, pool);
  const { rows } = await pool.query<{ customerId: string | null }>(
    `select customer_id as "customerId" from billing_events where ${due}
      group by customer_id order by min(next_try_at) limit ${CUSTOMERS_A_GO}`,
  );
  let settled = 0;
  for (const { customerId } of rows) if (await settleCustomer(parts, pool, customerId)) settled += 1;
  return settled;
}

/**
 * An event of a refund or a dispute names its charge alone. Each is claimed for a minute before Stripe is asked, so that
 * two workers don't ask of the same charge.
 */
async function nameCustomers({ payments, log }: PaidParts, pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ id: string; chargeId: string }>(
    `update billing_events set next_try_at = now() + interval '1 minute'
      where id in (
        select id from billing_events
         where ${due} and customer_id is null and type ~ '${tellsOfCharge}' and object_id is not null
         limit ${CUSTOMERS_A_GO} for update skip locked)
     returning id, object_id as "chargeId"`,
  );
  for (const { id, chargeId } of rows) {
    try {
      const customerId = await payments.customerOfCharge(chargeId);
      // Without one it is nobody's, and settled below.
      await pool.query(
        'update billing_events set customer_id = $2, object_id = null, next_try_at = now() where id = $1',
        [id, customerId],
      );
    } catch (error) {
      log.warn('what was given back waits for another try', { event: id, error: reasonOf(error) });
      await putOff(pool, [id], error);
    }
  }
}

async function settleCustomer(parts: PaidParts, pool: Pool, customerId: string | null): Promise<boolean> {
  const userId = customerId === null ? null : await userOfCustomer(pool, customerId);
  if (userId === null) {
    // Of nobody whom we know (any more): what it said of them is not kept.
    await pool.query(
      `update billing_events set settled_at = now(), customer_id = null, object_id = null
        where ${due} and customer_id is not distinct from $1`,
      [customerId],
    );
    return true;
  }
  try {
    await parts.turn(userId, (lease) => settleUser(parts, lease, { userId, customerId }));
    return true;
  } catch (error) {
    if (error instanceof UserLeaseLost) {
      parts.log.warn('lease lost', { user: userId });
      return false;
    }
    parts.log.warn('payments wait for another try', { user: userId, error: reasonOf(error) });
    await putOff(pool, await waitingOf(pool, customerId), error);
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

/** What comes while Stripe is asked is left for the next time. */
async function settleUser(
  parts: PaidParts,
  lease: UserLease,
  { userId, customerId }: { userId: number; customerId: string | null },
): Promise<void> {
  const ids = await waitingOf(lease, customerId);
  if (ids.length === 0) return;
  await lookAtCheckout(parts, lease, userId);
  await syncUser(parts, lease, userId);
  await forgetIfDeleted(parts, lease, userId, ids);
  await lease.query('update billing_events set settled_at = now(), error = null where id = any ($1)', [ids]);
}

async function forgetIfDeleted(
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
  if (customer?.customerId && !(await payments.hasCustomer(customer.customerId))) await forgetCustomer(lease, userId);
}

async function putOff(pool: Pool, ids: readonly string[], error: unknown): Promise<void> {
  const told = reasonOf(error);
  const reason = told instanceof Error ? told.message : String(told);
  await pool.query(
    `update billing_events set attempts = attempts + 1, next_try_at = ${laterTry}, error = $2 where id = any ($1)`,
    [ids, reason],
  );
}
