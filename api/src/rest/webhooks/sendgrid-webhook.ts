import express, { type Request, type RequestHandler, Router } from 'express';
import { AppError } from '../../base/errors.ts';
import type { MailEvent } from '../../vendors/mail.ts';
import { hasFreshSignature, isSendgridCall, readSendgridEvents } from '../../vendors/sendgrid-events.ts';

interface SendgridWebhookParts {
  /** Without it there is no such path. */
  publicKey: string | undefined;
  recordEvents(events: readonly MailEvent[]): Promise<number>;
  /** Logs a request without a valid signature. */
  refused(request: Request): void;
  /** The network of the caller. */
  networkOf(request: Request): string;
}

const SENDGRID_PATH = '/api/webhooks/sendgrid';
/** SendGrid posts batches of 768 KB at most. */
const MAX_BODY = '1mb';
/** Bodies that are read or recorded concurrently: so many are in memory before their signatures are checked. */
const MAX_AT_ONCE = { all: 64, network: 16 };
const RETRY_AFTER_SECONDS = 5;
/** For how long a body may arrive: its signature can be checked only then, and its place is one of few. */
const BODY_MS = 5_000;

const signatureOf = (request: Request) => ({
  signature: request.get('X-Twilio-Email-Event-Webhook-Signature'),
  timestamp: request.get('X-Twilio-Email-Event-Webhook-Timestamp'),
});

/** Limits the concurrent requests, in total and of each network, so that one network can't keep out SendGrid's. */
function limitAtOnce(networkOf: (request: Request) => string): RequestHandler {
  const underWay = new Map<string, number>();
  let all = 0;
  return (request, response, next) => {
    const network = networkOf(request);
    const ofNetwork = underWay.get(network) ?? 0;
    if (all >= MAX_AT_ONCE.all || ofNetwork >= MAX_AT_ONCE.network) {
      throw new AppError('UNAVAILABLE', 'Too many reports are being recorded. Please post this one again.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    all += 1;
    underWay.set(network, ofNetwork + 1);
    response.once('close', () => {
      all -= 1;
      const left = (underWay.get(network) ?? 1) - 1;
      if (left > 0) underWay.set(network, left);
      else underWay.delete(network);
    });
    next();
  };
}

/** Ends a request whose body is not complete in time. @param read reads the body */
function readInTime(read: RequestHandler): RequestHandler {
  return (request, response, next) => {
    let isOver = false;
    const end = (error?: unknown) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      next(error);
    };
    const timer = setTimeout(() => {
      response.set('Connection', 'close');
      end(new AppError('MALFORMED', `The body did not arrive within ${BODY_MS / 1000} seconds.`));
    }, BODY_MS);
    read(request, response, end);
  };
}

/**
 * POST /api/webhooks/sendgrid: what SendGrid reports of mails, in batches. The signature over the timestamp and the raw body
 * authorizes, so this comes before sessions, origin check and rate limits. A batch is answered once it is recorded, as
 * SendGrid repeats it otherwise. No body is read without a signature of now.
 */
export function sendgridWebhook({ publicKey, recordEvents, refused, networkOf }: SendgridWebhookParts): Router {
  const router = Router();
  if (publicKey === undefined) return router;
  const refuse = (request: Request): never => {
    refused(request);
    throw new AppError('VALIDATION', 'The signature of the mail provider is missing, invalid or too old.');
  };
  const requireFreshSignature: RequestHandler = (request, response, next) => {
    if (hasFreshSignature(signatureOf(request), new Date())) return next();
    // The rest of the body is not waited for.
    response.set('Connection', 'close');
    refuse(request);
  };
  // Any content type: the body must not be parsed or decompressed before the signature is checked.
  const raw = express.raw({ type: () => true, limit: MAX_BODY, inflate: false });
  router.post(
    SENDGRID_PATH,
    requireFreshSignature,
    limitAtOnce(networkOf),
    readInTime(raw),
    async (request, response) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      if (!isSendgridCall(publicKey, { body, ...signatureOf(request) }, new Date())) refuse(request);
      const events = readSendgridEvents(body);
      response.json({ received: events.length, recorded: await recordEvents(events) });
    },
  );
  router.all(SENDGRID_PATH, (_request, response) => {
    response.set('Allow', 'POST');
    throw new AppError('METHOD_NOT_ALLOWED', 'Only POST is accepted here.');
  });
  return router;
}
