import { createHash } from 'node:crypto';

/**
 * What a reset link says of the account it was made for: another one once the password or the address has changed, so
 * that a link works once, and only for the address it was mailed to.
 */
export function passwordMark(passwordHash: string, email: string): string {
  const digest = createHash('sha256').update(`${passwordHash}\n${email.toLowerCase()}`).digest();
  return digest.subarray(0, 18).toString('base64url');
}
