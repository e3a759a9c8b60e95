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

    it('is held by everybody', async () => {
      const { ana, ben, succeed } = of();
      const free = { planId: 1, subscriptionPlanId: 1, planName: 'Free', status: 'active', currentPeriodEnd: null };
      expect((await succeed('GET /api/subscription/current', { as: ana })).body).toMatchObject(free);
      expect((await succeed('GET /api/debug/subscription', { as: ana })).body.subscription).toMatchObject(free);
      expect((await succeed('GET /api/subscription/current', { as: ben })).body).toMatchObject({
        planId: 4,
        planName: 'Elite',
      });
      const room = (await succeed('GET /api/subscription/can-create-alert', { as: ben })).body;
      expect(room).toMatchObject({ canCreateAlert: true, needsUpgrade: false, alertLimit: 100 });
    });

    it('is chosen: Free at once, a paid one where somebody takes payments', async () => {
      const { ana, succeed, refuse } = of();
      const choose = 'POST /api/subscription';
      expect((await succeed(choose, { as: ana, body: { planId: 1 } })).body.subscription.planId).toBe(1);
      for (const planId of [2, 3, 4]) await refuse('NOT_CONFIGURED', choose, { as: ana, body: { planId } });
      for (const planId of [0, 5, -1, 2 ** 40]) {
        const reply = await refuse('NOT_FOUND', choose, { as: ana, body: { planId } });
        expect(reply.body.message).toBe('Selected plan not found');
      }
      for (const body of [{}, { planId: null }, { planId: '' }]) {
        const reply = await refuse('VALIDATION', choose, { as: ana, body });
        expect(Object.keys(reply.body.fields)).toEqual(['planId']);
      }
    });

    it('is looked at where it was paid', async () => {
      const { ana, refuse } = of();
      const look = 'GET /api/subscription/session';
      for (const query of ['', 'session_id=', 'other=1']) await refuse('VALIDATION', look, { as: ana, query });
      await refuse('NOT_CONFIGURED', look, { as: ana, query: 'session_id=cs_test_1' });
      const verify = 'POST /api/subscription/verify';
      for (const body of [{ sessionId: 'cs_test_1', planId: 2 }, { sessionId: 'cs_test_1' }]) {
        await refuse('NOT_CONFIGURED', verify, { as: ana, body });
      }
      for (const body of [{}, { sessionId: '', planId: 2 }, { sessionId: null }]) {
        const reply = await refuse('VALIDATION', verify, { as: ana, body });
        expect(Object.keys(reply.body.fields)).toEqual(['sessionId']);
      }
      await refuse('NOT_FOUND', verify, { as: ana, body: { sessionId: 'cs_test_1', planId: 99 } });
    });
  });
}
