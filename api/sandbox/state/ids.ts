import { randomBytes } from 'node:crypto';

const signs = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** An id like Stripe's: a prefix for the kind, and random letters. */
export function newId(prefix: string, length = 24): string {
  const letters = Array.from(randomBytes(length), (byte) => signs[byte % signs.length]);
  return `${prefix}_${letters.join('')}`;
}

/** A time as Stripe states it: whole seconds since 1970. */
export const inSeconds = (time: Date): number => Math.floor(time.getTime() / 1000);
