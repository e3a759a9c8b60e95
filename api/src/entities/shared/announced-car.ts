/** For how long a car that was announced under one id is not announced under another one (product, section 5). */
const SILENT_DAYS = 30;

/** SQL: whether what was announced at this time still keeps its car's other listings silent. @param at a column */
export const isStillAnnounced = (at: string): string => `${at} > now() - interval '${SILENT_DAYS} days'`;

/**
 * SQL: whether a notification counts as an announcement of its car. One that was dropped or that failed told nothing.
 * Each statement that decides about a relisted car asks this of the notifications for the car's other listings.
 * @param notification the alias of a row of `notifications`
 */
export const announcesCar = (notification: string): string =>
  `${isStillAnnounced(`${notification}.created_at`)} and ${notification}.status not in ('dropped', 'failed')`;
