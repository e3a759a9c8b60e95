import { type Markup, markup } from '@lotwatch/api/mail-layout';
import { prorations } from '../billing/change-price.ts';
import { nameOf } from '../billing/subscriptions.ts';
import type { Price, Subscription } from '../state/objects.ts';
import type { PortalSession } from '../state/portal-objects.ts';
import type { Change } from '../state/store.ts';
import { actionButton, day, dollars, messagePage, page } from './page.ts';
import { told } from './portal-actions.ts';

/** The subscription that the portal shows: the newest that lives. */
export function subscriptionOf(change: Change, session: PortalSession): Subscription | undefined {
  const found = change
    .all('subscription')
    .filter((one) => one.customer === session.customer && one.status !== 'canceled');
  return found.at(-1);
}

/** Prices that the portal's configuration lets one choose. */
export function offered(change: Change, session: PortalSession): Price[] {
  const configuration = change.look('billing_portal.configuration', session.configuration);
  const { enabled = false, products } = configuration?.features.subscription_update ?? {};
  const ids = enabled ? (products ?? []).flatMap(({ prices }) => prices) : [];
  return ids.flatMap((id) => change.look('price', id) ?? []);
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

function trial(action: string, about: string, label: string): Markup {
  return markup`<li><p class="muted">${about}</p>${actionButton(action, label, { quiet: true })}</li>`;
}

/** What can be brought about by hand: the bank, and time. */
function trials(change: Change, session: PortalSession): Markup {
  const fails = change.look('wish', `wish_${session.customer}`)?.nextPaymentFails ?? false;
  return markup`<section><h2>Try things out</h2><p class="muted">For this machine only: what a bank, a support desk or a month would do.</p>
<ul class="try">${[
    fails
      ? trial('succeed-next', 'The next payment will fail.', 'Let the next payment succeed')
      : trial('fail-next', 'The card refuses the next payment.', 'Let the next payment fail'),
    trial('end-period', 'The paid period is over: it renews, or ends as was asked.', 'Let the period end now'),
    trial('pay-overdue', 'The buyer pays what is open.', 'Pay the overdue invoice'),
    trial('refund', 'Support gives the last payment back.', 'Refund the last invoice'),
  ]}</ul></section>`;
}

/** The customer portal: the plan, an update to confirm, and what can be tried. */
export function portalPage(change: Change, id: string, query: URLSearchParams): string {
  const session = change.edit('billing_portal.session', id);
  const sub = subscriptionOf(change, session);
  const back = session.return_url;
  const notice = told(query.get('done'));
  const said = notice === null ? null : markup`<p class="told" role="status">${notice}</p>`;
  const leave = back === null ? null : markup`<p class="onward"><a href="${back}">Back to LotWatch</a></p>`;
  if (!sub) {
    const text = `${notice === null ? '' : `${notice} `}There is no subscription any more.`;
    return messagePage('Your subscription has ended', text, back);
  }
  const [wanted] = session.flow?.subscription_update_confirm?.items ?? [];
  const price = wanted && query.get('done') === null ? change.look('price', wanted.price) : undefined;
  const body =
    price && price.id !== sub.items.data[0].price.id ? confirmation(change, sub, price) : plan(change, session, sub);
  return page('Your subscription', markup`${said}${body}${trials(change, session)}${leave}`);
}
