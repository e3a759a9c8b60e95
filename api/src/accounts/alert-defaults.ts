import type { EntityManager } from '@mikro-orm/postgresql';
import { lockPlanUsage, requireTexts } from '../alerts/plan-usage.ts';
import { AppError } from '../base/errors.ts';
import { alertDefaultsSchema } from '../domain/forms/alert.ts';
import type { DeliveryChoice } from '../domain/forms/delivery.ts';
import { parseForm } from '../domain/validate-form.ts';
import { User } from '../entities/user.ts';

/** How the user's new alerts notify, unless the user chooses otherwise in the form: the API's defaults at first. */
export const alertDefaultsOf = ({ alertDefaults }: Pick<User, 'alertDefaults'>): DeliveryChoice => ({
  ...alertDefaultsSchema.getDefault(),
  ...alertDefaults,
});

/**
 * Changes how the user's new alerts notify. Alerts that exist are not changed.
 * @param input absent fields stay, `null` and '' set the API's default
 * @throws AppError VALIDATION with `fields`, PLAN_REQUIRED, NOT_CONFIGURED
 */
export async function updateAlertDefaults(
  em: EntityManager,
  { hasTexts }: { hasTexts: boolean },
  viewer: { id: number },
  input: { [Name in keyof DeliveryChoice]?: unknown },
): Promise<User> {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  return em.transactional(async (tx) => {
    const use = await lockPlanUsage(tx, viewer.id);
    const user = await tx.findOne(User, { id: viewer.id }, { refresh: true });
    if (!user) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
    const defaults = parseForm(alertDefaultsSchema, { ...alertDefaultsOf(user), ...given });
    if (defaults.textNotifications && 'textNotifications' in given) requireTexts(use, hasTexts);
    user.alertDefaults = defaults;
    await tx.flush();
    return user;
  });
}
