import type { Pool, Queryable } from '../base/database.ts';
import { enqueueMail } from '../notify/enqueue-mail.ts';
import { reasonOf } from '../vendors/payments/payments.ts';
import { lockAccount } from './apply-plan.ts';
import type { BillingParts, PaidParts } from './make-billing.ts';
import { refreshCheckout } from './payment-pages.ts';
import { processEvents } from './process-events.ts';
import { syncUser } from './sync-user.ts';
import { UserLeaseLost } from './user-lock.ts';

/**
 * Deletes the customers of erased accounts at Stripe: open payment pages expire, subscriptions end at once, the customer
 * is deleted. What fails is retried until it succeeds.
 */
async function deleteStripeCustomers({ payments, log }: PaidParts, pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ customerId: string; sessionIds: string[] }>(
    `update customer_deletions set attempts = attempts + 1,
            next_try_at = now() + least(interval '1 hour', interval '15 seconds' * power(2, least(attempts, 12)))
      where customer_id in (select customer_id from customer_deletions where next_try_at <= now()
                             order by next_try_at limit 50 for update skip locked)
     returning customer_id as "customerId", session_ids as "sessionIds"`,
  );
  for (const { customerId, sessionIds } of rows) {
    try {
      for (const id of sessionIds) await payments.expireCheckout(id);
      const subscriptions = await payments.readSubscriptions(customerId);
      for (const { id, phase } of subscriptions) {
        if (phase !== 'ended' && phase !== 'unpaid') await payments.endSubscription(id);
      }
      await payments.deleteCustomer(customerId);
      await pool.query('delete from customer_deletions where customer_id = $1', [customerId]);
    } catch (error) {
      log.warn('customer deletion at Stripe failed, will be retried', { error: reasonOf(error) });
    }
  }
}

const USERS_PER_RUN = 100;
/** How long before the end of an unpaid plan's grace its owner is warned. */
const WARN_BEFORE = "interval '2 days'";

/**
 * Compares with Stripe where an event may have been lost: after periods that ended, for unpaid plans, for open payment
 * pages.
 */
async function reconcile(parts: PaidParts, pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ userId: number }>(
    `select user_id as "userId" from billing_customers where next_check_at <= now()
     union select user_id from billing_checkouts where status = 'open' and next_check_at <= now() limit ${USERS_PER_RUN}`,
  );
  for (const { userId } of rows) {
    try {
      await parts.withUserLock(userId, async (lease) => {
        if (!(await isDue(lease, userId))) return;
        await refreshCheckout(parts, lease, userId);
        await syncUser(parts, lease, userId);
      });
    } catch (error) {
      if (error instanceof UserLeaseLost) {
        parts.log.warn('lease lost', { user: userId });
        continue;
      }
      parts.log.warn('payments could not be reconciled', { user: userId, error: reasonOf(error) });
      await deferChecks(pool, userId);
    }
  }
}

/** Another worker may have reconciled while this one waited for the user lock. */
async function isDue(db: Queryable, userId: number): Promise<boolean> {
  const { rows } = await db.query<{ isDue: boolean }>(
    `select exists (select from billing_customers where user_id = $1 and next_check_at <= now())
         or exists (select from billing_checkouts where user_id = $1 and status = 'open' and next_check_at <= now())
         as "isDue"`,
    [userId],
  );
  return rows[0]?.isDue ?? false;
}

async function deferChecks(pool: Pool, userId: number): Promise<void> {
  const later = "now() + interval '5 minutes'";
  await pool.query(`update billing_customers set next_check_at = ${later} where user_id = $1`, [userId]);
  await pool.query(`update billing_checkouts set next_check_at = ${later} where user_id = $1 and status = 'open'`, [
    userId,
  ]);
}

/** Queues a mail to everyone whose unpaid plan ends within two days, once for each end. */
async function warnOfGraceEnd({ confirmEmail, withUserLock }: PaidParts, pool: Pool): Promise<void> {
  const ending = `status = 'past_due' and grace_ends_at > now() and grace_ends_at <= now() + ${WARN_BEFORE}
    and grace_warned_for is distinct from grace_ends_at`;
  const { rows } = await pool.query<{ userId: number }>(
    `select user_id as "userId" from billing_customers where ${ending} limit ${USERS_PER_RUN}`,
  );
  for (const { userId } of rows) {
    await withUserLock(userId, (lease) =>
      lease.transaction(async (client) => {
        const account = await lockAccount(client, userId, confirmEmail);
        const { rows: warned } = await client.query<{ graceEndsAt: Date }>(
          `update billing_customers set grace_warned_for = grace_ends_at where user_id = $1 and ${ending}
           returning grace_ends_at as "graceEndsAt"`,
          [userId],
        );
        if (!warned[0] || !account?.mailTo) return;
        const data = { planId: account.planId, graceEndsAt: warned[0].graceEndsAt.toISOString() };
        await enqueueMail(client, { kind: 'grace_ending', userId, to: account.mailTo, data });
      }),
    );
  }
}

/**
 * Does all due work about payments: events, customer deletions, reconciliation and warnings.
 * @returns milliseconds until something is due again; null when nothing waits
 */
export async function processDuePayments(parts: BillingParts, pool: Pool): Promise<number | null> {
  const { payments } = parts;
  if (!payments) return null;
  const paid = { ...parts, payments };
  await processEvents(paid, pool);
  await deleteStripeCustomers(paid, pool);
  await reconcile(paid, pool);
  await warnOfGraceEnd(paid, pool);
  const { rows } = await pool.query<{ ms: number | null }>(
    `select (extract(epoch from least(
        (select min(next_try_at) from billing_events where settled_at is null),
        (select min(next_try_at) from customer_deletions),
        (select min(next_check_at) from billing_customers)) - now()) * 1000)::float8 as ms`,
  );
  const ms = rows[0]?.ms ?? null;
  return ms === null ? null : Math.max(0, ms);
}
