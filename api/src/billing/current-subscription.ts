import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import { alertsToResume } from '../entities/shared/alerts-to-resume.ts';

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
  /** Alerts that a smaller plan paused and that fit now. */
  alertsToResume: number;
  /** The user's, by its IANA name. */
  timeZone: string;
}

interface Row {
  planId: number;
  planName: string;
  status: string | null;
  currentPeriodEnd: string | Date | null;
  graceEndsAt: string | Date | null;
  alertsToResume: number;
  timeZone: string;
}

const dateOf = (value: string | Date | null): Date | null => (value === null ? null : new Date(value));

/** The viewer's plan as it is at this moment. @throws AppError UNAUTHENTICATED when the account is gone */
export async function currentSubscription(em: EntityManager, viewer: { id: number }): Promise<Subscribed> {
  const [row] = await em.execute<Row[]>(
    `select p.id as "planId", p.name as "planName", c.status, c.current_period_end as "currentPeriodEnd",
            c.grace_ends_at as "graceEndsAt", ${alertsToResume} as "alertsToResume", u.time_zone as "timeZone"
       from users u join plans p on p.id = u.plan_id left join billing_customers c on c.user_id = u.id
      where u.id = ?`,
    [viewer.id],
  );
  if (!row) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  return {
    planId: row.planId,
    subscriptionPlanId: row.planId,
    planName: row.planName,
    status: row.status ?? 'active',
    currentPeriodEnd: dateOf(row.currentPeriodEnd),
    graceEndsAt: dateOf(row.graceEndsAt),
    alertsToResume: row.alertsToResume,
    timeZone: row.timeZone,
  };
}
