import { GraphQLDateTime } from 'graphql-scalars';
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
  registerEnumType,
} from 'type-graphql';
import { Webhook } from '../../entities/webhook.ts';
import { requireViewer } from '../../policies/admin.ts';
import {
  createWebhook,
  deleteWebhook,
  pauseWebhook,
  resumeWebhook,
  rotateWebhookSecret,
  updateWebhook,
  type WebhookDeps,
} from '../../webhooks/manage/change-webhook.ts';
import { listWebhooks, readWebhook, type ShownWebhook } from '../../webhooks/manage/own-webhook.ts';
import { DeliveryStatus, readDeliveries } from '../../webhooks/manage/read-deliveries.ts';
import { replayDelivery, replayEvents, sendTestEvent } from '../../webhooks/manage/send-again.ts';
import type { Context } from '../context.ts';
import { parseId, readPageSize } from '../read-arguments.ts';

registerEnumType(DeliveryStatus, {
  name: 'DeliveryStatus',
  description: 'The state of one delivery to a webhook.',
  valuesConfig: {
    waiting: { description: 'The next attempt is scheduled, or the webhook is paused.' },
    sending: { description: 'An attempt is under way.' },
    delivered: { description: 'The receiver answered with 2xx.' },
    failed: { description: 'The last attempt failed as well.' },
    expired: { description: 'The delivery waited for 7 days and was given up.' },
  },
});

@ObjectType({ description: 'The last attempt to deliver anything to a webhook.' })
class WebhookTry {
  @Field(() => GraphQLDateTime, { description: 'When it happened.' })
  at!: Date;

  @Field(() => Boolean, { description: 'Whether the receiver answered with 2xx.' })
  taken!: boolean;

  @Field(() => Int, { nullable: true, description: 'The HTTP status; null if there was no answer.' })
  statusCode!: number | null;

  @Field(() => String, { nullable: true, description: 'The error, in a sentence.' })
  error!: string | null;
}

@ObjectType({ description: 'One attempt of one delivery.' })
class WebhookAttempt {
  @Field(() => GraphQLDateTime, { description: 'When the attempt ended.' })
  at!: Date;

  @Field(() => Int, { nullable: true, description: 'The HTTP status; null if there was no answer.' })
  statusCode!: number | null;

  @Field(() => Int, { description: 'How long it took, in milliseconds.' })
  ms!: number;

  @Field(() => String, { nullable: true, description: 'The error, in a sentence; null if the attempt succeeded.' })
  error!: string | null;

  @Field(() => String, { nullable: true, description: 'The beginning of the answer.' })
  answer!: string | null;
}

@ObjectType({ description: 'The delivery of one event to one webhook.' })
class WebhookDelivery {
  @Field(() => ID, { description: 'Number of the delivery.' })
  id!: number;

  @Field(() => String, { description: 'The `webhook-id` header: the same for every attempt and replay.' })
  messageId!: string;

  @Field(() => ID, { description: "The event's position in the order of all of the user's events." })
  cursor!: number;

  @Field(() => String, { description: 'The type of the event, for example "match.created".' })
  type!: string;

  @Field(() => DeliveryStatus, { description: 'The state of the delivery.' })
  status!: DeliveryStatus;

  @Field(() => GraphQLDateTime, { description: 'When it was created.' })
  createdAt!: Date;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'When the next attempt is due; null if none is scheduled.',
  })
  nextTryAt!: Date | null;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When it was delivered or given up.' })
  settledAt!: Date | null;

  @Field(() => String, { description: 'The JSON that is posted.' })
  body!: string;

  @Field(() => [WebhookAttempt], { description: 'The last 20 attempts, newest first.' })
  attempts!: WebhookAttempt[];
}

@ObjectType({ description: 'A page of deliveries of a webhook, newest first.' })
class WebhookDeliveryPage {
  @Field(() => [WebhookDelivery], { description: 'The deliveries of this page.' })
  nodes!: WebhookDelivery[];

  @Field(() => String, { nullable: true, description: 'Pass this to deliveries(after:) to read older ones.' })
  endCursor!: string | null;

  @Field(() => Boolean, { description: 'Whether there are older entries.' })
  hasMore!: boolean;
}

@ObjectType({ description: 'A webhook with its secret, which is never shown again.' })
export class NewWebhook {
  @Field(() => Webhook, { description: 'The webhook.' })
  webhook!: ShownWebhook;

  @Field(() => String, { description: '`whsec_…`: what the receiver verifies signatures with.' })
  secret!: string;
}

@ObjectType({ description: 'The result of a replay.' })
class ReplayResult {
  @Field(() => Int, { description: 'How many events will be sent again.' })
  count!: number;
}

const depsOf = ({ parts }: Context): WebhookDeps => ({
  pool: parts.pool,
  confirmEmail: parts.confirmEmail,
  ...parts.webhooks,
});
const numberOf = (id: string) => parseId(id, 'Webhook');
const EVENTS = '"match.created", "listing.price_dropped" or "alert.expiring"; at least one.';

@Resolver(() => Webhook)
export class WebhookResolver {
  @Query(() => [Webhook], { description: "The user's webhooks, oldest first. Elite only." })
  webhooks(@Ctx() context: Context): Promise<ShownWebhook[]> {
    return listWebhooks(context.parts.pool, requireViewer(context));
  }

  @Query(() => Webhook, { description: "One of the user's webhooks. Elite only." })
  webhook(
    @Arg('id', () => ID, { description: 'Number of the webhook.' }) id: string,
    @Ctx() context: Context,
  ): Promise<ShownWebhook> {
    return readWebhook(context.parts.pool, requireViewer(context), numberOf(id));
  }

