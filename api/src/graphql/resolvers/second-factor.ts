import { GraphQLDateTime } from 'graphql-scalars';
import { Arg, Ctx, Field, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { auditLogin } from '../../accounts/log-in.ts';
import {
  confirmSecondFactor,
  endSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
} from '../../accounts/second-factor/manage-second-factor.ts';
import { consumeCode, hasSecondFactor, requireCode } from '../../accounts/second-factor/verify-code.ts';
import type { Viewer } from '../../accounts/signed-in.ts';
import { AppError } from '../../base/errors.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import { notifyOwner } from '../../notify/notify-owner.ts';
import { isAdmin, requireViewer } from '../../policies/admin.ts';
import { type Context, requireSession } from '../context.ts';
import { networkOf } from '../log-operations.ts';
import { Message } from './message.ts';

interface GivenCode {
  code: string | null | undefined;
  /** The name of the caller's device for the account; null if it never signed in before. */
  device: string | null;
}

/**
 * Completes a login after the password: requires a code if the account has a second factor, and uses it up.
 * @returns whether a code was used
 * @throws AppError CODE_NEEDED without a code, VALIDATION on `code`, RATE_LIMITED
 */
export async function requireSecondFactor(
  context: Context,
  userId: number,
  { code, device }: GivenCode,
): Promise<boolean> {
  const isRequired = await hasSecondFactor(context.em, userId);
  try {
    if (isRequired) await verifyCode(context, userId, { code, device });
  } catch (error) {
    // Attempts that a rate limit refuses are not logged, so that they can't fill the log.
    if (error instanceof AppError && error.code !== 'RATE_LIMITED')
      await auditLogin(context.em, { id: userId }, error.code);
    throw error;
  }
  await auditLogin(context.em, { id: userId }, 'done');
  return isRequired;
}

async function verifyCode(context: Context, userId: number, { code, device }: GivenCode): Promise<void> {
  if (!code) requireCode();
  const { em, parts } = context;
  await parts.limits.secondFactorCode(userId, device);
  const network = networkOf(context);
  const now = new Date();
  try {
    await em.transactional(async (tx) => {
      const proof = await consumeCode(tx, parts.secondFactorEncryption, { userId, code, now });
      if (proof === 'app') return;
      parts.security.record('recovery.used', { userId, network });
      const data = { at: now.toISOString(), what: 'recovery_code_used' } as const;
      await notifyOwner(sqlOf(tx), { userId, kind: 'second_factor_changed', data, confirmEmail: parts.confirmEmail });
    });
  } catch (error) {
    if (error instanceof AppError) parts.security.record('login.code.refused', { userId, network });
    throw error;
  }
  await parts.limits.resetCodes(userId, device);
}

@ObjectType({ description: 'The second factor: each login also requires a code from an authenticator app.' })
export class SecondFactor {
  @Field(() => GraphQLDateTime, { description: 'When the second factor was set up.' })
  since!: Date;

  @Field(() => Int, { description: 'How many recovery codes are still unused.' })
  recoveryCodesLeft!: number;
}

@ObjectType({ description: 'The setup of an authenticator app, shown once.' })
class SecondFactorSetup {
  @Field(() => String, { description: 'The secret in Base32, to type into the app instead of scanning.' })
  secret!: string;

  @Field(() => String, { description: 'An otpauth:// address, to show as a QR code.' })
  uri!: string;
}

@ObjectType({ description: 'Codes for signing in without the phone. They are never shown again.' })
class RecoveryCodes {
  @Field(() => [String], { description: 'The codes; each works once in place of a code from the app.' })
  codes!: string[];
}

/** Counts the attempt: somebody with a stolen session and the password must not be able to guess codes. */
async function countedViewer(context: Context): Promise<Viewer> {
  const viewer = requireViewer(context);
  await context.parts.limits.secondFactorCode(viewer.id, 'session');
  return viewer;
}

@Resolver()
export class SecondFactorResolver {
  @Mutation(() => SecondFactorSetup, {
    description: 'Creates a secret for an authenticator app. It has no effect until confirmSecondFactor.',
  })
  startSecondFactor(@Ctx() { em, parts, viewer }: Context): Promise<SecondFactorSetup> {
    return startSecondFactor(em, parts, requireViewer({ viewer }));
  }

  @Mutation(() => RecoveryCodes, {
    description:
      'Confirms that the authenticator app is set up. From then on each login requires its code. All other sessions of the user end.',
  })
  async confirmSecondFactor(
    @Arg('code', () => String, { description: 'The six digits that the app shows.' }) code: string,
    @Ctx() context: Context,
  ): Promise<RecoveryCodes> {
    const viewer = await countedViewer(context);
    requireSession(context);
    const codes = await confirmSecondFactor(context.em, context.parts, viewer, { code, now: new Date() });
    await context.parts.limits.resetCodes(viewer.id, 'session');
    return { codes };
  }

  @Mutation(() => RecoveryCodes, { description: 'Creates new recovery codes; the former ones no longer work.' })
  async renewRecoveryCodes(
    @Arg('code', () => String, { description: 'A code from the authenticator app, or a recovery code.' }) code: string,
    @Ctx() context: Context,
  ): Promise<RecoveryCodes> {
    const viewer = await countedViewer(context);
    const codes = await renewRecoveryCodes(context.em, context.parts, viewer, { code, now: new Date() });
    await context.parts.limits.resetCodes(viewer.id, 'session');
    return { codes };
  }

  @Mutation(() => Message, {
    description:
      'Turns the second factor off, so that the password alone signs in. Refused for the admin in production.',
  })
  async endSecondFactor(
    @Arg('code', () => String, { description: 'A code from the authenticator app, or a recovery code.' }) code: string,
    @Ctx() context: Context,
  ): Promise<Message> {
    const viewer = await countedViewer(context);
    if (context.parts.guardsAdmin && isAdmin(viewer)) {
      throw new AppError('FORBIDDEN', 'The admin of LotWatch must have a second factor.');
    }
    await endSecondFactor(context.em, context.parts, viewer, { code, now: new Date() });
    await context.parts.limits.resetCodes(viewer.id, 'session');
    return { message: 'Two-step sign-in is off. Your password alone signs you in.' };
  }
}
