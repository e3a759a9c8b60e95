import type { EntityManager } from '@mikro-orm/postgresql';
import { refuseInvalid } from '../base/errors.ts';
import type { Faults } from '../domain/validate-form.ts';
import type { Alert } from '../entities/alert.ts';
import { sqlOf } from '../entities/sql-of.ts';
import { releaseAlerts } from '../notify/release-waiting.ts';
import type { AlertInput } from './alert-input.ts';
import { databaseNow, lockOwnAlert } from './alert-row.ts';

const DAY_MS = 24 * 3_600_000;
/** The longest snooze. An alert lives for six weeks. */
const MAX_DAYS = 42;

/**
 * Reads until when an input snoozes an alert: undefined where it says nothing, null for no snooze, as for a time that is
 * over. A time that it refuses is added to `faults`.
 */
export async function readSnooze(
  em: EntityManager,
  { snoozedUntil: until }: AlertInput,
  faults: Faults,
): Promise<Date | null | undefined> {
  if (until === undefined) return undefined;
  if (until === null || until === '') return null;
  const now = await databaseNow(em);
  if (!(until instanceof Date) || !(until.getTime() - now.getTime() <= MAX_DAYS * DAY_MS)) {
    faults.snoozedUntil = `Please choose a time in the next ${MAX_DAYS} days`;
    return undefined;
  }
  return until > now ? until : null;
}

/**
 * Lets the messages of an alert wait for some days, counted from now; 0 ends that. What comes meanwhile is matched as ever,
 * and leaves as one summary.
 * @throws AppError NOT_FOUND, VALIDATION
 */
export async function snoozeAlert(
  em: EntityManager,
  viewer: { id: number },
  alertId: number,
  days: number,
): Promise<Alert> {
  if (!Number.isInteger(days) || days < 0 || days > MAX_DAYS) {
    refuseInvalid({ days: `Please enter a number of days from 0 to ${MAX_DAYS}` });
  }
  return em.transactional(async (tx) => {
    const alert = await lockOwnAlert(tx, viewer, alertId);
    const now = await databaseNow(tx);
    alert.snoozedUntil = days === 0 ? null : new Date(now.getTime() + days * DAY_MS);
    await tx.flush();
    await releaseAlerts(sqlOf(tx), [alert]);
    return alert;
  });
}
