import { noteLogin } from '../accounts/log-in.ts';
import { askForCode, hasSecondFactor, spendCode } from '../accounts/second-factor/prove-code.ts';
import { AppError } from '../base/errors.ts';
import { tellOwnerWith } from '../entities/shared/tell-owner.ts';
import type { Context } from './context.ts';
import { networkOf } from './log-security.ts';

/**
 * After the password of a login was right: asks for a code where the account has a second factor, and takes it.
 * @returns whether one was taken
 * @throws AppError CODE_NEEDED without a code, VALIDATION on `code`, RATE_LIMITED
 */
export async function proveSecondFactor(
  context: Context,
  userId: number,
  code: string | null | undefined,
): Promise<boolean> {
  const isAsked = await hasSecondFactor(context.em, userId);
  try {
    if (isAsked) await takeCode(context, userId, code);
  } catch (error) {
    if (error instanceof AppError) await noteLogin(context.em, { id: userId }, error.code);
    throw error;
  }
  await noteLogin(context.em, { id: userId }, 'done');
  return isAsked;
}

async function takeCode(context: Context, userId: number, code: string | null | undefined): Promise<void> {
  const { em, parts } = context;
  if (!code) askForCode();
  await parts.limits.secondFactorCode(userId);
  const network = networkOf(context);
  const now = new Date();
  try {
    const proof = await spendCode(em, parts.secondFactorSeal, { userId, code, now });
    await parts.limits.forgiveCodes(userId);
    if (proof === 'app') return;
  } catch (error) {
    if (error instanceof AppError) parts.security.note('login.code.refused', { userId, network });
    throw error;
  }
  parts.security.note('recovery.used', { userId, network });
  const data = { at: now.toISOString(), what: 'recovery_code_used' } as const;
  await tellOwnerWith(em, { userId, kind: 'second_factor_changed', data, confirmEmail: parts.confirmEmail });
}
