import { expect, it } from 'vitest';
import { makeBrowser } from '../../../test/browser.ts';
import { makeTestApi, PRODUCTION, setUpApi, startsInProduction } from '../../../test/make-app.ts';

const api = setUpApi();

const paths = ['/api/debug/subscription', '/api/debug/subscription-plans', '/api/debug/ensure-subscription-plans'];

async function ask(path: string, browser = makeBrowser(api.url), init: RequestInit = {}) {
  const answer = await browser.fetch(path, init);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

it("shows a user's plan and its limit, and refuses visitors", async () => {
  const { browser: buyer } = await api.user('buyer');
  const { status, headers, body } = await ask('/api/debug/subscription', buyer);
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toEqual({
    status: 'ok',
    subscription: {
      planId: 1,
      subscriptionPlanId: 1,
      planName: 'Free',
      status: 'active',
      currentPeriodEnd: null,
      graceEndsAt: null,
      alertsToResume: 0,
    },
    canCreateAlert: { canCreateAlert: true, needsUpgrade: false, alertsUsed: 0, alertLimit: 1, alertsToResume: 0 },
  });
  const visitor = await ask('/api/debug/subscription');
  expect(visitor).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED', message: 'Please sign in first.' } });
});

it('counts the plans, reports a missing one, and creates it once in concurrent calls', async () => {
  const free = { id: 1, name: 'Free', price: '0', monthlyPrice: '0', alertLimit: 1, isPopular: false };
  const whole = await ask('/api/debug/subscription-plans');
  expect(whole).toMatchObject({
    status: 200,
    body: { count: 4, status: 'ok', plans: [free, {}, { price: '14.99' }, {}] },
  });
  await api.db.pool.query('delete from plans where id = 4');
  expect((await ask('/api/debug/subscription-plans')).body).toMatchObject({ count: 3, status: 'incomplete' });
  const made = await Promise.all(Array.from({ length: 12 }, () => ask('/api/debug/ensure-subscription-plans')));
  for (const { status, body } of made) {
    expect([status, body.count, body.status]).toEqual([200, 4, 'ok']);
    expect(body).toEqual({ message: 'The default plans are there.', ...whole.body });
  }
});

it.each(paths)('%s accepts GET only', async (path) => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    const { status, headers, body } = await ask(path, undefined, { method });
    expect([status, headers.get('allow'), body.code]).toEqual([405, 'GET, HEAD', 'METHOD_NOT_ALLOWED']);
  }
});

it('counts against the same rate limit as all other calls', async () => {
  const limited = await makeTestApi({ db: api.db, env: { RATE_LIMITS: 'on', RATE_REQUESTS_PER_USER: '1' } });
  const visitor = makeBrowser(limited.url);
  expect((await ask('/api/debug/subscription-plans', visitor)).status).toBe(200);
  const refused = await ask('/api/debug/ensure-subscription-plans', visitor);
  expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
  await limited.close();
});

it.runIf(startsInProduction)('is not found in production, signed in or not', async () => {
  const production = await makeTestApi({ db: api.db, env: PRODUCTION });
  await api.db.pool.query('delete from plans where id = 4');
  const buyer = makeBrowser(production.url, PRODUCTION.PUBLIC_URL);
  await buyer.register('in-production');
  for (const path of paths) {
    for (const browser of [buyer, makeBrowser(production.url)]) {
      const { status, body } = await ask(path, browser);
      expect([status, body]).toEqual([404, { code: 'NOT_FOUND', message: 'Not found' }]);
    }
  }
  expect((await api.db.pool.query('select 1 from plans')).rowCount).toBe(3);
  await production.close();
});
