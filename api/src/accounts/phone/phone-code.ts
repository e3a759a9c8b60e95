import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { allOf, newestOf, type Secret } from '../../base/secret.ts';
import { phoneCodes } from '../../domain/text-limits.ts';

/** Whose phone a code confirms. */
export interface CodeOf {
  userId: number;
  /** E.164. */
  phone: string;
}

export function newCode(): string {
  return String(randomInt(10 ** phoneCodes.digits)).padStart(phoneCodes.digits, '0');
}

/** What is kept of a code. Six digits alone would be found from their hash by trying: the secret is not in the database. */
export function codeHash(secret: Secret, { userId, phone }: CodeOf, code: string): Buffer {
  return createHmac('sha256', newestOf(secret)).update(`phone code\n${userId}\n${phone}\n${code}`).digest();
}

/** Takes equally long whatever differs. A code that was texted under an earlier secret counts too. */
export function isCode(secret: Secret, of: CodeOf, code: string, kept: Buffer): boolean {
  return allOf(secret).some((one) => {
    const hash = codeHash(one, of, code);
    return hash.length === kept.length && timingSafeEqual(hash, kept);
  });
}

/** '123 456' as '123456'; null for what can't be a code. */
export function readCode(typed: string): string | null {
  const digits = typed.replaceAll(/[\s-]/g, '');
  return /^\d{6}$/.test(digits) ? digits : null;
}
