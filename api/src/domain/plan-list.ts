export interface PlanRow {
  id: number;
  name: string;
  description: string;
  /** US dollars a month, two decimals; "0" for Free. */
  price: string;
  alertLimit: number;
  isPopular: boolean;
  features: string[];
}

/** The four plans. At every start their rows in the database are updated from this list. */
export const planList: readonly PlanRow[] = [
  {
    id: 1,
    name: 'Free',
    description: 'Forever free',
    price: '0',
    alertLimit: 1,
    isPopular: false,
    features: ['1 active alert', 'Email notifications', 'Basic search filters'],
  },
  {
    id: 2,
    name: 'Starter',
    description: 'For one serious search',
    price: '4.99',
    alertLimit: 5,
    isPopular: false,
    features: ['5 alerts', 'Email and SMS', 'Priority processing'],
  },
  {
    id: 3,
    name: 'Pro',
    description: 'For people who buy often',
    price: '14.99',
    alertLimit: 20,
    isPopular: true,
    features: ['20 alerts', 'Email and SMS', 'Premium support'],
  },
  {
    id: 4,
    name: 'Elite',
    description: 'For dealers',
    price: '69.99',
    alertLimit: 100,
    isPopular: false,
    features: ['100 alerts', 'Email and SMS', 'API access'],
  },
];

/** The limit for all alerts of a user, active or not. */
export const MAX_ALERTS_PER_USER = 200;

export const FREE_PLAN_ID = 1;
export const ELITE_PLAN_ID = 4;

/** Whether one more alert may be active. @param used the number of active alerts that have not expired */
export function hasRoomForAlert(used: number, alertLimit: number): boolean {
  return used < alertLimit;
}

/** Whether there is a larger plan. */
export function canUpgrade(planId: number): boolean {
  return planId < ELITE_PLAN_ID;
}

/** Whether a plan is above Free, as text messages and other features require. */
export function isPaidPlan(planId: number): boolean {
  return planId > FREE_PLAN_ID;
}

/** Whether a plan includes API keys, webhooks and bulk calls. */
export function hasApiAccess(planId: number): boolean {
  return planId === ELITE_PLAN_ID;
}

/** A plan's price as the API returns it: two decimals, "0" for Free. @param stored US dollars a month, as stored */
export function planPriceText(stored: string): string {
  return Number(stored) === 0 ? '0' : Number(stored).toFixed(2);
}
