import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Webhook } from '../../entities/webhook.ts';
import type { ShownWebhook } from '../../webhooks/manage/own-webhook.ts';

export enum DeliveryStatus {
  waiting = 'waiting',
  sending = 'sending',
  delivered = 'delivered',
  failed = 'failed',
  expired = 'expired',
}
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
export class WebhookTry {
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
export class WebhookAttempt {
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
export class WebhookDelivery {
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
export class WebhookDeliveryPage {
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
export class ReplayResult {
  @Field(() => Int, { description: 'How many events will be sent again.' })
  count!: number;
}
