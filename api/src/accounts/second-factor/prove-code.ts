import type { EntityManager } from '@mikro-orm/postgresql';
import { type Encryption, tryDecrypt } from '../../base/encryption.ts';
import { AppError } from '../../base/errors.ts';
import { codeNeeded } from '../../domain/forms/sign-in.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import { looksLikeRecoveryCode, recoveryCodeHash } from './recovery-codes.ts';
import { totpStep } from './totp.ts';

export interface GivenCode {
  userId: number;
  /** Six digits of the app, or a recovery code in any spelling. */
  code: string;
  now: Date;
}

/** How a code was taken. */
export type Proof = 'app' | 'recovery';

/** Whether the account asks for a code at each login. */
export async function hasSecondFactor(em: EntityManager, userId: number): Promise<boolean> {
  const { rows } = await sqlOf(em).query(
    'select 1 from second_factors where user_id = $1 and confirmed_at is not null',
    [userId],
  );
  return rows.length > 0;
}

/**
 * Uses up a code of the account's: each works once, also where two logins bring it at the same time.
 * @throws AppError VALIDATION on `code`
 */
export async function spendCode(
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
  // A code that was seen over a shoulder is worth nothing once it was used, nor is an earlier one.
  const { rows: used } = await sqlOf(em).query(
    'update second_factors set last_step = $1 where user_id = $2 and (last_step is null or last_step < $3) returning 1',
    [step, userId, step],
  );
  if (used.length !== 1) refuseCode();
  return 'app';
}

/** @throws AppError CODE_NEEDED */
export function askForCode(): never {
  throw new AppError('CODE_NEEDED', codeNeeded);
}

/** @throws AppError VALIDATION on `code` */
export function refuseCode(): never {
  const message = 'That code is wrong, or was used before. Please enter the newest one.';
  throw new AppError('VALIDATION', message, { fields: { code: message } });
}
