import { type Markup, markup } from '@lotwatch/api/mail-layout';
import { chargeOf, refundCharge } from '../billing/charge.ts';
import {
  changePrice,
  endPeriod,
  nameOf,
  payOverdue,
  prorations,
  setCancelAtPeriodEnd,
} from '../billing/subscriptions.ts';
import { updating } from '../calls/subscriptions.ts';
import { badRequest } from '../protocol/stripe-error.ts';
import type { Price, Subscription } from '../state/objects.ts';
import type { PortalSession } from '../state/portal-objects.ts';
import type { Change } from '../state/store.ts';
import { actionButton, day, dollars, messagePage, page } from './page.ts';

const notices: Record<string, string> = {
  change: 'The plan was changed.',
  cancel: 'The subscription ends with the paid period.',
  resume: 'The subscription continues.',
  'fail-next': 'The next payment will fail.',
  'succeed-next': 'The next payment will succeed.',
  'end-period': 'The period has ended.',
  'pay-overdue': 'The overdue invoice is paid.',
  'nothing-open': 'No invoice is overdue.',
  refund: 'The last invoice was refunded.',
};

/** The notice that the page shows after an action; null for anything else. */
const noticeOf = (done: string | null): string | null =>
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
  const price = change.find('price', id);
  if (!price || !update.products?.some(({ prices }) => prices.includes(id)))
    throw badRequest('This plan is not offered.');
  updating(change, sub, () => changePrice(change, sub, price, update.proration_behavior));
}

function afterConfirmation(session: PortalSession): string {
  const after = session.flow?.after_completion;
  return (after?.type === 'redirect' ? after.redirect?.return_url : null) ?? `/dev/portal/${session.id}?done=change`;
}

function setNextPayment(change: Change, customer: string, nextPaymentFails: boolean): void {
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
  throw badRequest('There is no payment to refund.');
}

/** Carries out the action of a button. @returns the address to redirect to @throws StripeError */
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
    setNextPayment(change, session.customer, action === 'fail-next');
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

/** The subscription that the portal shows: the newest one that has not ended. */
export function subscriptionOf(change: Change, session: PortalSession): Subscription | undefined {
  const found = change
    .all('subscription')
    .filter((one) => one.customer === session.customer && one.status !== 'canceled');
  return found.at(-1);
}

/** The prices that the portal's configuration offers. */
export function offered(change: Change, session: PortalSession): Price[] {
  const configuration = change.find('billing_portal.configuration', session.configuration);
  const { enabled = false, products } = configuration?.features.subscription_update ?? {};
  const ids = enabled ? (products ?? []).flatMap(({ prices }) => prices) : [];
  return ids.flatMap((id) => change.find('price', id) ?? []);
}

const perMonth = (price: Price): string => `${dollars(price.unit_amount)} per month`;

function stateOf(sub: Subscription): string {
  const end = day(sub.items.data[0].current_period_end);
  if (sub.cancel_at_period_end) return `Ends on ${end}`;
  return sub.status === 'past_due' ? 'Payment overdue' : `Renews on ${end}`;
}

function confirmation(change: Change, sub: Subscription, price: Price): Markup {
  const due = prorations(change, sub, price).reduce((sum, { amount }) => sum + amount, 0);
  const now = sub.items.data[0].price;
  const today = due >= 0 ? dollars(due) : `${dollars(-due)} credit`;
  return markup`<section><h1>Confirm your new plan</h1>
<dl><dt>Now</dt><dd>${nameOf(change, now)}, ${perMonth(now)}</dd><dt>New</dt><dd><strong>${nameOf(change, price)}, ${perMonth(price)}</strong></dd>
<dt>Due today</dt><dd><strong>${today}</strong></dd></dl>
${actionButton('confirm', 'Confirm')}${actionButton('back', 'Go back', { quiet: true })}</section>`;
}

function plan(change: Change, session: PortalSession, sub: Subscription): Markup {
  const { price } = sub.items.data[0];
  const others = offered(change, session).filter(({ id }) => id !== price.id);
  const choices = others.map((one) =>
    actionButton('change', `Change to ${nameOf(change, one)}, ${dollars(one.unit_amount)}`, {
      quiet: true,
      price: one.id,
    }),
  );
  const end = sub.cancel_at_period_end
    ? actionButton('resume', 'Keep the subscription')
    : actionButton('cancel', 'Cancel at the end of the period', { quiet: true });
  return markup`<section><h1>${nameOf(change, price)}</h1><p class="price">${dollars(price.unit_amount)} <span>per month</span></p>
<dl><dt>Status</dt><dd>${stateOf(sub)}</dd><dt>Period ends</dt><dd>${day(sub.items.data[0].current_period_end)}</dd></dl>
${choices}${end}</section>`;
}

function simulation(action: string, about: string, label: string): Markup {
  return markup`<li><p class="muted">${about}</p>${actionButton(action, label, { quiet: true })}</li>`;
}

/** Actions that simulate the bank, the support desk and time. */
function simulations(change: Change, session: PortalSession): Markup {
  const fails = change.find('wish', `wish_${session.customer}`)?.nextPaymentFails ?? false;
  return markup`<section><h2>Try things out</h2><p class="muted">On this machine only: what a bank, a support desk or time would do.</p>
<ul class="try">${[
    fails
      ? simulation('succeed-next', 'The next payment will fail.', 'Let the next payment succeed')
      : simulation('fail-next', 'The card refuses the next payment.', 'Let the next payment fail'),
    simulation(
      'end-period',
      'The paid period is over: the subscription renews, or ends as requested.',
      'Let the period end now',
    ),
    simulation('pay-overdue', 'The buyer pays what is open.', 'Pay the overdue invoice'),
    simulation('refund', 'The support desk refunds the last payment.', 'Refund the last invoice'),
  ]}</ul></section>`;
}

/** The customer portal: the plan, an update to confirm, and what can be tried. */
export function portalPage(change: Change, id: string, query: URLSearchParams): string {
  const session = change.edit('billing_portal.session', id);
  const sub = subscriptionOf(change, session);
  const back = session.return_url;
  const notice = noticeOf(query.get('done'));
  const noticeBox = notice === null ? null : markup`<p class="notice" role="status">${notice}</p>`;
  const leave = back === null ? null : markup`<p class="onward"><a href="${back}">Back to LotWatch</a></p>`;
  if (!sub) {
    const text = `${notice === null ? '' : `${notice} `}There is no subscription any more.`;
    return messagePage('Your subscription has ended', text, back);
  }
  const [wanted] = session.flow?.subscription_update_confirm?.items ?? [];
  const price = wanted && query.get('done') === null ? change.find('price', wanted.price) : undefined;
  const body =
    price && price.id !== sub.items.data[0].price.id ? confirmation(change, sub, price) : plan(change, session, sub);
  return page('Your subscription', markup`${noticeBox}${body}${simulations(change, session)}${leave}`);
}
