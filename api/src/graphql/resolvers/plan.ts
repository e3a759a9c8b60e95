import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { currentSubscription } from '../../billing/current-subscription.ts';
import { listPlans } from '../../billing/find-plan.ts';
import { openBillingPortal } from '../../billing/open-billing-portal.ts';
import { subscribe } from '../../billing/subscribe.ts';
import { checkoutSession, verifySubscription } from '../../billing/verify-subscription.ts';
import { planPriceText } from '../../domain/plan-list.ts';
import { Plan } from '../../entities/plan.ts';
import { requireViewer } from '../../policies/caller.ts';
import type { Context } from '../context.ts';
import { readId } from '../parse-id.ts';
import { CheckoutSession, CurrentSubscription, SubscribeResult, VerifyResult } from '../types/plan-use.ts';

@Resolver(() => Plan)
export class PlanResolver {
  @Query(() => [Plan], { description: 'All plans, the free one first.' })
  plans(@Ctx() { em }: Context): Promise<Plan[]> {
    return listPlans(em);
  }

  @Query(() => CurrentSubscription, { description: "The user's plan." })
  currentSubscription(@Ctx() context: Context): Promise<CurrentSubscription> {
    return currentSubscription(context.em, requireViewer(context));
  }

  @Mutation(() => SubscribeResult, {
    description: 'Chooses a plan: Free holds at once, for a paid one comes a payment.',
  })
  subscribe(
    @Arg('planId', () => ID, { description: 'The plan.' }) planId: string,
    @Ctx() context: Context,
  ): Promise<SubscribeResult> {
    return subscribe(context.em, context.parts.billing, requireViewer(context), readId(planId));
  }

  @Mutation(() => VerifyResult, { description: 'Looks whether a checkout was paid, and moves the user to its plan.' })
  async verifySubscription(
    @Arg('sessionId', () => String, { description: 'Of the checkout, as the payment page handed it back.' })
    sessionId: string,
    @Arg('planId', () => ID, { nullable: true, description: 'The plan that is expected; may be left out.' })
    planId: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<VerifyResult> {
    const { pool, billing } = context.parts;
    const asked = { sessionId, planId: planId == null ? undefined : readId(planId) };
    return verifySubscription({ em: context.em, pool, billing }, requireViewer(context), asked);
  }

  @Query(() => CheckoutSession, { description: 'A checkout that the user started.' })
  async checkoutSession(
    @Arg('sessionId', () => String, { description: 'Of the checkout, as the payment page handed it back.' })
    sessionId: string,
    @Ctx() context: Context,
  ): Promise<CheckoutSession> {
    const { pool, billing } = context.parts;
    return checkoutSession(pool, billing, requireViewer(context), sessionId);
  }

  @Mutation(() => String, { description: "Address of the page where the user's payments are managed." })
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
