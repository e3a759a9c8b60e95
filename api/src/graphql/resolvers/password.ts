import { GraphQLDateTime } from 'graphql-scalars';
import { Arg, Ctx, Field, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { isLoginStillValid, requireValidLogin, restrictionOf } from '../../accounts/log-in.ts';
import { changePassword } from '../../accounts/password/change-password.ts';
import {
  type EndedAccess,
  readResetAccess,
  readResetToken,
  requestPasswordReset,
  resetPassword,
} from '../../accounts/password/reset-password.ts';
import { verifyOwnPassword } from '../../accounts/passwords.ts';
import { refuseInvalid } from '../../base/errors.ts';
import { ApiKey } from '../../entities/api-key.ts';
import { counted } from '../../messages/mail-layout.ts';
import { requireViewer } from '../../policies/admin.ts';
import { type Context, requireSession } from '../context.ts';
import { parseId } from '../read-arguments.ts';
import { Message } from './message.ts';

@ObjectType({ description: 'A webhook, by the host that it posts to.' })
class WebhookHost {
  @Field(() => ID, { description: 'Number of the webhook.' })
  id!: number;

  @Field(() => String, { description: 'The host of its URL.' })
  host!: string;

  @Field(() => GraphQLDateTime, { description: 'When it was created.' })
  createdAt!: Date;
}

@ObjectType({ description: "What reaches an account's data without its password." })
class ResetAccess {
  @Field(() => [ApiKey], { description: 'API keys that work, newest first.' })
  apiKeys!: ApiKey[];

  @Field(() => [WebhookHost], { description: "The account's webhooks, newest first." })
  webhooks!: WebhookHost[];
}

/** More than an account can have of either. */
const MAX_ENDED = 100;

function numbersOf(ids: readonly string[] | null | undefined, field: string, what: string): number[] {
  if (ids && ids.length > MAX_ENDED) refuseInvalid({ [field]: `Name at most ${MAX_ENDED}.` });
  return (ids ?? []).map((id) => parseId(id, what));
}

function endedText({ apiKeys, webhooks }: EndedAccess): string[] {
  const counts = [
    ...(apiKeys.length > 0 ? [counted(apiKeys.length, 'API key', 'API keys')] : []),
    ...(webhooks.length > 0 ? [counted(webhooks.length, 'webhook', 'webhooks')] : []),
  ];
  if (counts.length === 0) return [];
  return [`${counts.join(' and ')} ${apiKeys.length + webhooks.length === 1 ? 'was' : 'were'} ended.`];
}

@Resolver()
export class PasswordResolver {
  @Mutation(() => Message, {
    description:
      "Changes the password. All other sessions of the user end; the caller's session continues under a new id.",
  })
  async changePassword(
    @Arg('currentPassword', () => String, { description: 'The current password.' }) currentPassword: string,
    @Arg('newPassword', () => String, { description: '6 to 200 characters, and none of the most common ones.' })
    newPassword: string,
    @Ctx() context: Context,
  ): Promise<Message> {
    const viewer = requireViewer(context);
    const session = requireSession(context);
    await context.parts.limits.ownPassword(viewer.id, context.address);
    const { hash, hasGivenCode } = await changePassword(context.em, context.parts, viewer, {
      currentPassword,
      newPassword,
    });
    const admin = { id: viewer.id, mustChangePassword: false };
    await session.signIn(viewer.id, await restrictionOf(context.em, admin, context.parts.guardsAdmin));
    const isValid = isLoginStillValid(context.em, viewer.id, hash, hasGivenCode);
    await requireValidLogin(session, isValid, 'Please sign in first.');
    return { message: 'Your password has been changed. Other devices have been signed out.' };
  }

  @Mutation(() => Message, {
    description:
      'Confirms the current password, which calls that answer PASSWORD_NEEDED require. It holds for this session for ten minutes; signing in counts as well.',
  })
  async confirmPassword(
    @Arg('currentPassword', () => String, { description: 'The current password.' }) currentPassword: string,
    @Ctx() context: Context,
  ): Promise<Message> {
    const viewer = requireViewer(context);
    const session = requireSession(context);
    await context.parts.limits.ownPassword(viewer.id, context.address);
    await verifyOwnPassword(context.em, viewer.id, currentPassword);
    await session.recordPasswordEntry();
    return { message: 'Thank you. You will not be asked again for ten minutes.' };
  }

  @Mutation(() => Message, {
    description: 'Mails a link for setting a new password. The answer is the same for an address that no account has.',
  })
  async requestPasswordReset(
    @Arg('email', () => String, { description: "The account's e-mail address, in upper or lower case." }) email: string,
    @Ctx() context: Context,
  ): Promise<Message> {
    const maySend = await context.parts.limits.passwordReset(email, context.address);
    await requestPasswordReset(context.em, context.parts, { email, maySend });
    return { message: 'If this address belongs to an account, a link is on its way to it.' };
  }

  @Query(() => ResetAccess, {
    description:
      'What keeps access to the account after a new password, by the token of a mailed link; resetPassword can end it too.',
  })
  async resetAccess(
    @Arg('token', () => String, { description: 'From the link in the mail.' }) token: string,
    @Ctx() { em, parts }: Context,
  ): Promise<ResetAccess> {
    const { userId } = await readResetToken(em, parts.linkSecret, { token, now: new Date() });
    return readResetAccess(em, userId);
  }

  @Mutation(() => Message, {
    description:
      'Sets a new password with the token from a mailed link, which works once. All sessions of the account end, and so do the API keys and webhooks that are named.',
  })
  async resetPassword(
    @Arg('token', () => String, { description: 'From the link in the mail.' }) token: string,
    @Arg('newPassword', () => String, { description: '6 to 200 characters, and none of the most common ones.' })
    newPassword: string,
    @Arg('endApiKeys', () => [ID], { nullable: true, description: 'Numbers of the API keys to revoke.' })
    endApiKeys: string[] | null | undefined,
    @Arg('endWebhooks', () => [ID], { nullable: true, description: 'Numbers of the webhooks to delete.' })
    endWebhooks: string[] | null | undefined,
    @Ctx() context: Context,
  ): Promise<Message> {
    const { em, parts } = context;
    const toEnd = {
      apiKeys: numbersOf(endApiKeys, 'endApiKeys', 'API key'),
      webhooks: numbersOf(endWebhooks, 'endWebhooks', 'Webhook'),
    };
    const reset = { token, newPassword, now: new Date(), toEnd };
    const { username, ended } = await resetPassword(em, parts.linkSecret, reset);
    await parts.limits.resetLogins(username, context.address, context.session?.knownDeviceId(username) ?? null);
    const message = `The password of ${username} has been changed. You can sign in with it now.`;
    return { message: [message, ...endedText(ended)].join(' ') };
  }
}
