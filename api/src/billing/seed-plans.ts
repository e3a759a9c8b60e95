import type { Queryable } from '../base/database.ts';
import { planList } from '../domain/plan-list.ts';

/** Makes or corrects the four plans; safe at every start. */
export async function seedPlans(db: Queryable): Promise<void> {
  for (const plan of planList) {
    await db.query(
      `insert into plans (id, name, description, price, alert_limit, is_popular, features)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (id) do update set name = excluded.name, description = excluded.description,
         price = excluded.price, alert_limit = excluded.alert_limit, is_popular = excluded.is_popular,
         features = excluded.features`,
      [plan.id, plan.name, plan.description, plan.price, plan.alertLimit, plan.isPopular, plan.features],
    );
  }
}
