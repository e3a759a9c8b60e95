import type { Queryable } from '../base/database.ts';
import { BATCH_DELAY_MS } from '../domain/throttle.ts';
import { followedBy } from '../entities/car-followers.ts';
import type { MatchChannelName } from '../entities/delivery-channels.ts';
import { carMails, isSuppressed, isUnconfirmed, ownsEmail, waitsOf } from '../entities/notification-rules.ts';
import { keysOf, type OwnedRow } from '../entities/owned-rows.ts';
import {
  currentHold,
  type DeliveryRow,
  deliveryColumns,
  type Hold,
  holdOf,
  messageHold,
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
  /** When it is due; null until its owner resumes messages or the address, or confirms it. */
  dueAt: Date | null;
}

/** Waiting rows of an alert, a channel and a kind. */
interface WaitingRows extends DeliveryRow {
  alertId: number;
  userId: number;
  channel: MatchChannelName;
  kind: string;
  followed: string | null;
  count: number;
  createdAt: Date;
  dueAt: Date;
  heldBy: Hold['heldBy'] | null;
  lastSentAt: Date | null;
  isUnconfirmed: boolean;
  isSuppressed: boolean;
  /** Whether the address is the user's, who may then know that it is suppressed. */
  ownsEmail: boolean;
  now: Date;
}

const waitingSql = `
  select w.alert_id as "alertId", w.user_id as "userId", w.channel, w.kind, w.followed, w.count, w.created_at as "createdAt",
         w.due_at as "dueAt", w.held_by as "heldBy", ${deliveryColumns('a', 'u')},
         case w.channel when 'email' then a.last_mailed_at when 'sms' then a.last_texted_at else a.last_pushed_at end as "lastSentAt",
         w.channel = 'email' and ${isUnconfirmed('u', '$2')} as "isUnconfirmed",
         w.channel = 'email' and ${isSuppressed('u.email')} as "isSuppressed",
         ${ownsEmail('u', '$2')} as "ownsEmail", clock_timestamp() as now
    from (select n.alert_id, n.user_id, n.channel, n.kind, f.followed, count(*)::int4 as count, min(n.created_at) as created_at,
                 min(n.due_at) as due_at, (array_agg(n.held_by order by n.due_at, n.id))[1] as held_by
            from notifications n
           cross join lateral (select case when n.kind = 'sold' then ${followedBy('n.user_id', 'n.listing_id')} end as followed) f
           where ${waitsOf('notifications', '$1::int8[]', '$3::int8[]', 'n')}
           group by n.alert_id, n.user_id, n.channel, n.kind, f.followed) w
    join alerts a on a.id = w.alert_id and a.user_id = w.user_id join users u on u.id = a.user_id
   order by w.alert_id, w.channel, w.due_at`;

/** The hold by the rules as they are now. That matches are collected for two seconds is none. */
function holdNow(rows: readonly WaitingRows[], first: WaitingRows, sentToday: number): Hold | null {
  const { channel, lastSentAt, now } = first;
  const settings = settingsOf(first, channel);
  const hold = currentHold(settings, now) ?? holdOf(settings, rows, { lastSentAt, sentToday }, now);
  const isCollected = hold?.heldBy === 'interval' && hold.until.getTime() - now.getTime() <= BATCH_DELAY_MS;
  return isCollected ? null : hold;
}

const endless: ReadonlySet<string | null> = new Set(['paused', 'suppressed', 'unconfirmed']);
const hasNoEnd = (reason: string | null): boolean => endless.has(reason);

/** The rule by which the address holds mails. That it is suppressed is told to none but its owner. */
function addressHold(row: {
  isUnconfirmed: boolean;
  isSuppressed: boolean;
  ownsEmail: boolean;
}): 'unconfirmed' | 'suppressed' | null {
  if (row.isUnconfirmed) return 'unconfirmed';
  return row.isSuppressed && row.ownsEmail ? 'suppressed' : null;
}

