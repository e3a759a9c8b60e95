import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: "The user's plan." })
export class CurrentSubscription {
  @Field(() => ID, { description: 'Id of the plan; above 1 is paid.' })
  planId!: number;

  @Field(() => ID, { description: 'The same as planId.' })
  subscriptionPlanId!: number;

  @Field(() => String, { description: 'Name of the plan.' })
  planName!: string;

  @Field(() => String, { description: '"active", "past_due" or "canceling".' })
  status!: string;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When the paid period ends; null on Free.' })
  currentPeriodEnd!: Date | null;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'Until when a plan is kept whose payment failed; null unless the status is "past_due".',
  })
  graceEndsAt!: Date | null;

  @Field(() => Int, { description: 'How many alerts that a smaller plan paused fit now; resumeAlerts resumes them.' })
  alertsToResume!: number;
}

@ObjectType({ description: 'Whether the plan has room for one more active alert.' })
export class CanCreateAlert {
  @Field(() => Boolean, { description: 'Whether another alert can be made now.' })
  canCreateAlert!: boolean;

  @Field(() => Boolean, { description: 'Whether a larger plan would make room.' })
  needsUpgrade!: boolean;

  @Field(() => Int, { description: 'Active, unexpired alerts.' })
  alertsUsed!: number;

  @Field(() => Int, { description: 'How many the plan allows.' })
  alertLimit!: number;

  @Field(() => Int, { description: 'How many alerts that a smaller plan paused fit now; resumeAlerts resumes them.' })
  alertsToResume!: number;
}

@ObjectType({ description: 'What came of choosing a plan: the plan that holds now, or where to pay for it.' })
export class SubscribeResult {
  @Field(() => CurrentSubscription, { nullable: true, description: 'The plan that holds now; null until it is paid.' })
  subscription!: CurrentSubscription | null;

  @Field(() => String, {
    nullable: true,
    description: 'Address to go to next: the payment page, or the page that confirms another paid plan.',
  })
  url!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Of the checkout that was started, for verifySubscription; null where the address is no checkout.',
  })
  sessionId!: string | null;

  @Field(() => String, { nullable: true, description: 'A sentence for the user, like when a cancelled plan ends.' })
  message!: string | null;
}

@ObjectType({ description: 'What is known about a checkout.' })
export class VerifyResult {
  @Field(() => String, { description: 'A sentence for the user.' })
  message!: string;

  @Field(() => Boolean, { description: 'Whether the payment of this checkout has arrived.' })
  paid!: boolean;

  @Field(() => CurrentSubscription, { description: "The user's plan after it." })
  subscription!: CurrentSubscription;
}

@ObjectType({ description: 'What was handed to whoever takes the payment.' })
export class CheckoutMetadata {
  @Field(() => String, { description: 'Number of the plan that is paid for.' })
  planId!: string;
}

@ObjectType({ description: 'A checkout that the user started.' })
export class CheckoutSession {
  @Field(() => String, { description: 'As the payment page hands it back.' })
  id!: string;

  @Field(() => String, { description: '"open", "complete" or "expired".' })
  status!: string;

  @Field(() => CheckoutMetadata, { description: 'What it is about.' })
  metadata!: CheckoutMetadata;
}
