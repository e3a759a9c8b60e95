import { randomBytes } from 'node:crypto';

const signs = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** An id as Stripe makes them: a prefix that says the kind, and letters that nobody guesses. */
export function newId(prefix: string, length = 24): string {
  const letters = Array.from(randomBytes(length), (byte) => signs[byte % signs.length]);
  return `${prefix}_${letters.join('')}`;
}

/** Stripe's times: whole seconds since 1970. */
export const inSeconds = (time: Date): number => Math.floor(time.getTime() / 1000);
