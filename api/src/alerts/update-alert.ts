import type { EntityManager } from '@mikro-orm/postgresql';
import { refuseInvalid } from '../base/errors.ts';
import { isExpired } from '../domain/expiry.ts';
import {
  type AlertFields,
  alertFieldNames,
  criterionNames,
  deliveryNames,
  unknownFlagMessage,
} from '../domain/forms/alert.ts';
import type { Place } from '../domain/places/places.ts';
import type { Faults } from '../domain/validate-form.ts';
import type { Alert } from '../entities/alert.ts';
import { sqlOf } from '../entities/sql-of.ts';
import { type ReevaluationBudget, reevaluatePairs, reevaluationBudget } from '../matching/reevaluate-pairs.ts';
import { releaseAlerts } from '../notify/release-waiting.ts';
import { type AlertPatch, readAlertFields } from './alert-input.ts';
import { databaseNow, lockOwnAlert, removeAlertCells, wakeMatching, writeAlertCells } from './alert-row.ts';
import type { AlertDeps } from './create-alert.ts';
import { resolvePlace } from './create-alert.ts';
import { lockPlanUsage, type PlanUsage, requirePlanCapacity, requireTexts } from './plan-usage.ts';
import { extendAlert, reactivateAlert, requestBackfill } from './renew-alert.ts';
import { readSnooze } from './snooze-alert.ts';

const criteria = [...criterionNames, 'lat', 'lng'] as const;

/**
 * Changes the given fields: absent ones stay, `null` and '' clear. Changed criteria increment the version: matches that no
 * longer fit are hidden at once, and a backfill finds the listings that fit now. Switching an alert on counts against the
 * plan and renews an expired alert.
 * @throws AppError NOT_FOUND, VALIDATION with `fields`, PLAN_REQUIRED, PLAN_LIMIT, NOT_CONFIGURED
 */
export async function updateAlert(
  em: EntityManager,
  { gazetteer, now, hasTexts }: AlertDeps,
  viewer: { id: number },
  alertId: number,
  patch: AlertPatch,
  budget: ReevaluationBudget = reevaluationBudget(),
): Promise<Alert> {
  return em.transactional(async (tx) => {
    const use = await lockPlanUsage(tx, viewer.id);
    const alert = await lockOwnAlert(tx, viewer, alertId);
    const before = criteriaOf(alert);
    const deliveryBefore = deliveryOf(alert);
    const shownVersion = alert.version;
    const { fields, faults } = readAlertFields(patch, fieldsOf(alert), now);
    const place = fields.location === alert.location ? null : resolvePlace(gazetteer, fields, faults);
    const isActive = readIsActive(patch, faults);
    const snoozedUntil = await readSnooze(tx, patch, faults);
    refuseInvalid(faults);
    if (fields.textNotifications && !alert.textNotifications) requireTexts(use, hasTexts);
    Object.assign(alert, fields, place ? placeOf(place) : {});
    if (snoozedUntil !== undefined) alert.snoozedUntil = snoozedUntil;

    const databaseTime = await databaseNow(tx);
    const changed = criteriaOf(alert) !== before;
    if (changed) {
      alert.version += 1;
      requestBackfill(alert, databaseTime);
    }
    switchAlert(alert, isActive, use, databaseTime);
    const mustMatch = alert.pendingMatch;
    await tx.flush();
    if (alert.isActive && !isExpired(alert.expiresAt, databaseTime)) await writeAlertCells(tx, alert);
    else await removeAlertCells(tx, alert);
    if (mustMatch) await wakeMatching(tx);
    if (deliveryOf(alert) !== deliveryBefore) await releaseAlerts(sqlOf(tx), [alert]);
    if (changed) await reevaluatePairs(sqlOf(tx), alert, shownVersion, budget);
    return alert;
  });
}

function switchAlert(alert: Alert, isActive: boolean | undefined, use: PlanUsage, now: Date): void {
  if (isActive === undefined) return;
  const hasExpired = isExpired(alert.expiresAt, now);
  const watched = alert.isActive && !hasExpired;
  if (isActive && !watched) {
    requirePlanCapacity(use);
    if (hasExpired) extendAlert(alert, now);
    reactivateAlert(alert, now);
  }
  alert.isActive = isActive;
  alert.pausedByPlanAt = null;
}

/** When absent or cleared the switch stays, so that an edit alone never reactivates an expired alert. */
function readIsActive({ isActive }: AlertPatch, faults: Faults): boolean | undefined {
  if (typeof isActive === 'boolean') return isActive;
  if (isActive !== undefined && isActive !== null && isActive !== '') faults.isActive = unknownFlagMessage;
  return undefined;
}

const fieldsOf = (alert: Alert): AlertFields =>
  Object.fromEntries(alertFieldNames.map((name) => [name, alert[name] ?? null])) as AlertFields;

const criteriaOf = (alert: Alert): string => JSON.stringify(criteria.map((name) => alert[name] ?? null));

const deliveryOf = (alert: Alert): string =>
  JSON.stringify([...deliveryNames, 'snoozedUntil' as const].map((name) => alert[name] ?? null));

const placeOf = ({ label, lat, lng }: Place) => ({ place: label, lat, lng });
