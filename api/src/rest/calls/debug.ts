import { planList } from '../../domain/plan-list.ts';
import {
  type Answer,
  type Call,
  canCreateAlert,
  constant,
  currentSubscription,
  type Data,
  parts,
  plan,
} from './call.ts';

const plansOf = (data: Data) => data.plans as { id: number }[];

const count: Answer = {
  of: (data) => plansOf(data).length,
  schema: () => ({ type: 'integer', minimum: 0, examples: [1] }),
};
const completeness: Answer = {
  of: (data) => (planList.every(({ id }) => plansOf(data).some((one) => one.id === id)) ? 'ok' : 'incomplete'),
  schema: () => ({ type: 'string', enum: ['ok', 'incomplete'] }),
};

/**
 * Calls for the error view of the plans page. They exist only with the development pages, where nothing is charged.
 * @param seedPlans creates missing plans
 */
export const debugCalls = (seedPlans: () => Promise<void>): readonly Call[] => [
  {
    method: 'GET',
    path: '/debug/subscription',
    summary: "The user's plan and its limit",
    tag: 'Debug',
    operation: `{ currentSubscription { ${currentSubscription} } canCreateAlert { ${canCreateAlert} } }`,
    answer: parts(
      { status: constant('ok') },
      { subscription: 'currentSubscription', canCreateAlert: 'canCreateAlert' },
    ),
  },
  {
    method: 'GET',
    path: '/debug/subscription-plans',
    summary: 'The plans, and whether all exist',
    tag: 'Debug',
    operation: `{ plans { ${plan} } }`,
    answer: parts({ count, status: completeness }, { plans: 'plans' }),
  },
  {
    method: 'GET',
    path: '/debug/ensure-subscription-plans',
    summary: 'Create missing plans',
    tag: 'Debug',
    operation: `{ plans { ${plan} } }`,
    answer: parts(
      { message: constant('The default plans are there.'), count, status: completeness },
      { plans: 'plans' },
    ),
    before: seedPlans,
  },
];
