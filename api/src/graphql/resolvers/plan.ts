import { GraphQLDateTime } from 'graphql-scalars';
import { Arg, Ctx, Field, FieldResolver, ID, Int, Mutation, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { openBillingPortal } from '../../billing/payment-pages.ts';
import { currentSubscription, listPlans } from '../../billing/plans.ts';
import { subscribe } from '../../billing/subscribe.ts';
import { checkoutSession, verifySubscription } from '../../billing/verify-subscription.ts';
import { planPriceText } from '../../domain/plan-list.ts';
import { Plan } from '../../entities/plan.ts';
import { requireViewer } from '../../policies/admin.ts';
import type { Context } from '../context.ts';
import { readId } from '../read-arguments.ts';

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

@ObjectType({ description: 'The result of choosing a plan: the plan now in effect, or where to pay for it.' })
class SubscribeResult {
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
class VerifyResult {
  @Field(() => String, { description: 'A sentence for the user.' })
  message!: string;

  @Field(() => Boolean, { description: 'Whether the payment of this checkout has arrived.' })
  paid!: boolean;

  @Field(() => CurrentSubscription, { description: "The user's plan now." })
  subscription!: CurrentSubscription;
}

@ObjectType({ description: 'The data that was passed to the payment provider.' })
class CheckoutMetadata {
  @Field(() => String, { description: 'Number of the plan to be paid for.' })
  planId!: string;
}

@ObjectType({ description: 'A checkout that the user has started.' })
class CheckoutSession {
  @Field(() => String, { description: 'The id that the payment page passes back.' })
  id!: string;

  @Field(() => String, { description: '"open", "complete" or "expired".' })
  status!: string;

  @Field(() => CheckoutMetadata, { description: 'What the checkout is for.' })
  metadata!: CheckoutMetadata;
}

@Resolver(() => Plan)
export class PlanResolver {
  @Query(() => [Plan], { description: 'All plans, the Free plan first.' })
  plans(@Ctx() { em }: Context): Promise<Plan[]> {
    return listPlans(em);
  }

  @Query(() => CurrentSubscription, { description: "The user's plan." })
  currentSubscription(@Ctx() context: Context): Promise<CurrentSubscription> {
    return currentSubscription(context.em, requireViewer(context));
  }

  @Mutation(() => SubscribeResult, {
    description: 'Chooses a plan. The Free plan takes effect at once; a paid plan leads to a payment page.',
  })
  subscribe(
    @Arg('planId', () => ID, { description: 'Id of the plan.' }) planId: string,
    @Ctx() context: Context,
  ): Promise<SubscribeResult> {
    return subscribe(context.em, context.parts.billing, requireViewer(context), readId(planId));
  }

  @Mutation(() => VerifyResult, {
    description: 'Checks whether a checkout has been paid, and if so moves the user to its plan.',
  })
  async verifySubscription(
    @Arg('sessionId', () => String, { description: 'Id of the checkout, as the payment page passed it back.' })
    sessionId: string,
    @Arg('planId', () => ID, { nullable: true, description: 'The expected plan; optional.' })
    planId: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<VerifyResult> {
    const { pool, billing } = context.parts;
    const asked = { sessionId, planId: planId == null ? undefined : readId(planId) };
    return verifySubscription({ em: context.em, pool, billing }, requireViewer(context), asked);
  }

  @Query(() => CheckoutSession, { description: 'A checkout that the user has started.' })
  async checkoutSession(
    @Arg('sessionId', () => String, { description: 'Id of the checkout, as the payment page passed it back.' })
    sessionId: string,
    @Ctx() context: Context,
  ): Promise<CheckoutSession> {
    const { pool, billing } = context.parts;
    return checkoutSession(pool, billing, requireViewer(context), sessionId);
  }

  @Mutation(() => String, { description: 'Returns the address of the page where the user manages their payments.' })
  async openBillingPortal(@Ctx() context: Context): Promise<string> {
    const { pool, billing } = context.parts;
    return openBillingPortal(pool, billing, requireViewer(context));
  }

  @FieldResolver(() => String, { description: 'US dollars a month, like "4.99"; "0" for Free.' })
  price(@Root() plan: Plan): string {
    return planPriceText(plan.price);
  }

  @FieldResolver(() => String, { description: 'The same as price.' })
  monthlyPrice(@Root() plan: Plan): string {
    return planPriceText(plan.price);
  }
}
