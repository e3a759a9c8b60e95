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
  description: 'How telling a webhook of an event went.',
  valuesConfig: {
    waiting: { description: 'It leaves when its time has come, or the webhook is resumed.' },
    sending: { description: 'It is on its way.' },
    delivered: { description: 'It was answered with 2xx.' },
    failed: { description: 'The last try failed too.' },
    expired: { description: 'It waited for 7 days.' },
  },
});

@ObjectType({ description: 'The last try of telling a webhook of anything.' })
export class WebhookTry {
  @Field(() => GraphQLDateTime, { description: 'When.' })
  at!: Date;

  @Field(() => Boolean, { description: 'Whether it was answered with 2xx.' })
  taken!: boolean;

  @Field(() => Int, { nullable: true, description: 'The HTTP status; null where there was no answer.' })
  statusCode!: number | null;

  @Field(() => String, { nullable: true, description: 'What went wrong, in a sentence.' })
  error!: string | null;
}

@ObjectType({ description: 'One try of one delivery.' })
export class WebhookAttempt {
  @Field(() => GraphQLDateTime, { description: 'When it ended.' })
  at!: Date;

  @Field(() => Int, { nullable: true, description: 'The HTTP status; null where there was no answer.' })
  statusCode!: number | null;

  @Field(() => Int, { description: 'How long it took, in milliseconds.' })
  ms!: number;

  @Field(() => String, { nullable: true, description: 'What went wrong, in a sentence; null when it was taken.' })
  error!: string | null;

  @Field(() => String, { nullable: true, description: 'The beginning of the answer.' })
  answer!: string | null;
}

@ObjectType({ description: 'One event as one webhook is told of it.' })
export class WebhookDelivery {
  @Field(() => ID, { description: 'Number of the delivery.' })
  id!: number;

  @Field(() => String, { description: 'The `webhook-id` header: the same at every try and replay.' })
  messageId!: string;

  @Field(() => ID, { description: "The event's place in the order of all events of the user." })
  cursor!: number;

  @Field(() => String, { description: 'What happened, like "match.created".' })
  type!: string;

  @Field(() => DeliveryStatus, { description: 'How it went so far.' })
  status!: DeliveryStatus;

  @Field(() => GraphQLDateTime, { description: 'When it was made.' })
  createdAt!: Date;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When it is tried next; null when it does not wait.' })
  nextTryAt!: Date | null;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When it was taken or given up.' })
  settledAt!: Date | null;

  @Field(() => String, { description: 'The JSON that is posted.' })
  body!: string;

  @Field(() => [WebhookAttempt], { description: 'The newest 20 tries, the last one first.' })
  attempts!: WebhookAttempt[];
}

@ObjectType({ description: 'Deliveries of a webhook, the newest first.' })
export class WebhookDeliveryPage {
  @Field(() => [WebhookDelivery], { description: 'The deliveries of this page.' })
  nodes!: WebhookDelivery[];

  @Field(() => String, { nullable: true, description: 'Hand this to deliveries(after:) for older ones.' })
  endCursor!: string | null;

  @Field(() => Boolean, { description: 'Whether there are older ones.' })
  hasMore!: boolean;
}

@ObjectType({ description: 'A webhook with its secret, which is never shown again.' })
export class NewWebhook {
  @Field(() => Webhook, { description: 'The webhook.' })
  webhook!: ShownWebhook;

  @Field(() => String, { description: '`whsec_…`: what the receiver verifies signatures with.' })
  secret!: string;
}

@ObjectType({ description: 'What a replay does.' })
export class ReplayResult {
  @Field(() => Int, { description: 'How many events are sent again.' })
  count!: number;
}