function describe(rows: readonly WaitingRows[], sentToday: number): WaitingMessage[] {
  const [first] = rows;
  if (!first) return [];
  const { alertId, channel, now } = first;
  const hold = holdNow(rows, first, sentToday);
  // An address that no longer has to be confirmed holds nothing, and nobody may know of another's that is suppressed.
  const isUntold =
    (first.heldBy === 'unconfirmed' && !first.isUnconfirmed) || (first.heldBy === 'suppressed' && !first.ownsEmail);
  // A claim may have deferred them for longer, such as until the next try.
  const isLater = !isUntold && first.dueAt > now && (hold === null || first.dueAt > hold.until);
  const reason = addressHold(first) ?? (isLater ? first.heldBy : (hold?.heldBy ?? null));
  const dueAt = isLater ? first.dueAt : (hold?.until ?? (isUntold ? now : first.dueAt));
  const listingCount = rows.reduce((sum, { count }) => sum + count, 0);
  return [{ alertId, channel, listingCount, reason, dueAt: hasNoEnd(reason) ? null : dueAt }];
}

interface RetriedRows extends DeliveryRow {
  id: string;
  alertId: number;
  channel: 'email' | 'push';
  nextTryAt: Date;
  kind: string;
  followed: string | null;
  count: number;
  createdAt: Date;
  isUnconfirmed: boolean;
  isSuppressed: boolean;
  ownsEmail: boolean;
  now: Date;
}

/**
 * SQL: the waiting messages of a table with their notifications by kind, looked up by index for each message. A push
 * message that some device has got is sent, and waits for the others only.
 */
const retriedOf = (table: 'mails' | 'pushes', channel: string, column: string, found: string): string => `
  select m.id, m.alert_id, m.user_id, '${channel}' as channel, m.next_try_at, n.*
    from (select * from ${table} where ${found} and ${table === 'mails' ? `kind in (${carMails})` : 'sent_at is null'} offset 0) m
   cross join lateral (
     select n.kind, f.followed, count(*)::int4 as count, min(n.created_at) as created_at
       from notifications n
      cross join lateral (select case when n.kind = 'sold' then ${followedBy('n.user_id', 'n.listing_id')} end as followed) f
      where n.${column} = m.id and n.user_id = m.user_id and n.status = 'sending' group by n.kind, f.followed) n`;

const retriedSql = (foundIn: (table: 'mails' | 'pushes') => string): string => `
  select r.id, r.alert_id as "alertId", r.channel, r.next_try_at as "nextTryAt", r.kind, r.followed, r.count,
         r.created_at as "createdAt", ${deliveryColumns('a', 'u')},
         r.channel = 'email' and ${isUnconfirmed('u', '$2')} as "isUnconfirmed",
         r.channel = 'email' and ${isSuppressed('u.email')} as "isSuppressed", ${ownsEmail('u', '$2')} as "ownsEmail", clock_timestamp() as now
    from (${retriedOf('mails', 'email', 'mail_id', foundIn('mails'))}
           union all ${retriedOf('pushes', 'push', 'push_id', foundIn('pushes'))}) r
    join alerts a on a.id = r.alert_id and a.user_id = r.user_id join users u on u.id = a.user_id
   order by r.id`;

/** Without statistics the planner would read everything that waits; "|| ''" keeps it from that, as in `waitsOf`. */
const retriedByIdSql = retriedSql(
  () => `id = any($1::uuid[]) and user_id = any($3::int8[]) and status || '' = 'waiting'`,
);
const retriedByAlertSql = retriedSql((table) => waitsOf(table, '$1::int8[]', '$3::int8[]'));

/** A message that is to be tried again, and that a rule holds until then. */
type HeldRetry = WaitingMessage & { id: string; reason: Hold['heldBy'] };

function describeRetry(rows: readonly RetriedRows[]): HeldRetry[] {
  const [first] = rows;
  if (!first) return [];
  const { id, alertId, channel, now, nextTryAt } = first;
  const hold = messageHold(settingsOf(first, channel), rows, now);
  const reason = addressHold(first) ?? hold?.heldBy;
  if (reason === undefined) return [];
  const until = hold && hold.until > nextTryAt ? hold.until : nextTryAt;
  const listingCount = rows.reduce((sum, { count }) => sum + count, 0);
  return [{ id, alertId, channel, listingCount, reason, dueAt: hasNoEnd(reason) ? null : until }];
}

