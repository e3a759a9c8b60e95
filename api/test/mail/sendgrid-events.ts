import { createSign, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

/** The key that SendGrid's settings show, of the pair with which the tests sign. */
export const WEBHOOK_KEY = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

/** An event as SendGrid reports it, delivered now. */
export const sendgridEvent = (mailId: string, email: string, more: Record<string, unknown> = {}) => ({
  email,
  timestamp: Math.floor(Date.now() / 1000),
  'smtp-id': '<14c5d75ce93.dfd.64b469@ismtpd-555>',
  event: 'delivered',
  category: ['match'],
  sg_event_id: randomUUID(),
  sg_message_id: '14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0',
  response: '250 OK',
  lotwatch_id: mailId,
  ...more,
});

/** Signs a body as SendGrid does. @param at of the signature @param key of somebody else */
export function signedEvents(
  body: unknown,
  { at = new Date(), key = privateKey }: { at?: Date; key?: KeyObject } = {},
): { body: string; headers: Record<string, string> } {
  const text = typeof body === 'string' ? body : `${JSON.stringify(body)}\r\n`;
  const timestamp = String(Math.floor(at.getTime() / 1000));
  return {
    body: text,
    headers: {
      'content-type': 'application/json',
      'x-twilio-email-event-webhook-signature': createSign('sha256').update(timestamp).update(text).sign(key, 'base64'),
      'x-twilio-email-event-webhook-timestamp': timestamp,
    },
  };
}
