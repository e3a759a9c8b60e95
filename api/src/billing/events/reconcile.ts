import type { Pool, Queryable } from '../../base/database.ts';
import { queueMail } from '../../entities/shared/queue-mail.ts';
import { reasonOf } from '../../vendors/payments/payments.ts';
import type { PaidParts } from '../billing-parts.ts';
import { lookAtCheckout } from '../checkout/look-at-checkout.ts';
import { holdAccount } from '../state/apply-plan.ts';
import { syncUser } from '../state/sync-user.ts';
import { UserLeaseLost } from '../state/user-turns.ts';

const USERS_A_GO = 100;
/** Before the grace of an unpaid plan ends. */
const WARN_BEFORE = "interval '2 days'";

/**
 * Looks again where no event came though one should have: at periods that ended, at what is unpaid, at open payment
 * pages. @returns how many users were looked at
 */
export async function reconcile(parts: PaidParts, pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ userId: number }>(
    `select user_id as "userId" from billing_customers where next_look_at <= now()
     union select user_id from billing_checkouts where status = 'open' and next_look_at <= now() limit ${USERS_A_GO}`,
  );
  for (const { userId } of rows) {
    try {
      await parts.turn(userId, async (lease) => {
        if (!(await isDue(lease, userId))) return;
        await lookAtCheckout(parts, lease, userId);
        await syncUser(parts, lease, userId);
      });
    } catch (error) {
      if (error instanceof UserLeaseLost) {
        parts.log.warn('lease lost', { user: userId });
        continue;
      }
      parts.log.warn('payments could not be looked at', { user: userId, error: reasonOf(error) });
      await putOff(pool, userId);
    }
  }
  return rows.length;
}

/** Another worker may have looked while this one waited for the user's turn. */
async function isDue(db: Queryable, userId: number): Promise<boolean> {
  const { rows } = await db.query<{ isDue: boolean }>(
    `select exists (select from billing_customers where user_id = $1 and next_look_at <= now())
         or exists (select from billing_checkouts where user_id = $1 and status = 'open' and next_look_at <= now())
         as "isDue"`,
    [userId],
  );
  return rows[0]?.isDue ?? false;
}

async function putOff(pool: Pool, userId: number): Promise<void> {
  const later = "now() + interval '5 minutes'";
  await pool.query(`update billing_customers set next_look_at = ${later} where user_id = $1`, [userId]);
  await pool.query(`update billing_checkouts set next_look_at = ${later} where user_id = $1 and status = 'open'`, [
    userId,
  ]);
}

/** Queues a mail to everyone whose unpaid plan ends within two days, once for each end. @returns how many */
export async function warnOfGraceEnd({ confirmEmail, turn }: PaidParts, pool: Pool): Promise<number> {
  const ending = `status = 'past_due' and grace_ends_at > now() and grace_ends_at <= now() + ${WARN_BEFORE}
    and warned_grace is distinct from grace_ends_at`;
  const { rows } = await pool.query<{ userId: number }>(
    `select user_id as "userId" from billing_customers where ${ending} limit ${USERS_A_GO}`,
  );
  for (const { userId } of rows) {
    await turn(userId, (lease) =>
      lease.transaction(async (client) => {
        const account = await holdAccount(client, userId, confirmEmail);
        const { rows: warned } = await client.query<{ graceEndsAt: Date }>(
          `update billing_customers set warned_grace = grace_ends_at where user_id = $1 and ${ending}
           returning grace_ends_at as "graceEndsAt"`,
          [userId],
        );
        if (!warned[0] || !account?.mailTo) return;
        const data = { planId: account.planId, graceEndsAt: warned[0].graceEndsAt.toISOString() };
        await queueMail(client, { kind: 'grace_ending', userId, to: account.mailTo, data });
      }),
    );
  }
  return rows.length;
}
