import { GraphQLDateTime } from 'graphql-scalars';
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
  registerEnumType,
} from 'type-graphql';
import { alertDefaultsOf, updateAlertDefaults } from '../../accounts/alert-defaults.ts';
import { isSameAddress } from '../../accounts/email/addresses.ts';
import { addressToConfirm, confirmEmail, requestConfirmation } from '../../accounts/email/confirm-email.ts';
import { readOwnSuppression, resumeEmail } from '../../accounts/email/resume-email.ts';
import { cancelEmailChange } from '../../accounts/email/undo-email-change.ts';
import { isLoginStillValid, logIn, requireValidLogin, restrictionOf } from '../../accounts/log-in.ts';
import { pauseMessages } from '../../accounts/pause-messages.ts';
import { readSecondFactor } from '../../accounts/second-factor/manage-second-factor.ts';
import { queueNewDeviceMail } from '../../accounts/sessions/devices.ts';
import { signUp } from '../../accounts/sign-up.ts';
import { isNewAddress, updateProfile } from '../../accounts/update-profile.ts';
import { AppError } from '../../base/errors.ts';
import { currentSubscription } from '../../billing/plans.ts';
import { readToken } from '../../domain/action-links.ts';
import type { DeliveryChoice } from '../../domain/forms/delivery.ts';
import { SessionRestriction } from '../../domain/session-restriction.ts';
import { SuppressionReason } from '../../domain/suppression-reason.ts';
import { User } from '../../entities/user.ts';
import { countNewOfUser } from '../../listings/new-cars.ts';
import { countUnreadNotifications } from '../../notify/unread-notifications.ts';
import { requireViewer } from '../../policies/admin.ts';
import { requirePassword } from '../../policies/require-operation.ts';
import { type Context, requireSession } from '../context.ts';
import { ProfileInput, RegisterInput } from '../inputs/account.ts';
import { AlertDefaultsInput, AlertDefaultsType } from '../inputs/alert.ts';
import { Message } from './message.ts';
import { CurrentSubscription } from './plan.ts';
import { requireSecondFactor, SecondFactor } from './second-factor.ts';

registerEnumType(SessionRestriction, {
  name: 'SessionRestriction',
  description: 'What the user must do before anything else is allowed.',
  valuesConfig: {
    password: { description: 'Choose a new password with changePassword.' },
    secondFactor: { description: 'Set up a second factor with startSecondFactor and confirmSecondFactor.' },
  },
});

registerEnumType(SuppressionReason, {
  name: 'SuppressionReason',
  description: 'Why no mails about cars go to an address.',
  valuesConfig: {
    bounced: { description: 'A mail came back: the address does not exist, or takes no mail.' },
    complained: { description: 'A mail was reported as spam.' },
    unsubscribed: { description: 'The address was unsubscribed from all mails at the provider.' },
  },
});

@ObjectType({ description: 'Why no mails about cars go to an address.' })
class EmailSuppression {
  @Field(() => SuppressionReason, { description: 'What happened.' })
  reason!: SuppressionReason;

  @Field(() => GraphQLDateTime, { description: 'Since when.' })
  since!: Date;

  @Field(() => String, { nullable: true, description: 'What the mail server of the address said.' })
  detail!: string | null;
}

@Resolver(() => User)
export class AccountResolver {
  @Query(() => User, { nullable: true, description: 'The signed-in user; null for a visitor.' })
  me(@Ctx() context: Context): Promise<User | null> | null {
    return context.viewer && context.em.findOne(User, { id: context.viewer.id });
  }

  @Mutation(() => User, { description: 'Creates an account and signs it in.' })
  async register(
    @Arg('input', () => RegisterInput, { description: 'The new account.' }) input: RegisterInput,
    @Ctx() context: Context,
  ): Promise<User> {
    const session = requireSession(context);
    await context.parts.limits.registration(context.address);
    const user = await signUp(context.em, context.parts, input);
    await session.signIn(user.id, null);
    session.rememberDevice(user.username);
    return user;
  }

