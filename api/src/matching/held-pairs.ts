import { MATCHES_KEPT } from '../domain/match-cap.ts';
import { followedBy } from '../entities/car-followers.ts';

/** Messages hold no older matches than this many of an alert. They count no more, and messages can wait for weeks. */
export const HELD_BY_MESSAGES = 2 * MATCHES_KEPT;

/**
 * SQL: whether a match that an alert no longer keeps has to stay for now: a message about it is on its way, or its owner
 * saved the car or viewed it lately, and is told of it by what the match knows, or no event of webhooks was made of it.
 * @param m an alias of `matches` @param owner SQL of the id of the alert's owner
 * @param isRecent SQL: whether it is among the newest `HELD_BY_MESSAGES` of its alert
 */
export const isHeld = (m: string, owner: string, isRecent: string): string => `(
  ${followedBy(owner, `${m}.listing_id`)} is not null
  or (${isRecent} and (
    select true from notifications n
     where n.alert_id = ${m}.alert_id and n.user_id = ${owner} and n.listing_id = ${m}.listing_id and n.status in ('waiting', 'sending')
     limit 1) is not null)
  or ${m}.position >= coalesce((
       select p.position from webhook_positions p
        where p.user_id = ${owner}
          and exists (select from webhooks w where w.user_id = p.user_id and 'match.created' = any (w.events))),
       ${m}.position + 1))`;
