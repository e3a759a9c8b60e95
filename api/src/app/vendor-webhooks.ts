import type { RequestHandler } from 'express';
import { inTransaction, type Pool } from '../base/database.ts';
import type { Settings } from '../base/settings/settings.ts';
import { storeEvent } from '../billing/process-events.ts';
import { startTexts, stopTexts } from '../entities/shared/texts.ts';
import { recordDelivery } from '../notify/channels/sms/record-delivery.ts';
import { stripeWebhook } from '../rest/webhooks/stripe-webhook.ts';
import { twilioWebhook } from '../rest/webhooks/twilio-webhook.ts';
import type { Payments } from '../vendors/payments/payments.ts';

/** What Twilio and Stripe tell us, each written down as it comes. */
export function vendorWebhooks(settings: Settings, pool: Pool, payments: Payments | null): RequestHandler[] {
  return [
    twilioWebhook({
      authToken: settings.texts.authToken,
      publicUrl: settings.publicUrl,
      supportEmail: settings.mail.support,
      stopTexts: (phone) => inTransaction(pool, (client) => stopTexts(client, phone)),
      startTexts: (phone) => startTexts(pool, phone),
      recordDelivery: (delivery) => recordDelivery(pool, delivery),
    }),
    stripeWebhook({
      readEvent: payments && ((body, signature) => payments.readEvent(body, signature)),
      storeEvent: (event) => storeEvent(pool, event),
    }),
  ];
}
