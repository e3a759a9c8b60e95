import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: "The user's plan." })
export class CurrentSubscription {
  @Field(() => ID, { description: 'Id of the plan; every plan above 1 is paid.' })
  planId!: number;

  @Field(() => ID, { description: 'The same as planId.' })
  subscriptionPlanId!: number;

  @Field(() => String, { description: 'Name of the plan.' })
  planName!: string;

  @Field(() => String, { description: '"active", "past_due" or "canceling".' })
  status!: string;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When the paid period ends; null on the Free plan.' })
  currentPeriodEnd!: Date | null;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'How long the plan is kept after a failed payment; null unless the status is "past_due".',
  })
  graceEndsAt!: Date | null;

  @Field(() => Int, {
    description:
      'How many of the alerts that were paused by a smaller plan the current plan allows again; resumeAlerts resumes them.',
  })
  alertsToResume!: number;
}

@ObjectType({ description: 'Whether the plan allows one more active alert.' })
export class CanCreateAlert {
  @Field(() => Boolean, { description: 'Whether another alert can be created now.' })
  canCreateAlert!: boolean;

  @Field(() => Boolean, { description: 'Whether a larger plan would allow more alerts.' })
  needsUpgrade!: boolean;

  @Field(() => Int, { description: 'How many alerts are active and not expired.' })
  alertsUsed!: number;

  @Field(() => Int, { description: 'How many active alerts the plan allows.' })
  alertLimit!: number;

  @Field(() => Int, {
    description:
      'How many of the alerts that were paused by a smaller plan the current plan allows again; resumeAlerts resumes them.',
  })
  alertsToResume!: number;
}

@ObjectType({ description: 'The result of choosing a plan: the plan now in effect, or where to pay for it.' })
export class SubscribeResult {
  @Field(() => CurrentSubscription, { nullable: true, description: 'The plan now in effect; null until it is paid.' })
  subscription!: CurrentSubscription | null;

  @Field(() => String, {
    nullable: true,
    description: 'The address to open next: the payment page, or the page that confirms a change of plan.',
  })
  url!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Id of the checkout that was started, for verifySubscription; null if the address is not a checkout.',
  })
  sessionId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'A sentence for the user, for example about when a cancelled plan ends.',
  })
  message!: string | null;
}

@ObjectType({ description: 'The state of a checkout.' })
export class VerifyResult {
  @Field(() => String, { description: 'A sentence for the user.' })
  message!: string;

  @Field(() => Boolean, { description: 'Whether the payment of this checkout has arrived.' })
  paid!: boolean;

  @Field(() => CurrentSubscription, { description: "The user's plan now." })
  subscription!: CurrentSubscription;
}

@ObjectType({ description: 'The data that was passed to the payment provider.' })
export class CheckoutMetadata {
  @Field(() => String, { description: 'Number of the plan to be paid for.' })
  planId!: string;
}

@ObjectType({ description: 'A checkout that the user has started.' })
export class CheckoutSession {
  @Field(() => String, { description: 'The id that the payment page passes back.' })
  id!: string;

  @Field(() => String, { description: '"open", "complete" or "expired".' })
  status!: string;

  @Field(() => CheckoutMetadata, { description: 'What the checkout is for.' })
  metadata!: CheckoutMetadata;
}
