import express, { type Request, type RequestHandler, Router } from 'express';
import { AppError } from '../../base/errors.ts';
import type { PaymentEvent } from '../../vendors/payments/payments.ts';

interface StripeWebhookParts {
  /** Reads a signed event; null if payments are not configured. @throws AppError VALIDATION */
  readEvent: ((body: Buffer, signature: string | undefined) => PaymentEvent) | null;
  storeEvent(event: PaymentEvent): Promise<boolean>;
  /** Logs a request without a valid signature. */
  refused(request: Request): void;
}

const STRIPE_PATH = '/api/webhooks/stripe';
const MAX_BODY = '1mb';

/**
 * Receives Stripe's events. The signature over the raw body authorizes, so this comes before sessions, origin check and
 * rate limits. The response is sent once the event is stored; the worker processes it.
 */
export function stripeWebhook({ readEvent, storeEvent, refused }: StripeWebhookParts): RequestHandler {
  const router = Router();
  // Any content type: the body must not be parsed or decompressed before the signature is checked.
  router.post(
    STRIPE_PATH,
    express.raw({ type: () => true, limit: MAX_BODY, inflate: false }),
    async (request, response) => {
      if (!readEvent) throw new AppError('NOT_CONFIGURED', 'Payments are not set up');
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      let event: PaymentEvent;
      try {
        event = readEvent(body, request.get('Stripe-Signature'));
      } catch (error) {
        if (error instanceof AppError && error.code === 'VALIDATION') refused(request);
        throw error;
      }
      const isNew = await storeEvent(event);
      response.json({ received: true, repeated: !isNew });
    },
  );
  router.all(STRIPE_PATH, (_request, response) => {
    response.set('Allow', 'POST');
    throw new AppError('METHOD_NOT_ALLOWED', 'Only POST is accepted here.');
  });
  return router;
}
