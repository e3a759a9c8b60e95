import { GraphQLDateTime } from 'graphql-scalars';
import { Arg, Ctx, Field, FieldResolver, ID, Int, Mutation, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { markNotificationsRead } from '../../accounts/mark-notifications-read.ts';
import { Alert } from '../../entities/alert.ts';
import { Listing } from '../../entities/listing.ts';
import { User } from '../../entities/user.ts';
import { restoreLeftOut } from '../../matching/restore-left-out.ts';
import { type LogEntry, readNotificationLog } from '../../notify/read-log.ts';
import { type Resent, resendNotification } from '../../notify/resend-notification.ts';
import { requireViewer } from '../../policies/admin.ts';
import type { Context } from '../context.ts';
import { readPageSize } from '../read-arguments.ts';

/** Resolved from an entry of the log; alert and listings are loaded when asked for. */
@ObjectType({
  description:
    'A message about cars: a mail, text or push message that was or is being sent, what waits of an alert for a channel, or what was dropped before it became part of a message.',
})
class Notification {
  @Field(() => ID, { description: 'Id of the entry. What waits gets another one when it leaves.' })
  id!: string;

  @Field(() => String, { description: '"match", "price_drop", "sold", "digest" or "summary".' })
  kind!: string;

  @Field(() => String, { description: '"email", "sms" or "push".' })
  channel!: string;

  @Field(() => String, {
    description:
      '"waiting", "sending", "sent", "dropped" (it no longer fitted or was no longer wanted), "failed", or "unknown" for a text that the provider may or may not have accepted.',
  })
  status!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'For a waiting one, the rule that holds it: "interval", "digest", "quiet_hours", "snoozed", "paused", "daily_limit" "suppressed" (mails to the address came back, or were reported as spam) or "unconfirmed" (the address is not confirmed yet); or else the last error. For one that was not sent, "dismissed" where the user hid its cars; for a text also "monthly_limit" (of the plan), "service_limit" (of all texts on a day) or "country" (numbers there are not texted); for a push message "no_device" where no browser gets push messages of the user. For one that was sent and did not arrive, what the provider reported.',
  })
  reason!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'For one that left, the rule that had held it: "digest", "quiet_hours", "snoozed", "paused", "daily_limit", "suppressed" or "unconfirmed"; null where none had, and for what waits or was dropped.',
  })
  heldBy!: string | null;

  alertId!: number | null;
  listingIds!: number[];

  @Field(() => Int, { description: 'How many listings it is about.' })
  listingCount!: number;

  @Field(() => GraphQLDateTime, {
    description: 'When the message was begun, or when the first match was found that waits or was dropped.',
  })
  createdAt!: Date;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description:
      'When a waiting one is due; null for others, and until the user resumes paused messages or a suppressed address, or confirms an unconfirmed one.',
  })
  dueAt!: Date | null;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: "When the provider accepted it; of a push message, when the first device's push service did.",
  })
  sentAt!: Date | null;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description:
      'When the provider reported that it had arrived; null while that is not known, and for push messages, of which nobody reports it.',
  })
  deliveredAt!: Date | null;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'When it was sent, failed, or was given up as unknown; null for others.',
  })
  settledAt!: Date | null;

  @Field(() => Boolean, { description: 'Whether it was settled after the user has read the notifications.' })
  unread!: boolean;
}

@ObjectType({ description: 'A page of notifications, newest first.' })
class NotificationPage {
  @Field(() => [Notification], { description: 'The notifications of this page.' })
  nodes!: LogEntry[];

  @Field(() => String, { nullable: true, description: 'Pass this to notificationLog(after:) to read the next page.' })
  endCursor!: string | null;

  @Field(() => Boolean, { description: 'Whether there are older entries.' })
  hasMore!: boolean;
}

/** Read as `WaitingMessage`. */
@ObjectType({ description: 'What waits of an alert for a channel.' })
export class WaitingNotification {
  @Field(() => String, { description: '"email", "sms" or "push".' })
  channel!: string;

