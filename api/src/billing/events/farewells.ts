import type { Pool } from '../../base/database.ts';
import { reasonOf } from '../../vendors/payments/payments.ts';
import type { PaidParts } from '../billing-parts.ts';

interface Farewell {
  customerId: string;
  sessionIds: string[];
}

/**
 * Lets Stripe forget who is erased here: open payment pages expire, subscriptions end at once, the customer is deleted.
 * What fails is tried again later, for as long as it takes. @returns how many are forgotten now
 */
export async function bidFarewell({ payments, log }: PaidParts, pool: Pool): Promise<number> {
  const { rows } = await pool.query<Farewell>(
    `update billing_farewells set attempts = attempts + 1,
            next_try_at = now() + least(interval '1 hour', interval '15 seconds' * power(2, least(attempts, 12)))
      where customer_id in (select customer_id from billing_farewells where next_try_at <= now()
                             order by next_try_at limit 50 for update skip locked)
     returning customer_id as "customerId", session_ids as "sessionIds"`,
  );
  let forgotten = 0;
  for (const { customerId, sessionIds } of rows) {
    try {
      for (const id of sessionIds) await payments.expireCheckout(id);
      const subscriptions = await payments.readSubscriptions(customerId);
      for (const { id, phase } of subscriptions) {
        if (phase !== 'ended' && phase !== 'unpaid') await payments.endSubscription(id);
      }
      await payments.deleteCustomer(customerId);
      await pool.query('delete from billing_farewells where customer_id = $1', [customerId]);
      forgotten += 1;
    } catch (error) {
      log.warn('an erased customer waits to be forgotten at Stripe', { error: reasonOf(error) });
    }
  }
  return forgotten;
}