const describeRetries = (rows: readonly RetriedRows[]): HeldRetry[] =>
  [...Map.groupBy(rows, ({ id }) => id).values()].flatMap(describeRetry);

/** What waits of one alert for one channel, as one: it begins to leave when its first part does. */
function together(parts: readonly WaitingMessage[]): WaitingMessage[] {
  const [first] = parts.toSorted((one, other) => Number(one.dueAt ?? Infinity) - Number(other.dueAt ?? Infinity));
  return first ? [{ ...first, listingCount: parts.reduce((sum, { listingCount }) => sum + listingCount, 0) }] : [];
}

/**
 * Reads what waits of these alerts, by alert and channel, and until when, by the rules that the claim applies: after a rule
 * has changed or a message is sent again, before a claim has come to it, too. What is tried again counts while a rule holds
 * it. That an address is suppressed is told to none but its owner.
 * @param confirmEmail whether an address is its user's only once it is confirmed
 */
export async function readWaiting(
  db: Queryable,
  alerts: readonly OwnedRow[],
  confirmEmail: boolean,
): Promise<WaitingMessage[]> {
  const parts = [...(await readUnclaimed(db, alerts, confirmEmail)), ...(await readRetries(db, alerts, confirmEmail))];
  return [...Map.groupBy(parts, ({ alertId, channel }) => `${alertId}/${channel}`).values()].flatMap(together);
}

function valuesOf<Id>(rows: readonly OwnedRow<Id>[], confirmEmail: boolean): unknown[] {
  const [ids, userIds] = keysOf(rows);
  return [ids, confirmEmail, userIds];
}

async function readRetries(
  db: Queryable,
  alerts: readonly OwnedRow[],
  confirmEmail: boolean,
): Promise<WaitingMessage[]> {
  if (alerts.length === 0) return [];
  const values = valuesOf(alerts, confirmEmail);
  const { rows } = await db.query<RetriedRows>({ name: 'notify-waiting-retries', text: retriedByAlertSql, values });
  return describeRetries(rows).map(({ id: _id, ...one }) => one);
}

/** `readWaiting` without what was claimed. */
export async function readUnclaimed(
  db: Queryable,
  alerts: readonly OwnedRow[],
  confirmEmail: boolean,
): Promise<WaitingMessage[]> {
  if (alerts.length === 0) return [];
  const values = valuesOf(alerts, confirmEmail);
  const { rows } = await db.query<WaitingRows>({ name: 'notify-waiting', text: waitingSql, values });
  const sentToday = await readSentToday(
    db,
    rows
      .filter(({ channel }) => channel === 'email')
      .map((row) => ({ id: row.alertId, userId: row.userId, settings: settingsOf(row, 'email'), now: row.now })),
  );
  return [...Map.groupBy(rows, ({ alertId, channel }) => `${alertId}/${channel}`).values()].flatMap((group) =>
    describe(group, group[0]?.channel === 'email' ? (sentToday.get(group[0].alertId) ?? 0) : 0),
  );
}

/**
 * Reads which rule holds mails and push messages that are to be tried again, and until when, by their ids. There is nothing
 * of one that no rule holds.
 * @param confirmEmail as for `readWaiting`
 */
export async function readRetryHolds(
  db: Queryable,
  messages: readonly OwnedRow<string>[],
  confirmEmail: boolean,
): Promise<Map<string, Pick<WaitingMessage, 'reason' | 'dueAt'>>> {
  if (messages.length === 0) return new Map();
  const values = valuesOf(messages, confirmEmail);
  const { rows } = await db.query<RetriedRows>({ name: 'notify-retry-holds', text: retriedByIdSql, values });
  return new Map(describeRetries(rows).map(({ id, reason, dueAt }) => [id, { reason, dueAt }]));
}
