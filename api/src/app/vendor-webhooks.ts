import type { Request, RequestHandler } from 'express';
import { networkOf } from '../base/addresses/network.ts';
import type { Pool } from '../base/database.ts';
import { inRetriedTransaction } from '../base/retried-transaction.ts';
import type { SecurityLog } from '../base/security-events.ts';
import type { Settings } from '../base/settings/settings.ts';
import { storeEvent } from '../billing/store-event.ts';
import type { AddressOf } from '../http/client-address.ts';
import { recordMailEvents } from '../notify/channels/email/record-events.ts';
import { recordDelivery } from '../notify/channels/sms/record-delivery.ts';
import { startTexts, stopTexts } from '../notify/channels/sms/stop-texts.ts';
import { sendgridWebhook } from '../rest/webhooks/sendgrid-webhook.ts';
import { stripeWebhook } from '../rest/webhooks/stripe-webhook.ts';
import { twilioWebhook } from '../rest/webhooks/twilio-webhook.ts';
import type { Payments } from '../vendors/payments/payments.ts';

interface WebhookParts {
  settings: Settings;
  pool: Pool;
  payments: Payments | null;
  security: SecurityLog;
  addressOf: AddressOf;
}

/** Takes the calls of SendGrid, Twilio and Stripe. A call without a valid signature is logged as a security event. */
export function vendorWebhooks({ settings, pool, payments, security, addressOf }: WebhookParts): RequestHandler[] {
  const refused = (vendor: string) => (request: Request) =>
    security.record('signature.refused', { vendor, network: security.hash(networkOf(addressOf(request))) });
  return [
    sendgridWebhook({
      publicKey: settings.mail.sendgridWebhookKey,
      recordEvents: (events) => recordMailEvents(pool, events),
      refused: refused('sendgrid'),
      networkOf: (request) => networkOf(addressOf(request)),
    }),
    twilioWebhook({
      authToken: settings.texts.authToken,
      publicUrl: settings.publicUrl,
      supportEmail: settings.mail.support,
      stopTexts: (phone) => inRetriedTransaction(pool, (client) => stopTexts(client, phone)),
      startTexts: (phone) => startTexts(pool, phone),
      recordDelivery: (delivery) => recordDelivery(pool, delivery),
      refused: refused('twilio'),
    }),
    stripeWebhook({
      readEvent: payments && ((body, signature) => payments.readEvent(body, signature)),
      storeEvent: (event) => storeEvent(pool, event),
      refused: refused('stripe'),
    }),
  ];
}