  @Mutation(() => NewWebhook, {
    description: 'Creates a webhook that receives events from now on. At most 10; Elite only.',
  })
  createWebhook(
    @Arg('url', () => String, {
      description: 'The URL to which events are posted: https, and not in a private network.',
    })
    url: string,
    @Arg('events', () => [String], { description: EVENTS }) events: string[],
    @Arg('description', () => String, { nullable: true, description: 'A note, at most 200 characters.' })
    description: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<NewWebhook> {
    return createWebhook(depsOf(context), requireViewer(context), { url, events, description });
  }

  @Mutation(() => Webhook, {
    description:
      'Changes a webhook; absent fields stay as they are. The URL can be changed only by a signed-in user, not with an API key.',
  })
  updateWebhook(
    @Arg('id', () => ID, { description: 'Number of the webhook.' }) id: string,
    @Arg('url', () => String, { nullable: true, description: 'The URL to which events are posted.' })
    url: string | null | undefined,
    @Arg('events', () => [String], { nullable: true, description: EVENTS }) events: string[] | null | undefined,
    @Arg('description', () => String, { nullable: true, description: 'A note; "" clears it.' })
    description: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<ShownWebhook> {
    return updateWebhook(depsOf(context), requireViewer(context), numberOf(id), { url, events, description });
  }

  @Mutation(() => NewWebhook, {
    description: 'Creates a new secret for a webhook. For 24 hours messages are also signed with the old one.',
  })
  rotateWebhookSecret(
    @Arg('id', () => ID, { description: 'Number of the webhook.' }) id: string,
    @Ctx() context: Context,
  ): Promise<NewWebhook> {
    return rotateWebhookSecret(depsOf(context), requireViewer(context), numberOf(id));
  }

  @Mutation(() => ID, { description: 'Deletes a webhook with its deliveries.' })
  deleteWebhook(
    @Arg('id', () => ID, { description: 'Number of the webhook.' }) id: string,
    @Ctx() context: Context,
  ): Promise<number> {
    return deleteWebhook(depsOf(context), requireViewer(context), numberOf(id));
  }

  @Mutation(() => Webhook, { description: 'Pauses a webhook. Its events wait for at most 7 days.' })
  pauseWebhook(
    @Arg('id', () => ID, { description: 'Number of the webhook.' }) id: string,
    @Ctx() context: Context,
  ): Promise<ShownWebhook> {
    return pauseWebhook(depsOf(context), requireViewer(context), numberOf(id));
  }

  @Mutation(() => Webhook, {
    description: 'Resumes a paused webhook: it receives the events that have waited and all new ones.',
  })
  resumeWebhook(
    @Arg('id', () => ID, { description: 'Number of the webhook.' }) id: string,
    @Ctx() context: Context,
  ): Promise<ShownWebhook> {
    return resumeWebhook(depsOf(context), requireViewer(context), numberOf(id));
  }

  @Mutation(() => WebhookDelivery, {
    description: 'Sends a "webhook.test" event to a webhook, even while it is paused.',
  })
  sendTestEvent(
    @Arg('webhookId', () => ID, { description: 'Number of the webhook.' }) webhookId: string,
    @Ctx() context: Context,
  ): Promise<WebhookDelivery> {
    return sendTestEvent(depsOf(context), requireViewer(context), numberOf(webhookId));
  }

  @Mutation(() => WebhookDelivery, {
    description: 'Sends one message again under the same id, even while its webhook is paused.',
  })
  replayDelivery(
    @Arg('id', () => ID, { description: 'Number of the delivery.' }) id: string,
    @Ctx() context: Context,
  ): Promise<WebhookDelivery> {
    return replayDelivery(depsOf(context), requireViewer(context), parseId(id, 'Delivery'));
  }

  @Mutation(() => ReplayResult, {
    description:
      'Sends a webhook all events again that came after a cursor or since a time. Events are kept for 30 days.',
  })
  async replayEvents(
    @Arg('webhookId', () => ID, { description: 'Number of the webhook.' }) webhookId: string,
    @Arg('afterCursor', () => ID, {
      nullable: true,
      description: 'The cursor of the last event that is not to be sent again.',
    })
    afterCursor: string | null | undefined,
    @Arg('since', () => GraphQLDateTime, { nullable: true, description: 'The time of the first event to send again.' })
    since: Date | null | undefined,
    @Ctx() context: Context,
  ): Promise<ReplayResult> {
    const from = { afterCursor, since };
    return { count: await replayEvents(depsOf(context), requireViewer(context), numberOf(webhookId), from) };
  }

  @FieldResolver(() => GraphQLDateTime, {
    nullable: true,
    description: 'Until when messages are also signed with the previous secret; null if there is none.',
  })
  previousSecretUntil(@Root() webhook: ShownWebhook): Date | null {
    return webhook.previousSecretUntil;
  }

  @FieldResolver(() => Int, { description: 'How many messages wait to be delivered.' })
  waiting(@Root() webhook: ShownWebhook): number {
    return webhook.waiting;
  }

  @FieldResolver(() => WebhookTry, { nullable: true, description: 'The last attempt; null before the first.' })
  lastTry(@Root() webhook: ShownWebhook): WebhookTry | null {
    return webhook.lastTry;
  }

  @FieldResolver(() => WebhookDeliveryPage, { description: 'Its deliveries, newest first.' })
  deliveries(
    @Root() webhook: ShownWebhook,
    @Arg('first', () => Int, { nullable: true, defaultValue: 20, description: 'Page size, 1 to 100.' })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'An endCursor; the page starts after it.' })
    after: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<WebhookDeliveryPage> {
    return readDeliveries(context.parts.pool, webhook, { first: readPageSize(first), after: after ?? null });
  }
}
