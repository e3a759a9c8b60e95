import { Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { Plan } from '../../entities/plan.ts';
import { User } from '../../entities/user.ts';
import { type Context, requireViewer } from '../context.ts';
import { CurrentSubscription } from '../types/plan-use.ts';

/** The database keeps two decimals; Free is "0". */
const priceText = (plan: Plan) => (Number(plan.price) === 0 ? '0' : Number(plan.price).toFixed(2));

@Resolver(() => Plan)
export class PlanResolver {
  @Query(() => [Plan], { description: 'All plans, the free one first.' })
  plans(@Ctx() { em }: Context): Promise<Plan[]> {
    return em.find(Plan, {}, { orderBy: { id: 'asc' } });
  }

  @Query(() => CurrentSubscription, { description: "The user's plan." })
  async currentSubscription(@Ctx() context: Context): Promise<CurrentSubscription> {
    const { em } = context;
    const user = await em.findOneOrFail(User, { id: requireViewer(context).id });
    const plan = await em.findOneOrFail(Plan, { id: user.planId });
    return {
      planId: plan.id,
      subscriptionPlanId: plan.id,
      planName: plan.name,
      status: 'active',
      currentPeriodEnd: null,
    };
  }

  @FieldResolver(() => String, { description: 'US dollars a month, like "4.99"; "0" for Free.' })
  price(@Root() plan: Plan): string {
    return priceText(plan);
  }

  @FieldResolver(() => String, { description: 'The same as price.' })
  monthlyPrice(@Root() plan: Plan): string {
    return priceText(plan);
  }
}
