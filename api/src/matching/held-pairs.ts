import { followedBy } from '../entities/car-followers.ts';

/**
 * SQL: whether a match that an alert no longer keeps has to stay for now: a message about it is on its way, or its owner
 * saved the car or viewed it lately, and is told of it by what the match knows.
 * @param m an alias of `matches` @param owner SQL of the id of the alert's owner
 */
export const isHeld = (m: string, owner: string): string => `(
  ${followedBy(owner, `${m}.listing_id`)} is not null
  or (select true from notifications n
       where n.alert_id = ${m}.alert_id and n.listing_id = ${m}.listing_id and n.status in ('waiting', 'sending')
       limit 1) is not null
  or ${m}.position >= coalesce((
       select p.position from webhook_positions p
        where p.user_id = ${owner}
          and exists (select from webhooks w where w.user_id = p.user_id and 'match.created' = any (w.events))),
       ${m}.position + 1))`;
