import { markup } from '@lotwatch/api/mail-layout';
import { declineCheckout, orderOf, payCheckout } from '../billing/checkout.ts';
import { nameOf, periodEnd } from '../billing/subscriptions.ts';
import { currentSession } from '../calls/checkout-sessions.ts';
import { badRequest } from '../protocol/stripe-error.ts';
import type { CheckoutSession } from '../state/objects.ts';
import type { Change } from '../state/store.ts';
import { actionButton, day, dollars, messagePage, page } from './page.ts';

const afterPayment = (session: CheckoutSession): string =>
  session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id);

/** The page where a plan is paid. */
export function checkoutPage(change: Change, id: string, query: URLSearchParams): string {
  const session = currentSession(change, id);
  if (session.status === 'expired')
    return messagePage('This checkout has expired', 'Choose a plan again to start another.', session.cancel_url);
  if (session.status === 'complete')
    return messagePage('Already paid', 'This checkout is complete; nothing is left to pay.', afterPayment(session));
  const { price } = orderOf(change, id);
  const name = nameOf(change, price);
  const customer = session.customer === null ? undefined : change.find('customer', session.customer);
  const email = customer && !('deleted' in customer) ? customer.email : session.customer_email;
  const failed = query.has('declined')
    ? markup`<p class="failed" role="alert">Your card was declined. Nothing was paid; you can try again.</p>`
    : null;
  return page(
    `Pay for ${name}`,
    markup`<section>${failed}<h1>${name}</h1>
<p class="price">${dollars(price.unit_amount)} <span>per month</span></p>
<dl>${email ? markup`<dt>Account</dt><dd>${email}</dd>` : null}<dt>Renews on</dt><dd>${day(periodEnd(change.now, price))}</dd>
<dt>Due today</dt><dd><strong>${dollars(price.unit_amount)}</strong></dd></dl>
${actionButton('pay', `Pay ${dollars(price.unit_amount)}`)}
<div class="pair">${actionButton('decline', 'Decline', { quiet: true })}${actionButton('cancel', 'Cancel', { quiet: true })}</div>
<p class="muted">This page replaces the payment page. Pay acts like a valid card, Decline like a card that the bank refuses, and Cancel goes back.</p></section>`,
  );
}

/** Pays, declines or cancels. @returns the address to redirect to @throws StripeError */
export function actOnCheckout(change: Change, id: string, action: string): string {
  const session = currentSession(change, id);
  const here = `/dev/checkout/${id}`;
  if (action === 'cancel') return session.cancel_url ?? here;
  if (action !== 'pay' && action !== 'decline') throw badRequest('Choose Pay, Decline or Cancel.');
  // A buyer who presses twice, or comes back, is redirected.
  if (session.status !== 'open') return session.status === 'complete' ? afterPayment(session) : here;
  if (action === 'decline') {
    declineCheckout(change, session);
    return `${here}?declined`;
  }
  payCheckout(change, session);
  return afterPayment(session);
}
