import type { Client } from '../../base/database.ts';
import { derivePlan, type PaidSubscription, type PlanState } from '../../domain/billing/derive-plan.ts';
import { queueMail } from '../../entities/shared/queue-mail.ts';
import type { PaidParts } from '../billing-parts.ts';
import { applyPlan, holdAccount } from './apply-plan.ts';
import { type CustomerRow, readCustomer } from './customer-row.ts';
import { inTurn } from './user-turns.ts';

/** A user's subscriptions as they are now, and what follows from them. */
export interface Synced {
  customer: CustomerRow;
  subscription: PaidSubscription | null;
}

/** After a period's end Stripe takes an hour or so until the next is paid. */
const AFTER_PERIOD = "interval '2 hours'";
const PAST_DUE_EVERY = "interval '6 hours'";

/**
 * Reads anew what a user has paid for, in their turn, and writes down what follows: the plan, its effects, and mails.
 * Whatever was told before, in whatever order, plays no part in it. null for a user who never came to pay.
 * @throws PaymentFault; what is known then stays as it was
 */
export async function syncUser(parts: PaidParts, client: Client, userId: number): Promise<Synced | null> {
  const customer = await readCustomer(client, userId);
  if (!customer) return null;
  const { payments } = parts;
  const told = customer.customerId === null ? [] : await payments.readSubscriptions(customer.customerId);
  const { rows } = await client.query<{ now: Date }>('select now() as now');
  const state = derivePlan(told, rows[0]?.now ?? new Date()) ?? goneState(customer);
  await inTurn(client, () => writeState(parts, client, customer, state));
  for (const id of state?.toEnd ?? []) {
    parts.log.info('a subscription is ended', { user: userId, subscription: id, because: state?.event });
    await payments.endSubscription(id);
  }
  return { customer: (await readCustomer(client, userId)) ?? customer, subscription: state?.subscription ?? null };
}

/** Nothing follows from nothing, but where there was a subscription it has ended. */
function goneState({ subscriptionId }: CustomerRow): PlanState | null {
  if (subscriptionId === null) return null;
  const nothing = { subscription: null, currentPeriodEnd: null, graceEndsAt: null, toEnd: [] };
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
  if (state === null) {
    await client.query('update billing_customers set synced_at = now(), next_look_at = null where user_id = $1', [
      userId,
    ]);
    return;
  }
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

/** @returns whether a grace has begun that nobody was told of */
async function writeRow(client: Client, userId: number, state: PlanState): Promise<boolean> {
  const { status, subscription, currentPeriodEnd, graceEndsAt } = state;
  const { rows } = await client.query<{ isNew: boolean }>(
    `update billing_customers c set subscription_id = $2, status = $3, current_period_end = $4, grace_ends_at = $5,
            told_grace = coalesce($5, c.told_grace), synced_at = now(),
            next_look_at = case when $5::timestamptz is not null then least($5, now() + ${PAST_DUE_EVERY})
              when $4::timestamptz is not null then greatest($4, now()) + ${AFTER_PERIOD} end
       from (select told_grace from billing_customers where user_id = $1) b
      where c.user_id = $1 returning $5::timestamptz is not null and b.told_grace is distinct from $5 as "isNew"`,
    [userId, subscription?.id ?? null, status, currentPeriodEnd, graceEndsAt],
  );
  return rows[0]?.isNew ?? false;
}
