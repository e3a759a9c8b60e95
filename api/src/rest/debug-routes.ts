import type { IncomingMessage } from 'node:http';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type RequestHandler, Router } from 'express';
import type { Caller } from '../accounts/signed-in.ts';
import { canCreateAlert } from '../alerts/can-create-alert.ts';
import type { Queryable } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import { currentSubscription } from '../billing/current-subscription.ts';
import { listPlans } from '../billing/list-plans.ts';
import { seedPlans } from '../billing/seed-plans.ts';
import { planList } from '../domain/plan-list.ts';
import { planPriceText } from '../domain/plan-price.ts';

export interface DebugParts {
  pool: Queryable;
  em: EntityManager;
  callerOf(request: IncomingMessage): Caller;
}

/** The plans as REST shows them, and whether all of the product's are there. */
async function readPlans(em: EntityManager) {
  const plans = (await listPlans(em)).map(({ price, ...plan }) => ({
    ...plan,
    price: planPriceText(price),
    monthlyPrice: planPriceText(price),
  }));
  const isComplete = planList.every(({ id }) => plans.some((plan) => plan.id === id));
  return { count: plans.length, status: isComplete ? 'ok' : 'incomplete', plans };
}

/** GET /debug/…: what the error view of the plans page looks at. For places where nothing is charged, so never in production. */
export function debugRoutes({ pool, em, callerOf }: DebugParts): RequestHandler {
  const router = Router();
  const answers: Record<string, (viewer: Caller['viewer']) => Promise<object>> = {
    '/debug/subscription': async (viewer) => {
      if (!viewer) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
      const subscription = await currentSubscription(em.fork(), viewer);
      return { status: 'ok', subscription, canCreateAlert: await canCreateAlert(em.fork(), viewer) };
    },
    '/debug/subscription-plans': () => readPlans(em.fork()),
    '/debug/ensure-subscription-plans': async () => {
      await seedPlans(pool);
      return { message: 'The default plans are there.', ...(await readPlans(em.fork())) };
    },
  };
  for (const [path, answer] of Object.entries(answers)) {
    router.all(path, async (request, response) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.set('Allow', 'GET, HEAD');
        throw new AppError('METHOD_NOT_ALLOWED', 'Only GET is taken here.');
      }
      const body = await answer(callerOf(request).viewer);
      response.set('Cache-Control', 'no-store').json(body);
    });
  }
  return router;
}
