import type { Queryable } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import { dropRules } from '../domain/delivery/drop-rules.ts';
import { carMails, isShownText, ruleThatHeld } from '../entities/notification-rules.ts';
import { notificationsReadAt } from '../entities/user-activity.ts';
import { readRetryHolds, readUnclaimed } from './read-waiting.ts';
import { isUnread, mailSettledAt, pushSettledAt, textSettledAt } from './unread-notifications.ts';

/**
 * A message about cars: one that was or is being sent, what waits of an alert for a channel, or what was dropped of an alert
 * at one time before it became part of a message.
 */
export interface LogEntry {
  id: string;
  kind: string;
  channel: string;
  status: string;
  /** For what waits, the rule that holds it, or the last error; for what was not sent or did not arrive, why. */
  reason: string | null;
  /** The rule that held it before it left; null where none did, and for what waits or was dropped. */
  heldBy: string | null;
  /** Of an alert that may have been deleted since. */
  alertId: number | null;
  /** The first of its listings, of which some may have been purged. */
  listingIds: number[];
  listingCount: number;
  createdAt: Date;
  dueAt: Date | null;
  sentAt: Date | null;
  deliveredAt: Date | null;
  /** When it was sent or failed; null for what waits, is being sent, or was dropped. */
  settledAt: Date | null;
  /** Whether it was settled after the user has read the log. */
  unread: boolean;
}

export interface LogPage {
  nodes: LogEntry[];
  endCursor: string | null;
  hasMore: boolean;
}

/** Most listings that an entry names. */
const LISTINGS_SHOWN = 20;

/** SQL: whether an entry is older than the cursor. Times are compared in whole microseconds, as the database stores them. */
const isOlder = (createdAt: string, id: string): string => `($2::int8 is null or
  (${createdAt}, ${id} collate "C") < ('epoch'::timestamptz + $2::int8 * interval '1 microsecond', $3::text collate "C"))`;

/** SQL: the newest rows of a page, and one more. */
const newest = 'order by created_at desc, id::text collate "C" desc limit $4';

const kindOfGroup = `case when min(n.kind) = max(n.kind) then min(n.kind) else 'match' end as kind`;
/** SQL: the rule by which a notification was dropped; null where it no longer fitted. What once held it is no such rule. */
const dropRuleOf = (notification: string): string =>
  `case when ${notification}.status = 'dropped' and ${notification}.held_by = any('{${dropRules.join(',')}}') then ${notification}.held_by end`;
const listingsOfGroup = 'array_agg(n.listing_id order by n.id) as "listingIds"';

/** SQL: notifications of the user's alerts, which are few among those of all users; "offset 0" makes it look them up. */
const ownNotifications = `own cross join lateral (
  select * from notifications where alert_id = own.id and user_id = $1 offset 0) n where true`;

/** SQL: an aggregate of the notifications of a message, which are looked up by the index of its channel. */
function ofMessage(aggregate: string): string {
  const found = (channel: string, column: string) => `
    select ${aggregate} from notifications n
     where n.user_id = $1 and n.${column} = case when p."listingIds" is null and p.channel = '${channel}' then p.id::uuid end
       and (n.status <> 'dropped' or p.status = 'dropped')`;
  return `case p.channel when 'email' then (${found('email', 'mail_id')}) when 'push' then (${found('push', 'push_id')})
    else (${found('sms', 'text_id')}) end`;
}

