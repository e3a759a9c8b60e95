import type { Client } from '../base/database.ts';
import { derivePlan, type PaidSubscription, type PlanState } from '../domain/billing/derive-plan.ts';
import { enqueueMail } from '../notify/enqueue-mail.ts';
import { reasonOf } from '../vendors/payments/payments.ts';
import { applyPlan, lockAccount } from './apply-plan.ts';
import { type CustomerRow, isAddressDue, readCustomer, syncAddress } from './customer.ts';
import type { PaidParts } from './make-billing.ts';
import type { UserLease } from './user-lock.ts';

/** A user's subscription as the vendor has it now. */
export interface Synced {
  customer: CustomerRow;
  subscription: PaidSubscription | null;
  /** Whether a first payment is in progress, which may take a bank days. */
  isPending: boolean;
}

/** After a period's end Stripe takes an hour or so until the next is paid. */
const AFTER_PERIOD = "interval '2 hours'";
const PAST_DUE_EVERY = "interval '6 hours'";
/** How soon unfinished work at the vendor is retried. */
const RETRY_AFTER = "interval '5 minutes'";

/**
 * Reads from the vendor what a user has paid for, under the user lock, and writes the plan, its effects and the mails that
 * follow. Earlier events and their order play no part in it.
 * @returns null for a user without a customer row
 * @throws PaymentFault; nothing is changed then
 */
export async function syncUser(parts: PaidParts, lease: UserLease, userId: number): Promise<Synced | null> {
  const customer = await readCustomer(lease, userId);
  if (!customer) return null;
  const { payments } = parts;
  const current = customer.customerId === null ? [] : await payments.readSubscriptions(customer.customerId);
  const { rows } = await lease.query<{ now: Date }>('select now() as now');
  const state = derivePlan(current, rows[0]?.now ?? new Date()) ?? goneState(customer);
  await lease.transaction((client) => writeState(parts, client, customer, state));
  if (state) await endRefusedSubscriptions(parts, userId, state);
  await syncAddress(parts, lease, userId);
  return {
    customer: (await readCustomer(lease, userId)) ?? customer,
    subscription: state?.subscription ?? null,
    isPending: current.some(({ phase }) => phase === 'pending'),
  };
}

async function endRefusedSubscriptions({ payments, log }: PaidParts, userId: number, state: PlanState): Promise<void> {
  for (const subscription of state.toEnd) {
    log.info('a subscription is ended', { user: userId, subscription, because: state.event });
    await payments.endSubscription(subscription);
  }
  for (const subscription of state.toCancel) {
    const details = { user: userId, subscription, kept: state.subscription?.id };
    log.warn('a user pays for two plans, renewal of the smaller one is cancelled', details);
    try {
      await payments.setCancels(subscription, true);
    } catch (error) {
      // The user's other subscription is handled all the same; the next check tries again.
      log.warn('renewal of a second plan not cancelled, will be retried', { ...details, error: reasonOf(error) });
    }
  }
}

/** Without any subscription at the vendor, the one that the row names has ended. */
function goneState({ subscriptionId }: CustomerRow): PlanState | null {
  if (subscriptionId === null) return null;
  const nothing = { subscription: null, currentPeriodEnd: null, graceEndsAt: null, toEnd: [], toCancel: [] };
  return { ...nothing, planId: 1, status: 'active', event: 'ended' };
}

async function writeState(
  { confirmEmail, log }: PaidParts,
  client: Client,
  before: CustomerRow,
  state: PlanState | null,
): Promise<void> {
  const { userId } = before;
  const account = await lockAccount(client, userId, confirmEmail);
  if (!account) return;
  await scheduleNextCheck(client, userId, confirmEmail, state);
  if (state === null) return;
  const change = await applyPlan(client, { userId, from: account.planId, to: state.planId, event: state.event });
  if (change) log.info('a plan changed', { user: userId, ...change });
  const isNewGrace = await writeRow(client, userId, state);
  if (account.mailTo === null) return;
  const mail = { userId, to: account.mailTo };
  if (change) await enqueueMail(client, { ...mail, kind: 'plan_changed', data: change });
  if (state.graceEndsAt && isNewGrace) {
    const data = { planId: state.planId, graceEndsAt: state.graceEndsAt.toISOString() };
    await enqueueMail(client, { ...mail, kind: 'payment_failed', data });
  }
  if (state.status === 'canceling' && before.status !== 'canceling' && state.currentPeriodEnd) {
    const data = { planId: state.planId, endsAt: state.currentPeriodEnd.toISOString() };
    await enqueueMail(client, { ...mail, kind: 'plan_ending', data });
  }
}

/** Writes that the user was checked, and when the next check is due if no event comes before. */
async function scheduleNextCheck(client: Client, userId: number, confirmEmail: boolean, state: PlanState | null) {
  const isLeft = state !== null && state.toEnd.length + state.toCancel.length > 0;
  await client.query(
    `/* schedule-check */ update billing_customers c set synced_at = now(),
            next_check_at = case when $3 or ${isAddressDue} then now() + ${RETRY_AFTER}
              when $4::timestamptz is not null then least($4, now() + ${PAST_DUE_EVERY})
              when $5::timestamptz is not null then greatest($5, now()) + ${AFTER_PERIOD} end
       from users u where u.id = c.user_id and u.id = $1`,
    [userId, confirmEmail, isLeft, state?.graceEndsAt, state?.currentPeriodEnd],
  );
}

/** @returns whether a grace has begun about which no mail was queued yet */
async function writeRow(client: Client, userId: number, state: PlanState): Promise<boolean> {
  const { status, subscription, currentPeriodEnd, graceEndsAt } = state;
  const { rows } = await client.query<{ isNew: boolean }>(
    `update billing_customers c set subscription_id = $2, status = $3, current_period_end = $4, grace_ends_at = $5,
            grace_notified_for = coalesce($5, c.grace_notified_for)
       from (select grace_notified_for from billing_customers where user_id = $1) b
      where c.user_id = $1 returning $5::timestamptz is not null and b.grace_notified_for is distinct from $5 as "isNew"`,
    [userId, subscription?.id ?? null, status, currentPeriodEnd, graceEndsAt],
  );
  return rows[0]?.isNew ?? false;
}
