import { createHash, randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Secret, TOTP } from 'otpauth';
import { type Encryption, tryDecrypt } from '../../base/encryption.ts';
import { AppError } from '../../base/errors.ts';
import { codeNeeded } from '../../domain/forms/sign-in.ts';
import { sqlOf } from '../../entities/sql-of.ts';

const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
/** A code is accepted one period early and late, since clocks differ and people type slowly. */
const WINDOW = 1;

const totpOf = (secret: string, label = '') =>
  new TOTP({
    issuer: 'LotWatch',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });

/** Makes a secret of 160 bits, in base32. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The URI in the QR code for an authenticator app. Source: the key URI format of Google Authenticator. */
export const totpUri = (secret: string, username: string): string => totpOf(secret, username).toString();

/**
 * The number of the code's period since 1970; null when the code is not valid now.
 * Source: RFC 6238 with six digits, 30 seconds and HMAC-SHA-1, which every app supports.
 */
export function totpStep(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = totpOf(secret).validate({ token: code, timestamp: now.getTime(), window: WINDOW });
  return delta === null ? null : Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + delta;
}

const CODES = 10;
const BYTES_A_CODE = 15;

/** The code in upper case, without spaces and hyphens. */
const plain = (code: string): string => code.replaceAll(/[\s-]/g, '').toUpperCase();

/** Makes ten codes of 120 random bits each, like 'ABCD-EFGH-IJKL-MNOP-QRST-UVWX'. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: CODES }, () => {
    const { buffer, byteOffset, byteLength } = randomBytes(BYTES_A_CODE);
    const text = new Secret({ buffer: buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer }).base32;
    return (text.match(/.{4}/g) ?? []).join('-');
  });

/** The stored hash of a code. With so many random bits it need not be a slow one. */
export const recoveryCodeHash = (code: string): string => createHash('sha256').update(plain(code)).digest('base64url');

/** Whether the text has the shape of a recovery code rather than six digits. */
const looksLikeRecoveryCode = (code: string): boolean => /^[A-Z2-7]{24}$/.test(plain(code));

interface GivenCode {
  userId: number;
  /** Six digits from the app, or a recovery code in any spelling. */
  code: string;
  now: Date;
}

/** Which kind of code was accepted. */
type Proof = 'app' | 'recovery';

/** Whether the account asks for a code at each login. */
export async function hasSecondFactor(em: EntityManager, userId: number): Promise<boolean> {
  const { rows } = await sqlOf(em).query(
    'select 1 from second_factors where user_id = $1 and confirmed_at is not null',
    [userId],
  );
  return rows.length > 0;
}

/**
 * Verifies a code of the account and uses it up: each code works once, also for two logins at the same time.
 * @throws AppError VALIDATION on `code`
 */
export async function consumeCode(
  em: EntityManager,
  encryption: Encryption,
  { userId, code, now }: GivenCode,
): Promise<Proof> {
  if (looksLikeRecoveryCode(code)) {
    const { rows: used } = await sqlOf(em).query(
      'update recovery_codes set used_at = $1 where user_id = $2 and code_hash = $3 and used_at is null returning 1',
      [now, userId, recoveryCodeHash(code)],
    );
    if (used.length === 1) return 'recovery';
    refuseCode();
  }
  const { rows } = await sqlOf(em).query<{ ciphertext: string }>(
    'select secret_ciphertext as ciphertext from second_factors where user_id = $1 and confirmed_at is not null',
    [userId],
  );
  const secret = rows[0] ? tryDecrypt(encryption, rows[0].ciphertext) : null;
  const step = secret === null ? null : totpStep(secret, code.replaceAll(/\s/g, ''), now);
  if (step === null) refuseCode();
  // A used code is refused, and so are earlier ones, in case somebody has read them off the screen.
  const { rows: used } = await sqlOf(em).query(
    'update second_factors set last_step = $1 where user_id = $2 and (last_step is null or last_step < $3) returning 1',
    [step, userId, step],
  );
  if (used.length !== 1) refuseCode();
  return 'app';
}

/** @throws AppError CODE_NEEDED */
export function requireCode(): never {
  throw new AppError('CODE_NEEDED', codeNeeded);
}

/** @throws AppError VALIDATION on `code` */
export function refuseCode(): never {
  const message = 'That code is wrong, or was used before. Please enter the newest one.';
  throw new AppError('VALIDATION', message, { fields: { code: message } });
}
