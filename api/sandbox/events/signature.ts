import { createHmac } from 'node:crypto';

/**
 * The header that proves that an event is ours. @param at seconds since 1970
 * Source: Stripe's "Verify webhook signatures manually".
 */
export function signatureHeader(payload: string, secret: string, at: number): string {
  const signed = createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex');
  return `t=${at},v1=${signed}`;
}
