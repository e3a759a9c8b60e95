/** Where Twilio reports to us. */
export const TWILIO_PATH = '/api/webhooks/twilio';
