import twilio from 'twilio';

/**
 * Whether Twilio made this call of our webhook, by its own check.
 * @param url as Twilio knows it, with its query @param signature of the header X-Twilio-Signature
 * @param form every field of the body
 */
export function isTwilioCall(
  authToken: string,
  url: string,
  signature: string,
  form: Readonly<Record<string, string | string[]>>,
): boolean {
  return twilio.validateRequest(authToken, signature, url, { ...form });
}

/** An answer that texts nothing, or one text, back. */
export function twiml(text: string | null): string {
  const response = new twilio.twiml.MessagingResponse();
  if (text !== null) response.message(text);
  return response.toString();
}
