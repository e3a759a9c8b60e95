import { alertFieldNames } from '../domain/forms/alert.ts';

/** What REST and webhooks show of an alert, in this order. */
export const shownAlertFields: readonly string[] = [
  'id',
  ...alertFieldNames.flatMap((name) => (name === 'location' ? [name, 'place'] : [name])),
  'snoozedUntil',
  'isActive',
  'pausedByPlan',
  'createdAt',
  'expiresAt',
  'daysRemaining',
  'matchCount',
];
