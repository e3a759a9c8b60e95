import { describe, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { setUpApi } from '../../../test/make-app.ts';

let buyer: Browser;
let buyerId: number;
const api = setUpApi({}, async () => {
  ({ browser: buyer, id: buyerId } = await api.user('buyer'));
});

const subscribe = `mutation ($planId: ID!) {
  subscribe(planId: $planId) { subscription { planId subscriptionPlanId planName status currentPeriodEnd } url sessionId }
}`;
const verify = `mutation ($sessionId: String!, $planId: ID) {
  verifySubscription(sessionId: $sessionId, planId: $planId) { message subscription { planId planName status } }
}`;
const portal = 'mutation { openBillingPortal }';
const current = '{ currentSubscription { planId planName status } }';

const putOn = (planId: number) => api.db.pool.query('update users set plan_id = $1 where id = $2', [planId, buyerId]);

const refusal = (message: string, code: string) => [
  expect.objectContaining({ message, extensions: expect.objectContaining({ code }) }),
];
const noPayments = refusal('Payments are not set up', 'NOT_CONFIGURED');
const noSuchPlan = refusal('Selected plan not found', 'NOT_FOUND');

/** Texts that are not the id of a plan: too large for the column or for a number, or not a number. */
const hostileIds = [
  '0',
  '5',
  '-1',
  '01',
  '1.0',
  '1e0',
  ' 1',
  '2147483648',
  '999999999999999',
  '9'.repeat(400),
  '',
  'x',
  "1' or 1=1 --",
  '1\0',
  '１',
];

describe('the plans', () => {
  it('are shown to everybody, with the texts of the specification and prices with two decimals', async () => {
    const { data } = await makeBrowser(api.url).gql(
      '{ plans { id name description price monthlyPrice alertLimit isPopular features } }',
    );
    expect(data.plans).toEqual([
      expect.objectContaining({
        id: '1',
        name: 'Free',
        description: 'Forever free',
        price: '0',
        monthlyPrice: '0',
        alertLimit: 1,
        features: ['1 active alert', 'Email notifications', 'Basic search filters'],
      }),
      expect.objectContaining({
        id: '2',
        name: 'Starter',
        price: '4.99',
        monthlyPrice: '4.99',
        alertLimit: 5,
        features: ['5 alerts', 'Email and SMS', 'Priority processing'],
      }),
      expect.objectContaining({
        id: '3',
        name: 'Pro',
        price: '14.99',
        alertLimit: 20,
        isPopular: true,
        features: ['20 alerts', 'Email and SMS', 'Premium support'],
      }),
      expect.objectContaining({
        id: '4',
        name: 'Elite',
        description: 'For dealers',
        price: '69.99',
        alertLimit: 100,
        features: ['100 alerts', 'Email and SMS', 'API access'],
      }),
    ]);
    expect(data.plans.filter((plan: { isPopular: boolean }) => plan.isPopular)).toHaveLength(1);
  });
});

describe('choosing a plan', () => {
  it('answers at once when a user on Free chooses Free', async () => {
    const { data, errors } = await buyer.gql(subscribe, { planId: '1' });
    expect(errors).toEqual([]);
    expect(data.subscribe).toEqual({
      subscription: {
        planId: '1',
        subscriptionPlanId: '1',
        planName: 'Free',
        status: 'active',
        currentPeriodEnd: null,
      },
      url: null,
      sessionId: null,
    });
  });

  it.each(['2', '3', '4'])(
    'is refused for plan %s while payments are not set up, and changes nothing',
    async (planId) => {
      expect((await buyer.gql(subscribe, { planId })).errors).toEqual(noPayments);
      expect((await buyer.gql(current)).data.currentSubscription).toMatchObject({ planId: '1' });
    },
  );

  it('neither ends nor sells a paid plan while payments are not set up', async () => {
    await putOn(3);
    for (const planId of ['1', '3', '4']) expect((await buyer.gql(subscribe, { planId })).errors).toEqual(noPayments);
    expect((await buyer.gql(current)).data.currentSubscription).toEqual({
      planId: '3',
      planName: 'Pro',
      status: 'active',
    });
    await putOn(1);
  });

  it.each(hostileIds)('does not find a plan %j', async (planId) => {
    expect((await buyer.gql(subscribe, { planId })).errors).toEqual(noSuchPlan);
    expect((await buyer.gql(verify, { sessionId: 'cs_1', planId })).errors).toEqual(noSuchPlan);
  });
});

describe('a checkout', () => {
  it('can not be verified while payments are not set up, with or without its plan', async () => {
    for (const planId of [undefined, null, '2', '1']) {
      expect((await buyer.gql(verify, { sessionId: 'cs_test_a1B2-3', planId })).errors).toEqual(noPayments);
    }
    expect((await buyer.gql(portal)).errors).toEqual(noPayments);
    expect((await buyer.gql(current)).data.currentSubscription.planId).toBe('1');
  });

  it.each([
    ['', 'Required'],
    ['   ', 'Required'],
    ['a b', 'Invalid input'],
    ['../../v1/customers', 'Invalid input'],
    ['cs_1\n', 'Invalid input'],
    ['cs_1\0', 'Invalid input'],
    ['<script>alert(1)</script>', 'Invalid input'],
    ['x'.repeat(256), 'Invalid input'],
  ])('is refused under the id %j', async (sessionId, message) => {
    const { errors } = await buyer.gql(verify, { sessionId });
    expect(errors).toEqual(refusal(message, 'VALIDATION'));
    expect(errors[0]?.extensions.fields).toEqual({ sessionId: message });
  });
});

it('every operation requires a session', async () => {
  const visitor = makeBrowser(api.url);
  const asked: [string, Record<string, unknown>][] = [
    [current, {}],
    [subscribe, { planId: '1' }],
    [subscribe, { planId: 'x' }],
    [verify, { sessionId: '' }],
    [portal, {}],
  ];
  for (const [query, variables] of asked) {
    expect((await visitor.gql(query, variables)).errors[0]?.extensions.code).toBe('UNAUTHENTICATED');
  }
});

it('a session whose account was deleted counts as signed out and causes no error', async () => {
  const { browser: leaver, id } = await api.user('leaver');
  await api.db.pool.query('delete from users where id = $1', [id]);
  for (const [query, variables] of [
    [current, {}],
    [subscribe, { planId: '1' }],
  ] as const) {
    expect((await leaver.gql(query, variables)).errors[0]?.extensions.code).toBe('UNAUTHENTICATED');
  }
});
