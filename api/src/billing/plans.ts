import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from '@mikro-orm/postgresql';
import { alertsToResume } from '../alerts/alerts-to-resume.ts';
import { locks } from '../base/advisory-lock.ts';
import { inTransaction, type Pool, type Queryable } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import { type PlanRow, planList } from '../domain/plan-list.ts';
import { Plan } from '../entities/plan.ts';
import { sqlOf } from '../entities/sql-of.ts';

/** @returns those that the database lacks, or has with other values */
async function plansToWrite(db: Queryable): Promise<PlanRow[]> {
  const { rows } = await db.query<Omit<PlanRow, 'price'> & { price: number }>(
    `select id, name, description, price::float8 as price, alert_limit as "alertLimit", is_popular as "isPopular", features
       from plans`,
  );
  return planList.filter((plan) => !rows.some((row) => isDeepStrictEqual(row, { ...plan, price: Number(plan.price) })));
}

/**
 * Inserts or corrects the four plans; it runs at every start, and where a server of a cluster is away nothing can be written. Two
 * that write a copied row without a lock would be a deadlock.
 */
export async function seedPlans(pool: Pool): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [locks.plans]);
    for (const plan of await plansToWrite(client))
      await client.query(
        `insert into plans (id, name, description, price, alert_limit, is_popular, features)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (id) do update set name = excluded.name, description = excluded.description,
           price = excluded.price, alert_limit = excluded.alert_limit, is_popular = excluded.is_popular,
           features = excluded.features`,
        [plan.id, plan.name, plan.description, plan.price, plan.alertLimit, plan.isPopular, plan.features],
      );
  });
}

/** All plans, the free one first. */
export function listPlans(em: EntityManager): Promise<Plan[]> {
  return em.find(Plan, {}, { orderBy: { id: 'asc' } });
}

/**
 * Finds the plan that a caller chose.
 * @param id of any size; null for a text that is no id
 * @throws AppError NOT_FOUND
 */
export async function findPlan(em: EntityManager, id: number | null): Promise<Plan> {
  // The ids are compared here because the column is too narrow for every number that a caller may send.
  const plan = (await listPlans(em)).find((one) => one.id === id);
  if (!plan) throw new AppError('NOT_FOUND', 'Selected plan not found');
  return plan;
}

export interface Subscribed {
  planId: number;
  subscriptionPlanId: number;
  planName: string;
  /** 'active', 'past_due' or 'canceling'. */
  status: string;
  /** null on Free. */
  currentPeriodEnd: Date | null;
  /** Until when an unpaid plan is kept; null unless the status is past_due. */
  graceEndsAt: Date | null;
  /** Alerts that a smaller plan paused and that the current plan allows. */
  alertsToResume: number;
  /** The IANA name of the user's time zone. */
  timeZone: string;
}

type Row = Omit<Subscribed, 'subscriptionPlanId' | 'status'> & { status: string | null };

/** Reads the viewer's current plan. @throws AppError UNAUTHENTICATED when the account is gone */
export async function currentSubscription(em: EntityManager, viewer: { id: number }): Promise<Subscribed> {
  const { rows } = await sqlOf(em).query<Row>(
    `select p.id as "planId", p.name as "planName", c.status, c.current_period_end as "currentPeriodEnd",
            c.grace_ends_at as "graceEndsAt", ${alertsToResume} as "alertsToResume", u.time_zone as "timeZone"
       from users u join plans p on p.id = u.plan_id left join billing_customers c on c.user_id = u.id
      where u.id = $1`,
    [viewer.id],
  );
  const [row] = rows;
  if (!row) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  return { ...row, subscriptionPlanId: row.planId, status: row.status ?? 'active' };
}