  @Field(() => Int, { description: 'How many listings it is about.' })
  listingCount!: number;

  @Field(() => String, {
    nullable: true,
    description: 'The rule that holds it, as in Notification.reason; null where it leaves at once.',
  })
  reason!: string | null;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description:
      'When it is due; null until the user resumes paused messages or a suppressed address, or confirms an unconfirmed one.',
  })
  dueAt!: Date | null;
}

@ObjectType({ description: 'What became of a notification that is sent again.' })
class ResentNotification {
  @Field(() => String, { description: 'A sentence for people.' })
  message!: string;

  @Field(() => WaitingNotification, {
    nullable: true,
    description: 'The message in which its cars leave, with what else waits; null where it has left already.',
  })
  waiting!: WaitingNotification | null;
}

const resentMessage = ({ cars, waiting }: Resent): string => {
  const isHeld = waiting !== null && waiting.reason !== null;
  if (cars === 1) return isHeld ? '1 car waits to be sent again.' : '1 car is on its way again.';
  return isHeld ? `${cars} cars wait to be sent again.` : `${cars} cars are on their way again.`;
};

@Resolver(() => Notification)
export class NotificationResolver {
  @Query(() => NotificationPage, {
    description: 'What the user was notified of, what waits by which rule, and what was not sent, newest first.',
  })
  notificationLog(
    @Arg('first', () => Int, { nullable: true, defaultValue: 20, description: 'Page size, 1 to 100.' })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'An endCursor; the page starts after it.' })
    after: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<NotificationPage> {
    const { id: userId } = requireViewer(context);
    const { pool, confirmEmail } = context.parts;
    return readNotificationLog(pool, { userId, first: readPageSize(first), after, confirmEmail });
  }

  @Mutation(() => User, { description: 'Marks as read all notifications that were settled until a time.' })
  markNotificationsRead(
    @Arg('upTo', () => GraphQLDateTime, {
      description:
        'The latest settledAt that the user has seen. A later time than now is now; an earlier one than before changes nothing.',
    })
    upTo: Date,
    @Ctx() context: Context,
  ): Promise<User> {
    return markNotificationsRead(context.em, requireViewer(context), upTo);
  }

  @Mutation(() => ResentNotification, {
    description:
      "Sends the cars of a mail, text or push message again that still fit the alert and are for sale, at most 10 times a day. They leave by the alert's rules of delivery, together with what waits, and a text counts towards the month's cap.",
  })
  async resendNotification(
    @Arg('id', () => ID, { description: 'Id of a notification that was sent, failed, or is unknown.' }) id: string,
    @Arg('evenIfTwice', () => Boolean, {
      nullable: true,
      defaultValue: false,
      description: 'Whether to send an unknown text again, which may have arrived and then comes twice.',
    })
    evenIfTwice: boolean | null,
    @Ctx() context: Context,
  ): Promise<ResentNotification> {
    const { id: userId } = requireViewer(context);
    const { pool, limits, confirmEmail } = context.parts;
    await limits.resend(userId);
    const asked = { userId, id, evenIfTwice: evenIfTwice ?? false };
    const resent = await resendNotification(pool, asked, { confirmEmail, restoreLeftOut });
    return { message: resentMessage(resent), waiting: resent.waiting };
  }

  @FieldResolver(() => Alert, { nullable: true, description: 'The alert; null if it was deleted.' })
  async alert(@Root() { alertId }: LogEntry, @Ctx() { loaders }: Context): Promise<Alert | null> {
    return alertId === null ? null : ((await loaders.alerts.load(alertId)) ?? null);
  }

  @FieldResolver(() => [Listing], { description: 'The first 20 listings, without those that were deleted since.' })
  async listings(@Root() { listingIds }: LogEntry, @Ctx() { loaders }: Context): Promise<Listing[]> {
    const found = await Promise.all(listingIds.map((id) => loaders.listings.load(id)));
    return found.filter((listing) => listing !== undefined);
  }
}
