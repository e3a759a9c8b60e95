import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { currentSubscription } from '../../billing/current-subscription.ts';
import { listPlans } from '../../billing/find-plan.ts';
import { openBillingPortal } from '../../billing/open-billing-portal.ts';
import { subscribe } from '../../billing/subscribe.ts';
import { checkoutSession, verifySubscription } from '../../billing/verify-subscription.ts';
import { planPriceText } from '../../domain/plan-list.ts';
import { Plan } from '../../entities/plan.ts';
import { requireViewer } from '../../policies/admin.ts';
import type { Context } from '../context.ts';
import { readId } from '../parse-id.ts';
import { CheckoutSession, CurrentSubscription, SubscribeResult, VerifyResult } from '../types/plan-use.ts';

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
