import express, { type Request, Router } from 'express';
import { AppError } from '../../base/errors.ts';
import type { MailEvent } from '../../vendors/mail.ts';
import { isSendgridCall, readSendgridEvents } from '../../vendors/sendgrid-events.ts';

interface SendgridWebhookParts {
  /** Without it there is no such path. */
  publicKey: string | undefined;
  recordEvents(events: readonly MailEvent[]): Promise<number>;
  /** Logs a request without a valid signature. */
  refused(request: Request): void;
}

const SENDGRID_PATH = '/api/webhooks/sendgrid';
/** SendGrid posts batches of less than a megabyte. */
const MAX_BODY = '4mb';

/**
 * POST /api/webhooks/sendgrid: what SendGrid reports of mails, in batches. The signature over the timestamp and the raw body
 * authorizes, so this comes before sessions, origin check and rate limits. A batch is answered once it is recorded, as
 * SendGrid repeats it otherwise.
 */
export function sendgridWebhook({ publicKey, recordEvents, refused }: SendgridWebhookParts): Router {
  const router = Router();
  if (publicKey === undefined) return router;
  // Any content type: the body must not be parsed or decompressed before the signature is checked.
  const raw = express.raw({ type: () => true, limit: MAX_BODY, inflate: false });
  router.post(SENDGRID_PATH, raw, async (request, response) => {
    const signed = {
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      signature: request.get('X-Twilio-Email-Event-Webhook-Signature'),
      timestamp: request.get('X-Twilio-Email-Event-Webhook-Timestamp'),
    };
    if (!isSendgridCall(publicKey, signed, new Date())) {
      refused(request);
      throw new AppError('VALIDATION', 'The signature of the mail provider is missing, invalid or too old.');
    }
    const events = readSendgridEvents(signed.body);
    response.json({ received: events.length, recorded: await recordEvents(events) });
  });
  router.all(SENDGRID_PATH, (_request, response) => {
    response.set('Allow', 'POST');
    throw new AppError('METHOD_NOT_ALLOWED', 'Only POST is accepted here.');
  });
  return router;
}
