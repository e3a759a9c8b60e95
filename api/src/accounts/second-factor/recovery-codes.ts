import { createHash, randomBytes } from 'node:crypto';
import { Secret } from 'otpauth';

const CODES = 10;
const BYTES_A_CODE = 15;

/** Without what people put between the groups, and in one case. */
const plain = (code: string): string => code.replaceAll(/[\s-]/g, '').toUpperCase();

/** Ten codes of 120 random bits each, like 'ABCD-EFGH-IJKL-MNOP-QRST-UVWX'. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: CODES }, () => {
    const { buffer, byteOffset, byteLength } = randomBytes(BYTES_A_CODE);
    const text = new Secret({ buffer: buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer }).base32;
    return (text.match(/.{4}/g) ?? []).join('-');
  });

/** What is kept of a code. So many random bits need no slow hash. */
export const recoveryCodeHash = (code: string): string => createHash('sha256').update(plain(code)).digest('base64url');

/** Whether it was typed as a recovery code, not as six digits. */
export const looksLikeRecoveryCode = (code: string): boolean => /^[A-Z2-7]{24}$/.test(plain(code));
