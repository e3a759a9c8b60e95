import { parse } from 'node:querystring';
import express, { type Request, type Response, Router } from 'express';
import { AppError } from '../../base/errors.ts';
import { helpText } from '../../messages/texts.ts';
import type { Delivery } from '../../notify/channels/sms/record-delivery.ts';
import { TWILIO_PATH } from '../../vendors/texts/twilio-path.ts';
import { isTwilioCall, twiml } from '../../vendors/texts/twilio-text.ts';

type TextWord = 'stop' | 'start' | 'help';

/** Source: Twilio's default keywords for opting out, opting in and help, which count only as the whole message. */
const words: Readonly<Record<TextWord, readonly string[]>> = {
  stop: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'],
  start: ['START', 'YES', 'UNSTOP'],
  help: ['HELP', 'INFO'],
};

/** Returns the keyword of a reply; null for any other text. Case, spaces and punctuation are ignored. */
export function readTextWord(body: string): TextWord | null {
  const [word = '', ...more] = body.toUpperCase().match(/[A-Z0-9]+/g) ?? [];
  const found = more.length > 0 ? undefined : Object.entries(words).find(([, list]) => list.includes(word));
  return (found?.[0] as TextWord | undefined) ?? null;
}

interface TwilioWebhookParts {
  /** Without it no signature can be checked, and every call is refused. */
  authToken: string | undefined;
  /** Our address as configured at Twilio, without a trailing slash. */
  publicUrl: string;
  supportEmail: string;
  /** @param phone in E.164 */
  stopTexts(phone: string): Promise<void>;
  startTexts(phone: string): Promise<void>;
  recordDelivery(delivery: Delivery): Promise<boolean>;
  /** Logs a request without a valid signature. */
  refused(request: Request): void;
}

const MAX_BODY = '64kb';
/** Short codes and alphanumeric senders are not phones of users. */
const E164 = /^\+[1-9]\d{6,14}$/;

type Form = Readonly<Record<string, string | string[] | undefined>>;

const first = (value: string | string[] | undefined): string => (Array.isArray(value) ? value[0] : value) ?? '';

/** Reads the body of a call that Twilio signed. @throws AppError VALIDATION */
function signedForm(request: Request, { authToken, publicUrl, refused }: TwilioWebhookParts): Form {
  const form = parse(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '') as Record<string, string>;
  const signature = request.get('x-twilio-signature') ?? '';
  // The signature covers the address that Twilio called; a proxy may have changed host or protocol.
  const url = publicUrl + request.originalUrl;
  if (authToken === undefined || signature === '' || !isTwilioCall(authToken, url, signature, form)) {
    refused(request);
    throw new AppError('VALIDATION', 'The signature of the text provider is missing or invalid.');
  }
  return form;
}

/**
 * Twilio itself answers STOP and START, and HELP if `OptOutType` says so. Its `OptOutType` takes precedence over the
 * text, because further keywords can be configured there.
 */
async function answerReply(parts: TwilioWebhookParts, form: Form): Promise<string> {
  const phone = first(form.From);
  const word = readTextWord(first(form.OptOutType)) ?? readTextWord(first(form.Body));
  if (word === 'stop' && E164.test(phone)) await parts.stopTexts(phone);
  if (word === 'start' && E164.test(phone)) await parts.startTexts(phone);
  return twiml(word === 'help' && form.OptOutType === undefined ? helpText(parts) : null);
}

/**
 * POST /api/webhooks/twilio: replies to our texts, and status callbacks (with `?text=` and our id). The signature alone
 * authorizes; sessions and origins are ignored.
 */
export function twilioWebhook(parts: TwilioWebhookParts): Router {
  const router = Router();
  const handle = async (request: Request, response: Response) => {
    const form = signedForm(request, parts);
    response.type('text/xml');
    if (form.MessageStatus === undefined) {
      response.send(await answerReply(parts, form));
      return;
    }
    const textId = String(request.query.text ?? '');
    if (/^[0-9a-f-]{36}$/.test(textId)) {
      const error = first(form.ErrorCode) || null;
      await parts.recordDelivery({ textId, sid: first(form.MessageSid), status: first(form.MessageStatus), error });
    }
    response.send(twiml(null));
  };
  router.post(TWILIO_PATH, express.raw({ type: () => true, limit: MAX_BODY }), handle);
  router.all(TWILIO_PATH, (_request, response) => {
    response.set('Allow', 'POST');
    throw new AppError('METHOD_NOT_ALLOWED', 'Only POST is accepted here.');
  });
  return router;
}
