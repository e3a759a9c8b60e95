import express, { type RequestHandler, Router } from 'express';
import { AppError } from '../../base/errors.ts';
import type { PaymentEvent } from '../../vendors/payments/payments.ts';

interface StripeWebhookParts {
  /** Reads what Stripe signed; null where nobody takes payments. @throws AppError VALIDATION */
  readEvent: ((body: Buffer, signature: string | undefined) => PaymentEvent) | null;
  storeEvent(event: PaymentEvent): Promise<boolean>;
}

const STRIPE_PATH = '/api/webhooks/stripe';
const MOST = '1mb';

/**
 * Takes Stripe's events: the signature over the body as it came decides, so it stands before sessions, the origin's guard
 * and the limits. Answered as soon as the event is stored; the worker settles it.
 */
export function stripeWebhook({ readEvent, storeEvent }: StripeWebhookParts): RequestHandler {
  const router = Router();
  // Whatever it calls itself: nothing may read or unpack the body before the signature is checked.
  router.post(
    STRIPE_PATH,
    express.raw({ type: () => true, limit: MOST, inflate: false }),
    async (request, response) => {
      if (!readEvent) throw new AppError('NOT_CONFIGURED', 'Payments are not set up');
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const event = readEvent(body, request.get('Stripe-Signature'));
      const isNew = await storeEvent(event);
      response.json({ received: true, repeated: !isNew });
    },
  );
  router.all(STRIPE_PATH, (_request, response) => {
    response.set('Allow', 'POST');
    throw new AppError('METHOD_NOT_ALLOWED', 'Only POST is taken here.');
  });
  return router;
}
