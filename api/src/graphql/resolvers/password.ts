import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { stillHolds } from '../../accounts/log-in.ts';
import { changePassword } from '../../accounts/password/change-password.ts';
import { proveOwnPassword } from '../../accounts/password/own-password.ts';
import { requestPasswordReset } from '../../accounts/password/request-password-reset.ts';
import { resetPassword } from '../../accounts/password/reset-password.ts';
import { AppError } from '../../base/errors.ts';
import { requireViewer } from '../../policies/caller.ts';
import { type Context, requireSession } from '../context.ts';
import { Message } from '../types/message.ts';

@Resolver()
export class PasswordResolver {
  @Mutation(() => Message, {
    description: "Sets another password. All other sessions of the user end; the caller's goes on under a new id.",
  })
  async changePassword(
    @Arg('currentPassword', () => String, { description: 'What one signs in with now.' }) currentPassword: string,
    @Arg('newPassword', () => String, { description: '6 to 200 characters, and none of the most common ones.' })
    newPassword: string,
    @Ctx() context: Context,
  ): Promise<Message> {
    const viewer = requireViewer(context);
    const session = requireSession(context);
    await context.parts.limits.ownPassword(viewer.id, context.address);
    const hash = await changePassword(context.em, context.parts, viewer, { currentPassword, newPassword });
    // The first password of the admin is changed with this; nothing else is asked for.
    await session.signIn(viewer.id, null);
    if (!(await stillHolds(context.em, viewer.id, hash))) {
      await session.signOut();
      throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
    }
    return { message: 'Your password has been changed. Other devices have been signed out.' };
  }

  @Mutation(() => Message, {
    description:
      'Gives the current password, as calls that answer PASSWORD_NEEDED ask: for ten minutes this session may go on. Signing in gives it too.',
  })
  async confirmPassword(
    @Arg('currentPassword', () => String, { description: 'What one signs in with now.' }) currentPassword: string,
    @Ctx() context: Context,
  ): Promise<Message> {
    const viewer = requireViewer(context);
    const session = requireSession(context);
    await context.parts.limits.ownPassword(viewer.id, context.address);
    await proveOwnPassword(context.em, viewer.id, currentPassword);
    await session.notePassword();
    return { message: 'Thank you. You will not be asked again for ten minutes.' };
  }

  @Mutation(() => Message, {
    description: 'Mails a link with which the password can be set anew. Answers alike for addresses nobody has.',
  })
  async requestPasswordReset(
    @Arg('email', () => String, { description: "The account's e-mail address, in any case." }) email: string,
    @Ctx() context: Context,
  ): Promise<Message> {
    const maySend = await context.parts.limits.passwordReset(email, context.address);
    await requestPasswordReset(context.em, context.parts, { email, maySend });
    return { message: 'If this address belongs to an account, a link is on its way to it.' };
  }

  @Mutation(() => Message, {
    description: 'Sets a new password with the token of a mailed link, once. All sessions of the account end.',
  })
  async resetPassword(
    @Arg('token', () => String, { description: 'From the link in the mail.' }) token: string,
    @Arg('newPassword', () => String, { description: '6 to 200 characters, and none of the most common ones.' })
    newPassword: string,
    @Ctx() context: Context,
  ): Promise<Message> {
    const { em, parts } = context;
    const username = await resetPassword(em, parts.linkSecret, { token, newPassword, now: new Date() });
    await parts.limits.forgiveLogins(username, context.address, context.session?.deviceOf(username) ?? null);
    return { message: `The password of ${username} has been changed. You can sign in with it now.` };
  }
}
