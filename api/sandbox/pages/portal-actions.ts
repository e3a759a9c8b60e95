import { changePrice } from '../billing/change-price.ts';
import { chargeOf, refundCharge } from '../billing/refund.ts';
import { endPeriod, payOverdue, setCancelAtPeriodEnd } from '../billing/subscriptions.ts';
import { updating } from '../calls/subscriptions.ts';
import { badRequest } from '../protocol/stripe-error.ts';
import type { Subscription } from '../state/objects.ts';
import type { PortalSession } from '../state/portal-objects.ts';
import type { Change } from '../state/store.ts';

const notices: Record<string, string> = {
  change: 'The plan was changed.',
  cancel: 'The subscription ends with the paid period.',
  resume: 'The subscription goes on.',
  'fail-next': 'The next payment will fail.',
  'succeed-next': 'The next payment will succeed.',
  'end-period': 'The period has ended.',
  'pay-overdue': 'The overdue invoice is paid.',
  'nothing-open': 'No invoice is overdue.',
  refund: 'The last invoice was refunded.',
};

/** What the page says of what was done; null for anything else. */
export const told = (done: string | null): string | null =>
  done !== null && Object.hasOwn(notices, done) ? (notices[done] ?? null) : null;

/** The newest subscription of the portal's customer; one that ended can still be refunded. */
function newest(change: Change, customer: string): Subscription {
  const all = change.all('subscription').filter((one) => one.customer === customer);
  const found = all.filter((one) => one.status !== 'canceled').at(-1) ?? all.at(-1);
  if (!found) throw badRequest('There is no subscription.');
  return change.edit('subscription', found.id);
}

function changeTo(change: Change, session: PortalSession, sub: Subscription, id: string): void {
  const configuration = change.edit('billing_portal.configuration', session.configuration);
  const { subscription_update: update } = configuration.features;
  const price = change.look('price', id);
  if (!price || !update.products?.some(({ prices }) => prices.includes(id)))
    throw badRequest('This plan is not offered.');
  updating(change, sub, () => changePrice(change, sub, price, update.proration_behavior));
}

function afterConfirmation(session: PortalSession): string {
  const after = session.flow?.after_completion;
  return (after?.type === 'redirect' ? after.redirect?.return_url : null) ?? `/dev/portal/${session.id}?done=change`;
}

function wish(change: Change, customer: string, nextPaymentFails: boolean): void {
  change.put({ id: `wish_${customer}`, object: 'wish', nextPaymentFails });
}

function refundLast(change: Change, sub: Subscription): void {
  const paid = change
    .all('invoice')
    .filter((one) => one.parent.subscription_details.subscription === sub.id && one.status === 'paid');
  for (const { id } of paid.reverse()) {
    const charge = chargeOf(change, id);
    if (!charge) continue;
    refundCharge(change, charge, { reason: 'requested_by_customer' });
    return;
  }
  throw badRequest('There is no payment to give back.');
}

/** Does what a button of the portal says. @returns where to go then @throws StripeError */
export function actOnPortal(change: Change, id: string, action: string, price: string): string {
  const session = change.edit('billing_portal.session', id);
  const here = `/dev/portal/${id}`;
  if (action === 'back') return session.return_url ?? here;
  const sub = newest(change, session.customer);
  const lives = sub.status !== 'canceled';
  const done = `${here}?done=${action}`;
  if (action === 'refund') {
    refundLast(change, sub);
    return done;
  }
  if (action === 'fail-next' || action === 'succeed-next') {
    wish(change, session.customer, action === 'fail-next');
    return done;
  }
  if (!lives) throw badRequest('The subscription has ended.');
  const [confirmed] = session.flow?.subscription_update_confirm?.items ?? [];
  switch (action) {
    case 'confirm':
      if (!confirmed) throw badRequest('There is nothing to confirm.');
      changeTo(change, session, sub, confirmed.price);
      return afterConfirmation(session);
    case 'change':
      changeTo(change, session, sub, price);
      return done;
    case 'cancel':
    case 'resume':
      updating(change, sub, () => {
        if (sub.cancel_at_period_end !== (action === 'cancel')) setCancelAtPeriodEnd(change, sub, action === 'cancel');
      });
      return done;
    case 'end-period':
      endPeriod(change, sub);
      return done;
    case 'pay-overdue':
      return payOverdue(change, sub) ? done : `${here}?done=nothing-open`;
    default:
      throw badRequest('This page has no such button.');
  }
}
