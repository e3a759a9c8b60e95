import { describe, expect, it } from 'vitest';
import type { World } from './world.ts';

export function plans(of: () => World): void {
  describe('a plan', () => {
    it('is one of four', async () => {
      const { body } = await of().succeed('GET /api/subscription/plans', { as: of().visitor });
      expect(body).toMatchObject([
        { id: 1, name: 'Free', price: '0', monthlyPrice: '0', alertLimit: 1 },
        { id: 2, name: 'Starter', price: '4.99', monthlyPrice: '4.99', alertLimit: 5 },
        { id: 3, name: 'Pro', price: '14.99', monthlyPrice: '14.99', alertLimit: 20, isPopular: true },
        { id: 4, name: 'Elite', price: '69.99', monthlyPrice: '69.99', alertLimit: 100 },
      ]);
      for (const call of ['GET /api/debug/subscription-plans', 'GET /api/debug/ensure-subscription-plans']) {
        expect((await of().succeed(call)).body).toMatchObject({ count: 4 });
      }
    });

    it('is set for every user', async () => {
      const { ana, ben, succeed } = of();
      const free = { planId: 1, subscriptionPlanId: 1, planName: 'Free', status: 'active', currentPeriodEnd: null };
      expect((await succeed('GET /api/subscription/current', { as: ana })).body).toMatchObject(free);
      expect((await succeed('GET /api/debug/subscription', { as: ana })).body.subscription).toMatchObject(free);
      expect((await succeed('GET /api/subscription/current', { as: ben })).body).toMatchObject({
        planId: 4,
        planName: 'Elite',
      });
      const quota = (await succeed('GET /api/subscription/can-create-alert', { as: ben })).body;
      expect(quota).toMatchObject({ canCreateAlert: true, needsUpgrade: false, alertLimit: 100 });
    });

    it('is chosen: Free takes effect at once, a paid plan gives a checkout', async () => {
      const { ana, send, succeed, refuse } = of();
      const choose = 'POST /api/subscription';
      expect((await succeed(choose, { as: ana, body: { planId: 1 } })).body.subscription.planId).toBe(1);
      for (const planId of [2, 3, 4]) {
        const { status, body } = await send(choose, { as: ana, body: { planId } });
        expect([status, body]).toEqual([200, { url: expect.stringMatching(/^https:/), sessionId: expect.any(String) }]);
        const look = { as: ana, query: `session_id=${body.sessionId}` };
        const open = { id: body.sessionId, status: 'open', metadata: { planId: String(planId) } };
        expect((await succeed('GET /api/subscription/session', look)).body).toMatchObject(open);
      }
      for (const planId of [0, 5, -1, 2 ** 40]) {
        const reply = await refuse('NOT_FOUND', choose, { as: ana, body: { planId } });
        expect(reply.body.message).toBe('Selected plan not found');
      }
      for (const body of [{}, { planId: null }, { planId: '' }]) {
        const reply = await refuse('VALIDATION', choose, { as: ana, body });
        expect(Object.keys(reply.body.fields)).toEqual(['planId']);
      }
    });

    it('has one checkout, however often it is chosen with one Idempotency-Key', async () => {
      const { signUp, send, refuse, payments } = of();
      const choose = 'POST /api/subscription';
      const ida = await signUp('ida');
      const options = { as: ida, body: { planId: 2 }, headers: { 'idempotency-key': 'a-choice-of-ida' } };
      payments.fault = 'silent';
      await refuse('VENDOR', choose, options);
      payments.fault = null;
      const answers = await Promise.all([1, 2, 3].map(() => send(choose, options)));
      const [{ body }] = answers as [(typeof answers)[0]];
      for (const answer of answers) expect(answer.body).toEqual(body);
      const ofIda = [...payments.checkouts.values()].filter(
        ({ customerId }) => customerId === payments.checkouts.get(body.sessionId)?.customerId,
      );
      expect(ofIda).toHaveLength(1);
      await refuse('CONFLICT', choose, { ...options, body: { planId: 3 } });
    });

    it('is verified by the checkout of its buyer', async () => {
      const { ana, ben, checkoutOfBen, succeed, refuse, payments } = of();
      const look = 'GET /api/subscription/session';
      for (const query of ['', 'session_id=', 'other=1']) await refuse('VALIDATION', look, { as: ana, query });
      for (const id of ['cs_test_madeup', checkoutOfBen]) {
        await refuse('NOT_FOUND', look, { as: ana, query: `session_id=${id}` });
        await refuse('NOT_FOUND', 'POST /api/subscription/verify', { as: ana, body: { sessionId: id } });
      }
      const verify = 'POST /api/subscription/verify';
      for (const body of [{}, { sessionId: '', planId: 2 }, { sessionId: null }]) {
        const reply = await refuse('VALIDATION', verify, { as: ana, body });
        expect(Object.keys(reply.body.fields)).toEqual(['sessionId']);
      }
      await refuse('NOT_FOUND', verify, { as: ana, body: { sessionId: 'cs_test_1', planId: 99 } });
      await refuse('CONFLICT', verify, { as: ben, body: { sessionId: checkoutOfBen, planId: 3 } });
      const unpaid = await succeed(verify, { as: ben, body: { sessionId: checkoutOfBen, planId: 2 } });
      expect(unpaid.body).toMatchObject({ paid: false, subscription: { planId: 4 } });
      payments.fault = 'silent';
      await refuse('VENDOR', verify, { as: ben, body: { sessionId: checkoutOfBen } });
      payments.fault = null;
      const { signUp, send } = of();
      const jon = await signUp('jon');
      const { body } = await send('POST /api/subscription', { as: jon, body: { planId: 2 } });
      payments.pay(body.sessionId);
      const paid = await succeed(verify, { as: jon, body: { sessionId: body.sessionId, planId: 2 } });
      expect(paid.body).toMatchObject({
        paid: true,
        subscription: { planId: 2, planName: 'Starter', status: 'active' },
      });
      expect((await succeed('GET /api/subscription/current', { as: jon })).body).toMatchObject({ planId: 2 });
    });
  });
}
