import { Secret, TOTP } from 'otpauth';

/** What an authenticator app shows for a secret, now or so many periods from now. */
export const appCode = (secret: string, periodsFromNow = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + periodsFromNow * 30_000 });
