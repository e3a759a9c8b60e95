import type { Client } from '../../base/database.ts';
import { derivePlan, type PaidSubscription, type PlanState } from '../../domain/billing/derive-plan.ts';
import { queueMail } from '../../entities/shared/queue-mail.ts';
import { reasonOf } from '../../vendors/payments/payments.ts';
import type { PaidParts } from '../billing-parts.ts';
import { applyPlan, holdAccount } from './apply-plan.ts';
import { type CustomerRow, readCustomer } from './customer-row.ts';
import { isAddressDue, tellAddress } from './tell-address.ts';
import type { UserLease } from './user-turns.ts';

/** A user's subscriptions as they are now, and what follows from them. */
export interface Synced {
  customer: CustomerRow;
  subscription: PaidSubscription | null;
  /** Whether a first payment is under way, which a bank may take days for. */
  isPending: boolean;
}

/** After a period's end Stripe takes an hour or so until the next is paid. */
const AFTER_PERIOD = "interval '2 hours'";
const PAST_DUE_EVERY = "interval '6 hours'";
/** Where something is left to do at the vendor: whoever does it may fail, or die before. */
const WHEN_LEFT = "interval '5 minutes'";

/**
 * Reads anew what a user has paid for, in their turn, and writes down what follows: the plan, its effects, and mails.
 * Whatever was told before, in whatever order, plays no part in it. null for a user who never came to pay.
 * @throws PaymentFault; what is known then stays as it was
 */
export async function syncUser(parts: PaidParts, lease: UserLease, userId: number): Promise<Synced | null> {
  const customer = await readCustomer(lease, userId);
  if (!customer) return null;
  const { payments } = parts;
  const told = customer.customerId === null ? [] : await payments.readSubscriptions(customer.customerId);
  const { rows } = await lease.query<{ now: Date }>('select now() as now');
  const state = derivePlan(told, rows[0]?.now ?? new Date()) ?? goneState(customer);
  await lease.transaction((client) => writeState(parts, client, customer, state));
  if (state) await endWhatMustNotRun(parts, userId, state);
  await tellAddress(parts, lease, userId);
  return {
    customer: (await readCustomer(lease, userId)) ?? customer,
    subscription: state?.subscription ?? null,
    isPending: told.some(({ phase }) => phase === 'pending'),
  };
}

async function endWhatMustNotRun({ payments, log }: PaidParts, userId: number, state: PlanState): Promise<void> {
  for (const subscription of state.toEnd) {
    log.info('a subscription is ended', { user: userId, subscription, because: state.event });
    await payments.endSubscription(subscription);
  }
  for (const subscription of state.toCancel) {
    const told = { user: userId, subscription, kept: state.subscription?.id };
    log.warn('somebody pays for two plans: the smaller one is not to renew', told);
    try {
      await payments.setCancels(subscription, true);
    } catch (error) {
      // What the user does about the other one goes on; the next look tries again.
      log.warn('a second plan could not be kept from renewing', { ...told, error: reasonOf(error) });
    }
  }
}

/** Nothing follows from nothing, but where there was a subscription it has ended. */
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
  const account = await holdAccount(client, userId, confirmEmail);
  if (!account) return;
  await writeLook(client, userId, confirmEmail, state);
  if (state === null) return;
  const change = await applyPlan(client, { userId, from: account.planId, to: state.planId, event: state.event });
  if (change) log.info('a plan changed', { user: userId, ...change });
  const toldGrace = await writeRow(client, userId, state);
  if (account.mailTo === null) return;
  const mail = { userId, to: account.mailTo };
  if (change) await queueMail(client, { ...mail, kind: 'plan_changed', data: change });
  if (state.graceEndsAt && toldGrace) {
    const data = { planId: state.planId, graceEndsAt: state.graceEndsAt.toISOString() };
    await queueMail(client, { ...mail, kind: 'payment_failed', data });
  }
  if (state.status === 'canceling' && before.status !== 'canceling' && state.currentPeriodEnd) {
    const data = { planId: state.planId, endsAt: state.currentPeriodEnd.toISOString() };
    await queueMail(client, { ...mail, kind: 'plan_ending', data });
  }
}

/** That it was looked, and when the next look is due though nothing is told until then. */
async function writeLook(client: Client, userId: number, confirmEmail: boolean, state: PlanState | null) {
  const isLeft = state !== null && state.toEnd.length + state.toCancel.length > 0;
  await client.query(
    `update billing_customers c set synced_at = now(),
            next_look_at = case when $3 or ${isAddressDue} then now() + ${WHEN_LEFT}
              when $4::timestamptz is not null then least($4, now() + ${PAST_DUE_EVERY})
              when $5::timestamptz is not null then greatest($5, now()) + ${AFTER_PERIOD} end
       from users u where u.id = c.user_id and u.id = $1`,
    [userId, confirmEmail, isLeft, state?.graceEndsAt, state?.currentPeriodEnd],
  );
}

/** @returns whether a grace has begun that nobody was told of */
async function writeRow(client: Client, userId: number, state: PlanState): Promise<boolean> {
  const { status, subscription, currentPeriodEnd, graceEndsAt } = state;
  const { rows } = await client.query<{ isNew: boolean }>(
    `update billing_customers c set subscription_id = $2, status = $3, current_period_end = $4, grace_ends_at = $5,
            told_grace = coalesce($5, c.told_grace)
       from (select told_grace from billing_customers where user_id = $1) b
      where c.user_id = $1 returning $5::timestamptz is not null and b.told_grace is distinct from $5 as "isNew"`,
    [userId, subscription?.id ?? null, status, currentPeriodEnd, graceEndsAt],
  );
  return rows[0]?.isNew ?? false;
}
