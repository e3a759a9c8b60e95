import { noteLogin } from '../accounts/log-in.ts';
import { askForCode, hasSecondFactor, spendCode } from '../accounts/second-factor/prove-code.ts';
import { AppError } from '../base/errors.ts';
import { tellOwnerWith } from '../entities/shared/tell-owner.ts';
import type { Context } from './context.ts';
import { networkOf } from './log-security.ts';

interface GivenCode {
  code: string | null | undefined;
  /** What the caller's device is called for the account; null where it was not signed in to it before. */
  device: string | null;
}

/**
 * After the password of a login was right: asks for a code where the account has a second factor, and takes it.
 * @returns whether one was taken
 * @throws AppError CODE_NEEDED without a code, VALIDATION on `code`, RATE_LIMITED
 */
export async function proveSecondFactor(
  context: Context,
  userId: number,
  { code, device }: GivenCode,
): Promise<boolean> {
  const isAsked = await hasSecondFactor(context.em, userId);
  try {
    if (isAsked) await takeCode(context, userId, { code, device });
  } catch (error) {
    // What a limit refuses fills no log.
    if (error instanceof AppError && error.code !== 'RATE_LIMITED')
      await noteLogin(context.em, { id: userId }, error.code);
    throw error;
  }
  await noteLogin(context.em, { id: userId }, 'done');
  return isAsked;
}

async function takeCode(context: Context, userId: number, { code, device }: GivenCode): Promise<void> {
  if (!code) askForCode();
  const { em, parts } = context;
  await parts.limits.secondFactorCode(userId, device);
  const network = networkOf(context);
  const now = new Date();
  try {
    await em.transactional(async (tx) => {
      const proof = await spendCode(tx, parts.secondFactorEncryption, { userId, code, now });
      if (proof === 'app') return;
      parts.security.note('recovery.used', { userId, network });
      const data = { at: now.toISOString(), what: 'recovery_code_used' } as const;
      await tellOwnerWith(tx, { userId, kind: 'second_factor_changed', data, confirmEmail: parts.confirmEmail });
    });
  } catch (error) {
    if (error instanceof AppError) parts.security.note('login.code.refused', { userId, network });
    throw error;
  }
  await parts.limits.forgiveCodes(userId, device);
}
