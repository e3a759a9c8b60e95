import Stripe from 'stripe';
import { afterEach, describe, expect, it } from 'vitest';
import { checkWithDescription } from '../../../test/stripe/request-checks.ts';
import { readSubscription } from './read-subscription.ts';

const check = checkWithDescription();
const refused: (string | null)[] = [];
afterEach(() => expect(refused.splice(0).filter((why) => why !== null)).toEqual([]));

const list = (data: object[]) => ({ object: 'list', data, has_more: false, url: '/' });

/** A Stripe client with these answers, by the prefix of the path. */
function stripeThatSays(answers: Record<string, object>): Stripe {
  const httpClient = Stripe.createFetchHttpClient(async (url: URL | RequestInfo) => {
    const { pathname: path, search } = new URL(String(url));
    refused.push(await check({ method: 'GET', path, form: search.slice(1), headers: {} }));
    const known = Object.keys(answers).find((start) => path.startsWith(start));
    return Response.json(known ? answers[known] : {}, { status: known ? 200 : 404 });
  });
  return new Stripe('sk_test', { httpClient, maxNetworkRetries: 0 });
}

const MARCH = Date.UTC(2026, 2, 1) / 1000;
const APRIL = Date.UTC(2026, 3, 1) / 1000;

function subscriptionWith(over: object, latest: object | null) {
  const item = { id: 'si_1', current_period_start: MARCH, current_period_end: APRIL };
  const price = { lookup_key: 'lotwatch_pro_monthly', metadata: {} };
  const items = list([{ ...item, price }]);
  const ends = { cancel_at: null, cancel_at_period_end: false };
  const rest = { created: MARCH, items, latest_invoice: latest, ...ends };
  return { id: 'sub_1', status: 'active', ...rest, ...over } as Stripe.Subscription & Stripe.Response<object>;
}

const payment = { status: 'paid', payment: { type: 'payment_intent', payment_intent: 'pi_1' } };
const invoice = (status: string, created: number, amount_paid = 0) => ({
  object: 'invoice',
  status,
  created,
  amount_paid,
  payments: list(amount_paid > 0 ? [payment] : []),
});
const charge = { id: 'ch_1', object: 'charge', amount: 1499, amount_refunded: 0, refunded: false, disputed: false };
const dispute = (status: string, amount = 1499) => ({ object: 'dispute', status, amount });

async function read(over: object, newestFirst: object[], of: object = charge, disputes: object[] = []) {
  const stripe = stripeThatSays({
    '/v1/invoices': list(newestFirst),
    '/v1/payment_intents/pi_1': { id: 'pi_1', object: 'payment_intent', latest_charge: of },
    '/v1/disputes': list(disputes),
  });
  return readSubscription(stripe, subscriptionWith(over, newestFirst[0] ?? null));
}

describe('the last payment', () => {
  const paid = invoice('paid', MARCH, 1499);
  const byCredit = invoice('paid', MARCH + 9);

  it.each<[string, object[], object, object[], boolean]>([
    ['is kept', [paid], charge, [], false],
    ['was given back', [paid], { ...charge, amount_refunded: 1499, refunded: true }, [], true],
    ['was given back in part', [paid], { ...charge, amount_refunded: 1498 }, [], false],
    ['was given back though credit paid what came since', [byCredit, paid], { ...charge, refunded: true }, [], true],
    [
      'was given back though what came since is unpaid',
      [invoice('open', APRIL), paid],
      { ...charge, refunded: true },
      [],
      true,
    ],
    ['was one before that', [invoice('paid', MARCH, 500), paid], charge, [], false],
    ['is disputed', [paid], { ...charge, disputed: true }, [dispute('needs_response')], false],
    ['was disputed, and won', [paid], { ...charge, disputed: true }, [dispute('won')], false],
    ['was disputed, and lost', [paid], { ...charge, disputed: true }, [dispute('lost')], true],
    ['was lost in part', [paid], { ...charge, disputed: true }, [dispute('lost', 700)], false],
    [
      'was lost in part, and the rest given back',
      [paid],
      { ...charge, disputed: true, amount_refunded: 799 },
      [dispute('won'), dispute('lost', 700)],
      true,
    ],
    ['is none: it all was credit', [byCredit], charge, [], false],
  ])('%s', async (_what, invoices, of, disputes, isRefunded) => {
    expect(await read({}, invoices, of, disputes)).toMatchObject({ isRefunded, phase: 'active', unpaidSince: null });
  });
});

describe('an unpaid invoice', () => {
  const day = 86_400;

  it.each<[string, object[], number]>([
    ['since its invoice', [invoice('open', APRIL)], APRIL],
    ['since the first of several invoices', [invoice('open', APRIL + day), invoice('uncollectible', APRIL)], APRIL],
    [
      'since the first after the last payment',
      [invoice('open', APRIL), invoice('paid', MARCH, 1499), invoice('open', MARCH - day)],
      APRIL,
    ],
    ['since its period began, where no invoice says so', [invoice('void', APRIL)], MARCH],
    ['whatever is still being drawn up', [invoice('draft', APRIL + day), invoice('open', APRIL)], APRIL],
  ])('is found %s', async (_what, invoices, since) => {
    const { phase, unpaidSince } = await read({ status: 'past_due' }, invoices);
    expect([phase, unpaidSince]).toEqual(['past_due', new Date(since * 1000)]);
  });
});

it.each<[string, object, object]>([
  ['renews', {}, { cancels: false, periodEnd: APRIL }],
  ['ends with its period', { cancel_at_period_end: true, cancel_at: APRIL }, { cancels: true, periodEnd: APRIL }],
  ['ends on a day of its period', { cancel_at: APRIL - 9 }, { cancels: true, periodEnd: APRIL - 9 }],
  ['renews until a later day', { cancel_at: APRIL + 9 }, { cancels: false, periodEnd: APRIL }],
])('a subscription %s', async (_what, over, expected) => {
  const { cancels, periodEnd } = await read(over, []);
  expect({ cancels, periodEnd: periodEnd.getTime() / 1000 }).toEqual(expected);
});

it.each([
  ['active', 'active'],
  ['trialing', 'active'],
  ['past_due', 'past_due'],
  ['unpaid', 'past_due'],
  ['incomplete', 'pending'],
  ['incomplete_expired', 'unpaid'],
  ['canceled', 'ended'],
  ['paused', 'ended'],
])('Stripe’s %s is %s', async (status, phase) => {
  expect(await read({ status }, [])).toMatchObject({ phase });
});
