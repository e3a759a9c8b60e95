import { lastSeen } from '../entities/shared/last-seen.ts';

/**
 * Of a listing by its alias: its source has since listed the same car anew, and has not shown this one again. A source
 * that is read newest first shows the later listing first: both dates must say so. "offset 0" has the few listings of
 * the car looked up alone: beside them the planner would read the index of all that the source ever listed.
 */
export const isSuperseded = (listing: string): string => `
  exists (select from (select * from listings where car_id = ${listing}.car_id offset 0) newer
           where newer.source = ${listing}.source and newer.id <> ${listing}.id
             and newer.seen_at > ${lastSeen(listing)}
             and coalesce(newer.listed_at, newer.seen_at) >= coalesce(${listing}.listed_at, ${listing}.seen_at))`;
