import { channels } from '../base/channels.ts';
import type { Queryable } from '../base/database.ts';

/**
 * Enqueues the deletion of a customer at Stripe, where their open payment pages expire and their subscriptions end. It
 * happens once the transaction has committed, as soon as Stripe can be reached.
 */
export async function enqueueCustomerDeletion(
  db: Queryable,
  customerId: string,
  sessionIds: readonly string[],
): Promise<void> {
  await db.query(
    `insert into customer_deletions (customer_id, session_ids) values ($1, $2)
     on conflict (customer_id) do update set session_ids = customer_deletions.session_ids || excluded.session_ids`,
    [customerId, sessionIds],
  );
  await db.query(`select pg_notify('${channels.work}', 'billing')`);
}

/** The same for the customer of a user, if they have one. */
export async function enqueueCustomerDeletionOf(db: Queryable, userId: number): Promise<void> {
  const { rows } = await db.query<{ customerId: string; sessionIds: string[] }>(
    `select c.customer_id as "customerId", array(
        select session_id from billing_checkouts where user_id = $1 and status = 'open' and session_id is not null
      ) as "sessionIds" from billing_customers c where c.user_id = $1 and c.customer_id is not null`,
    [userId],
  );
  const [known] = rows;
  if (known) await enqueueCustomerDeletion(db, known.customerId, known.sessionIds);
}