  @Mutation(() => User, {
    description:
      'Signs in; a cookie holds the session. For an account with a second factor, a correct password without a code is answered with CODE_NEEDED, and no one is signed in.',
  })
  async login(
    @Arg('username', () => String, { description: 'The username, in upper or lower case.' }) username: string,
    @Arg('password', () => String, { description: 'The password.' }) password: string,
    @Arg('code', () => String, {
      nullable: true,
      description: 'A code from the authenticator app, or a recovery code; required after CODE_NEEDED.',
    })
    code: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<User> {
    const session = requireSession(context);
    const { limits } = context.parts;
    const known = session.knownDeviceId(username);
    await limits.login(username, context.address, known);
    const user = await logIn(context.em, username, password);
    const hasGivenCode = await requireSecondFactor(context, user.id, { code, device: known });
    await session.signIn(user.id, await restrictionOf(context.em, user, context.parts.guardsAdmin));
    const isValid = isLoginStillValid(context.em, user.id, user.passwordHash, hasGivenCode);
    await requireValidLogin(session, isValid, 'Invalid username or password');
    const device = session.rememberDevice(username);
    if (device === known) return user;
    await limits.startDevice(username, context.address, device);
    const signedIn = { userId: user.id, device: session.deviceInfo(), at: new Date() };
    await queueNewDeviceMail(context.em, context.parts, signedIn);
    return user;
  }

  @Mutation(() => Boolean, { description: 'Ends the session and closes its live connections.' })
  async logout(@Ctx() context: Context): Promise<boolean> {
    await requireSession(context).signOut();
    return true;
  }

  @Mutation(() => User, {
    description:
      'Changes where alerts are sent. A changed e-mail address is `pendingEmail` until it is confirmed, and the old address is notified. Changing the e-mail address or phone requires the password.',
  })
  async updateProfile(
    @Arg('input', () => ProfileInput, { description: 'Absent fields stay as they are; null clears a field.' })
    input: ProfileInput,
    @Ctx() context: Context,
  ): Promise<User> {
    const viewer = requireViewer(context);
    const before = await context.em.findOneOrFail(User, { id: viewer.id });
    if (isNewAddress(before, input.email)) {
      requirePassword(viewer);
      await context.parts.limits.mailOnDemand(viewer.id);
    }
    const address = before.email;
    const user = await updateProfile(context.em, context.parts, viewer, input);
    if (!isSameAddress(address, user.email)) context.parts.security.record('email.changed', { userId: viewer.id });
    return user;
  }

  @Mutation(() => Message, {
    description: 'Confirms an e-mail address with the token from the mail that was sent to it.',
  })
  async confirmEmail(
    @Arg('token', () => String, { description: 'From the link in the mail.' }) token: string,
    @Ctx() context: Context,
  ): Promise<Message> {
    const reading = readToken(context.parts.linkSecret, token, new Date());
    if (!reading.ok || reading.claims.action !== 'confirm-email') {
      const expired = !reading.ok && reading.reason === 'expired';
      throw new AppError('VALIDATION', expired ? 'This link has expired.' : 'This link is not valid.');
    }
    const { em, parts } = context;
    const { userId } = reading.claims;
    if (await confirmEmail(em, parts, reading.claims)) parts.security.record('email.changed', { userId });
    return { message: 'Your email address is confirmed.' };
  }

  @Mutation(() => User, { description: 'Cancels a pending change of the e-mail address.' })
  cancelEmailChange(@Ctx() context: Context): Promise<User> {
    return cancelEmailChange(context.em, requireViewer(context).id);
  }

  @Mutation(() => Message, {
    description: "Sends the mail that confirms the user's e-mail address, or the pending one, again.",
  })
  async resendConfirmation(@Ctx() context: Context): Promise<Message> {
    const viewer = requireViewer(context);
    const user = await context.em.findOneOrFail(User, { id: viewer.id });
    if (!user.email) throw new AppError('VALIDATION', 'There is no email address to confirm.');
    const address = addressToConfirm(user);
    if (address === null) return { message: 'Your email address is already confirmed.' };
    await context.parts.limits.mailOnDemand(viewer.id);
    await requestConfirmation(context.em, { confirmEmail: true }, user);
    return { message: `We sent a link to ${address}.` };
  }

  @FieldResolver(() => EmailSuppression, {
    nullable: true,
    description:
      'Why no mails about cars go to the e-mail address, which wait until `resumeEmail`; usually null, and null for an address that the user has still to confirm.',
  })
  emailSuppression(@Root() user: User, @Ctx() { em, parts }: Context): Promise<EmailSuppression | null> {
    return readOwnSuppression(em, parts, user);
  }

  @Mutation(() => User, {
    description:
      'Lets mails about cars go to the e-mail address again, once an hour. What waited comes as summaries. Another address needs no call.',
  })
  async resumeEmail(@Ctx() context: Context): Promise<User> {
    const viewer = requireViewer(context);
    await context.parts.limits.mailOnDemand(viewer.id);
    return resumeEmail(context.em, context.parts, viewer.id);
  }

  @FieldResolver(() => SessionRestriction, {
    nullable: true,
    description: 'What the user must do before anything else is allowed; usually null.',
  })
  restrictedTo(@Root() user: User, @Ctx() { em, parts }: Context): Promise<SessionRestriction | null> {
    return restrictionOf(em, user, parts.guardsAdmin);
  }

  @FieldResolver(() => SecondFactor, {
    nullable: true,
    description: 'The second factor that each login requires; null if the password alone is enough.',
  })
  secondFactor(@Root() user: User, @Ctx() { em }: Context): Promise<SecondFactor | null> {
    return readSecondFactor(em, user.id);
  }

  @Mutation(() => User, {
    description:
      'Pauses the messages of all alerts or resumes them. Matches are still found; what waited comes as summaries.',
  })
  pauseAll(
    @Arg('paused', () => Boolean, { description: 'Whether messages are paused.' }) paused: boolean,
    @Ctx() context: Context,
  ): Promise<User> {
    return pauseMessages(context.em, requireViewer(context), paused);
  }

  @Mutation(() => User, {
    description:
      'Changes how new alerts notify. Alerts that exist stay as they are. Text messages require a paid plan.',
  })
  updateAlertDefaults(
    @Arg('input', () => AlertDefaultsInput, { description: 'The changes.' }) input: AlertDefaultsInput,
    @Ctx() context: Context,
  ): Promise<User> {
    const deps = { hasTexts: context.parts.phone.texter !== null };
    return updateAlertDefaults(context.em, deps, requireViewer(context), input);
  }

  @FieldResolver(() => AlertDefaultsType, {
    description:
      'How new alerts notify, as the form for a new alert begins. createAlert does not read it: what a call leaves out has the default of the API.',
  })
  alertDefaults(@Root() user: User): DeliveryChoice {
    return alertDefaultsOf(user);
  }

  @FieldResolver(() => Boolean, { description: 'Whether the e-mail address was confirmed.' })
  emailConfirmed(@Root() user: User): boolean {
    return Boolean(user.emailConfirmedAt);
  }

  @FieldResolver(() => Boolean, { description: 'Whether the phone number was confirmed.' })
  phoneConfirmed(@Root() user: User): boolean {
    return Boolean(user.phoneConfirmedAt);
  }

  @FieldResolver(() => Boolean, { description: 'Whether the messages of all alerts are paused.' })
  messagesPaused(@Root() user: User): boolean {
    return Boolean(user.messagesPausedAt);
  }

  @FieldResolver(() => Int, {
    description: 'How many notifications were sent or failed after the user has read them; at most 100.',
  })
  unreadNotifications(@Root() user: User, @Ctx() { parts }: Context): Promise<number> {
    return countUnreadNotifications(parts.pool, user.id);
  }

  @FieldResolver(() => Int, {
    description: 'How many cars are new to the user by any alert, each car once, up to 1001: see `Alert.newCount`.',
  })
  newCount(@Root() user: User, @Ctx() { parts }: Context): Promise<number> {
    return countNewOfUser(parts.pool, user.id);
  }

  @FieldResolver(() => String, { description: 'IANA time zone for dates in mails.' })
  timeZone(@Root() user: User): string {
    return user.timeZone;
  }

  @FieldResolver(() => CurrentSubscription, { description: "The user's plan, the same as currentSubscription." })
  subscription(@Root() user: User, @Ctx() { em }: Context): Promise<CurrentSubscription> {
    // The user is always the viewer: no call returns another user.
    return currentSubscription(em, user);
  }
}
