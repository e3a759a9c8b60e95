import type { Queryable } from '../base/database.ts';
import { BATCH_DELAY_MS } from '../domain/throttle.ts';
import { followedBy } from '../entities/car-followers.ts';
import type { MatchChannelName } from '../entities/delivery-channels.ts';
import { carMails, isSuppressed, ownsEmail, waitsOf } from '../entities/notification-rules.ts';
import {
  currentHold,
  type DeliveryRow,
  deliveryColumns,
  type Hold,
  holdOf,
  readSentToday,
  settingsOf,
} from './channels/delivery-settings.ts';

/** What waits of an alert for a channel. */
export interface WaitingMessage {
  alertId: number;
  channel: MatchChannelName;
  listingCount: number;
  /** The rule that holds it; null where it leaves at once, or is tried again. */
  reason: Hold['heldBy'] | null;
  /** When it is due; null until its owner resumes messages or the address. */
  dueAt: Date | null;
}

/** Waiting rows of an alert, a channel and a kind. */
interface WaitingRows extends DeliveryRow {
  alertId: number;
  channel: MatchChannelName;
  kind: string;
  followed: string | null;
  count: number;
  createdAt: Date;
  dueAt: Date;
  heldBy: Hold['heldBy'] | null;
  lastSentAt: Date | null;
  isSuppressed: boolean;
  /** Whether the address is the user's, who may then know that it is suppressed. */
  ownsEmail: boolean;
  now: Date;
}

const waitingSql = `
  select w.alert_id as "alertId", w.channel, w.kind, w.followed, w.count, w.created_at as "createdAt",
         w.due_at as "dueAt", w.held_by as "heldBy", ${deliveryColumns('a', 'u')},
         case w.channel when 'email' then a.last_mailed_at when 'sms' then a.last_texted_at else a.last_pushed_at end as "lastSentAt",
         w.channel = 'email' and ${isSuppressed('u.email')} as "isSuppressed",
         ${ownsEmail('u', '$2')} as "ownsEmail", clock_timestamp() as now
    from (select n.alert_id, n.channel, n.kind, f.followed, count(*)::int4 as count, min(n.created_at) as created_at,
                 min(n.due_at) as due_at, (array_agg(n.held_by order by n.due_at, n.id))[1] as held_by
            from notifications n
           cross join lateral (select case when n.kind = 'sold' then ${followedBy('n.user_id', 'n.listing_id')} end as followed) f
           where ${waitsOf('notifications', '$1::int8[]', 'n')}
           group by n.alert_id, n.channel, n.kind, f.followed) w
    join alerts a on a.id = w.alert_id join users u on u.id = a.user_id
   order by w.alert_id, w.channel, w.due_at`;

/** The hold by the rules as they are now. That matches are collected for two seconds is none. */
function holdNow(rows: readonly WaitingRows[], first: WaitingRows, sentToday: number): Hold | null {
  const { channel, lastSentAt, now } = first;
  const settings = settingsOf(first, channel);
  const hold = currentHold(settings, now) ?? holdOf(settings, rows, { lastSentAt, sentToday }, now);
  const isCollected = hold?.heldBy === 'interval' && hold.until.getTime() - now.getTime() <= BATCH_DELAY_MS;
  return isCollected ? null : hold;
}

const hasNoEnd = (reason: string | null): boolean => reason === 'paused' || reason === 'suppressed';

function describe(rows: readonly WaitingRows[], sentToday: number): WaitingMessage[] {
  const [first] = rows;
  if (!first) return [];
  const { alertId, channel, now } = first;
  const hold = holdNow(rows, first, sentToday);
  // A claim may have deferred them for longer, such as until the next try.
  const isSecret = first.heldBy === 'suppressed' && !first.ownsEmail;
  const isLater = !isSecret && first.dueAt > now && (hold === null || first.dueAt > hold.until);
  const reason = first.isSuppressed && first.ownsEmail ? 'suppressed' : isLater ? first.heldBy : (hold?.heldBy ?? null);
  const dueAt = isLater ? first.dueAt : (hold?.until ?? (isSecret ? now : first.dueAt));
  const listingCount = rows.reduce((sum, { count }) => sum + count, 0);
  return [{ alertId, channel, listingCount, reason, dueAt: hasNoEnd(reason) ? null : dueAt }];
}

/**
 * Reads what waits of these alerts, by alert and channel, and until when, by the rules that the claim applies: after a rule
 * has changed or a message is sent again, before a claim has come to it, too. That an address is suppressed is told to none
 * but its owner.
 * @param confirmEmail whether an address is its user's only once it is confirmed
 */
export async function readWaiting(
  db: Queryable,
  alertIds: readonly number[],
  confirmEmail: boolean,
): Promise<WaitingMessage[]> {
  if (alertIds.length === 0) return [];
  const values = [alertIds, confirmEmail];
  const { rows } = await db.query<WaitingRows>({ name: 'notify-waiting', text: waitingSql, values });
  const sentToday = await readSentToday(
    db,
    rows
      .filter(({ channel }) => channel === 'email')
      .map((row) => ({ id: row.alertId, settings: settingsOf(row, 'email'), now: row.now })),
  );
  return [...Map.groupBy(rows, ({ alertId, channel }) => `${alertId}/${channel}`).values()].flatMap((group) =>
    describe(group, group[0]?.channel === 'email' ? (sentToday.get(group[0].alertId) ?? 0) : 0),
  );
}

interface RetriedRow extends DeliveryRow {
  id: string;
  channel: 'email' | 'push';
  nextTryAt: Date;
  isSuppressed: boolean;
  now: Date;
}

/** Without statistics the planner would read everything that waits; "|| ''" keeps it from that, as in `waitsOf`. */
const retriedSql = `
  select m.id, m.channel, m.next_try_at as "nextTryAt", ${deliveryColumns('a', 'u')},
         m.channel = 'email' and ${isSuppressed('u.email')} and ${ownsEmail('u', '$2')} as "isSuppressed", clock_timestamp() as now
    from (select id, alert_id, 'email' as channel, next_try_at from mails
           where id = any($1::uuid[]) and status || '' = 'waiting' and kind in (${carMails})
           union all
          select id, alert_id, 'push', next_try_at from pushes where id = any($1::uuid[]) and status || '' = 'waiting') m
    join alerts a on a.id = m.alert_id join users u on u.id = a.user_id`;

/**
 * Reads which rule holds mails and push messages that are to be tried again, and until when, by their ids. There is nothing
 * of one that no rule holds.
 * @param confirmEmail as for `readWaiting`
 */
export async function readRetryHolds(
  db: Queryable,
  ids: readonly string[],
  confirmEmail: boolean,
): Promise<Map<string, { reason: Hold['heldBy']; dueAt: Date | null }>> {
  if (ids.length === 0) return new Map();
  const values = [ids, confirmEmail];
  const { rows } = await db.query<RetriedRow>({ name: 'notify-retry-holds', text: retriedSql, values });
  return new Map(
    rows.flatMap((row) => {
      const hold = currentHold(settingsOf(row, row.channel), row.now);
      const reason = row.isSuppressed ? 'suppressed' : hold?.heldBy;
      if (reason === undefined) return [];
      const until = hold && hold.until > row.nextTryAt ? hold.until : row.nextTryAt;
      return [[row.id, { reason, dueAt: hasNoEnd(reason) ? null : until }] as const];
    }),
  );
}
