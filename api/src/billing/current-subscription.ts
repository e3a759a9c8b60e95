import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import { alertsToResume } from '../entities/shared/alerts-to-resume.ts';
import { sqlOf } from '../entities/sql-of.ts';

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

type Row = Omit<Subscribed, 'subscriptionPlanId' | 'status'> & { status: string | null };

/** The viewer's plan as it is at this moment. @throws AppError UNAUTHENTICATED when the account is gone */
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
