/**
 * The rules by which a notification that still fits is dropped, as `held_by` and the log of notifications name them: the
 * buyer dismissed the car, texts don't go to the country of the number, the plan's texts of the month or the service's texts
 * of the day are used up, or no device gets the buyer's push messages.
 */
export const dropRules = ['dismissed', 'country', 'monthly_limit', 'service_limit', 'no_device'] as const;

export type DropRule = (typeof dropRules)[number];
