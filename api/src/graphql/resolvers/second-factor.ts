import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import {
  confirmSecondFactor,
  endSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
} from '../../accounts/second-factor/manage-second-factor.ts';
import type { Viewer } from '../../accounts/signed-in.ts';
import { AppError } from '../../base/errors.ts';
import { isAdmin, requireViewer } from '../../policies/admin.ts';
import { type Context, requireSession } from '../context.ts';
import { Message } from '../types/message.ts';
import { RecoveryCodes, SecondFactorSetup } from '../types/second-factor.ts';

/** Guesses are counted, also of whoever has borrowed a session and knows the password. */
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
    await context.parts.limits.forgiveCodes(viewer.id, 'session');
    return { codes };
  }

  @Mutation(() => RecoveryCodes, { description: 'Creates new recovery codes; the former ones no longer work.' })
  async renewRecoveryCodes(
    @Arg('code', () => String, { description: 'A code from the authenticator app, or a recovery code.' }) code: string,
    @Ctx() context: Context,
  ): Promise<RecoveryCodes> {
    const viewer = await countedViewer(context);
    const codes = await renewRecoveryCodes(context.em, context.parts, viewer, { code, now: new Date() });
    await context.parts.limits.forgiveCodes(viewer.id, 'session');
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
      throw new AppError('FORBIDDEN', 'The admin of LotWatch may not go without a second factor.');
    }
    await endSecondFactor(context.em, context.parts, viewer, { code, now: new Date() });
    await context.parts.limits.forgiveCodes(viewer.id, 'session');
    return { message: 'Two-step sign-in is off. Your password alone signs you in.' };
  }
}