const logSql = `
  with own as materialized (
    select id from alerts where user_id = $1 union select alert_id from former_alerts where user_id = $1
  ), mail as materialized (
    select * from mails m
     where m.alert_id = any (array(select id from own)) and m.user_id = $1 and m.kind in (${carMails}) and ${isOlder('m.created_at', 'm.id::text')}
     ${newest}
  ), texted as materialized (
    select * from texts t where t.user_id = $1 and ${isShownText('t')} and ${isOlder('t.created_at', 't.id::text')} ${newest}
  ), pushed as materialized (
    select * from pushes p
     where p.alert_id = any (array(select id from own)) and p.user_id = $1 and ${isOlder('p.created_at', 'p.id::text')} ${newest}
  ), waiting as materialized (
    select 'waiting-' || n.alert_id || '-' || n.channel as id, n.alert_id, n.channel, ${kindOfGroup},
           min(n.created_at) as created_at, min(n.due_at) as due_at, ${listingsOfGroup}
      from ${ownNotifications} and n.status = 'waiting' group by n.alert_id, n.channel
  ), ended as materialized (
    select n.status || '-' || min(n.id) as id, n.alert_id, n.channel, n.status, ${kindOfGroup},
           min(n.created_at) as created_at, ${dropRuleOf('n')} as reason, ${listingsOfGroup}
      from ${ownNotifications} and n.status in ('dropped', 'failed', 'unknown') and n.mail_id is null
       and n.text_id is null and n.push_id is null
     group by n.alert_id, n.channel, n.status, n.settled_at, ${dropRuleOf('n')}
  ), entry as (
    select m.id::text as id, m.kind, 'email' as channel, m.status, case when m.status = 'sent' then m.delivery_error else m.error end as reason,
           m.alert_id, null::int8[] as "listingIds", m.created_at,
           case when m.status = 'waiting' then m.next_try_at end as due_at, m.sent_at, m.delivered_at,
           ${mailSettledAt('m')} as settled_at
      from mail m
    union all
    select t.id::text, t.kind, 'sms', t.status, coalesce(t.error, t.delivery_error), t.alert_id, null, t.created_at,
           null, t.sent_at, t.delivered_at, ${textSettledAt('t')}
      from texted t
    union all
    select p.id::text, p.kind, 'push', case when p.sent_at is null then p.status else 'sent' end,
           case when p.sent_at is null then p.error end, p.alert_id, null, p.created_at,
           case when p.sent_at is null and p.status = 'waiting' then p.next_try_at end, p.sent_at, null,
           ${pushSettledAt('p')}
      from pushed p
    union all
    select w.id, w.kind, w.channel, 'waiting', null, w.alert_id, w."listingIds", w.created_at, w.due_at, null, null, null
      from waiting w where ${isOlder('w.created_at', 'w.id')}
    union all
    select e.id, e.kind, e.channel, e.status, e.reason, e.alert_id, e."listingIds", e.created_at, null, null, null, null
      from ended e where ${isOlder('e.created_at', 'e.id')}
  ), page as materialized (
    select * from entry ${newest}
  )
  select p.id, p.kind, p.channel, p.status, p.reason, p.alert_id as "alertId", p.created_at as "createdAt",
         p.due_at as "dueAt", p.sent_at as "sentAt", p.delivered_at as "deliveredAt",
         p.settled_at as "settledAt",
         coalesce(${isUnread('p.settled_at', `(select ${notificationsReadAt('u')} from users u where u.id = $1)`)}, false) as unread,
         (extract(epoch from p.created_at) * 1000000)::int8::text as micros,
         coalesce(c.ids[1:${LISTINGS_SHOWN}], '{}') as "listingIds", coalesce(cardinality(c.ids), 0) as "listingCount",
         case when p.status not in ('waiting', 'dropped') and p."listingIds" is null then ${ofMessage(ruleThatHeld('n'))} end as "heldBy"
    from page p
   cross join lateral (select coalesce(p."listingIds", ${ofMessage('array_agg(n.listing_id order by n.id)')}) as ids) c
   order by p.created_at desc, p.id collate "C" desc`;

interface Cursor {
  /** Microseconds since 1970. */
  micros: string;
  id: string;
}

const encodeCursor = ({ micros, id }: Cursor): string => Buffer.from(`${micros}.${id}`).toString('base64url');

/** @throws AppError VALIDATION */
function decodeCursor(text: string): Cursor {
  const plain = text.length <= 150 ? Buffer.from(text, 'base64url').toString('latin1') : '';
  const [, micros, id] = /^(\d{1,17})\.([a-z0-9-]{1,60})$/.exec(plain) ?? [];
  if (micros === undefined || id === undefined) {
    const message = 'This cursor is invalid.';
    throw new AppError('VALIDATION', message, { fields: { after: message } });
  }
  return { micros, id };
}

/** The rule that holds each entry which waits for a claim or for its next try, and until when, by the entry's id. */
async function readHolds(
  db: Queryable,
  userId: number,
  entries: readonly LogEntry[],
  confirmEmail: boolean,
): Promise<Map<string, Pick<LogEntry, 'reason' | 'dueAt'>>> {
  const waiting = entries.filter(({ id }) => id.startsWith('waiting-'));
  const alertIds = new Set(waiting.flatMap(({ alertId }) => alertId ?? []));
  const alerts = [...alertIds].map((id) => ({ id, userId }));
  const read = await readUnclaimed(db, alerts, confirmEmail);
  const retried = entries.filter(
    ({ id, status, dueAt }) => status === 'waiting' && dueAt && !id.startsWith('waiting-'),
  );
  const retryHolds = await readRetryHolds(
    db,
    retried.map(({ id }) => ({ id, userId })),
    confirmEmail,
  );
  return new Map<string, Pick<LogEntry, 'reason' | 'dueAt'>>([
    ...retryHolds,
    ...read.map(({ alertId, channel, reason, dueAt }) => [`waiting-${alertId}-${channel}`, { reason, dueAt }] as const),
  ]);
}

/**
 * Reads a page of a user's messages about cars, the newest first. What waits of an alert is as old as its first match.
 * @param first from 1
 * @param after an `endCursor`: the page has older messages
 * @param confirmEmail as for `readWaiting`
 * @throws AppError VALIDATION
 */
export async function readNotificationLog(
  db: Queryable,
  page: { userId: number; first: number; after?: string | null | undefined; confirmEmail: boolean },
): Promise<LogPage> {
  const { userId, first, after, confirmEmail } = page;
  const cursor = after ? decodeCursor(after) : null;
  const { rows } = await db.query<LogEntry & { micros: string }>({
    name: 'notify-log',
    text: logSql,
    values: [userId, cursor?.micros ?? null, cursor?.id ?? null, first + 1],
  });
  const shown = rows.slice(0, first);
  const last = shown.at(-1);
  const holds = await readHolds(db, userId, shown, confirmEmail);
  return {
    nodes: shown.map(({ micros: _micros, ...entry }) => ({ ...entry, ...holds.get(entry.id) })),
    endCursor: last ? encodeCursor(last) : null,
    hasMore: rows.length > first,
  };
}
