import type { Queryable } from '../../base/database.ts';
import {
  type DeliverySettings,
  type Departure,
  departureOf,
  heldMessage,
  heldNow,
  startOfDay,
  type Waiting,
} from '../../domain/delivery/departure.ts';
import { summaryRules } from '../../domain/delivery/hold-rules.ts';
import type { QuietHours } from '../../domain/forms/delivery.ts';
import { type CarMailKind } from '../../domain/mail-kinds.ts';
import { carMails } from '../../entities/notification-rules.ts';

/** How an alert's owner wants to be notified, as `deliveryColumns` reads it. */
export interface DeliveryRow {
  delivery: string;
  digestHour: number;
  quietHours: unknown;
  snoozedUntil: Date | null;
  maxMailsPerDay: number | null;
  isPaused: boolean;
  timeZone: string;
}

/** SQL: the columns of a `DeliveryRow`. @param alert alias of a row of `alerts` @param user alias of a row of `users` */
export const deliveryColumns = (alert: string, user: string): string => `
  ${alert}.delivery, ${alert}.digest_hour as "digestHour", ${alert}.quiet_hours as "quietHours",
  ${alert}.snoozed_until as "snoozedUntil", ${alert}.max_mails_per_day as "maxMailsPerDay",
  ${user}.messages_paused_at is not null as "isPaused", ${user}.time_zone as "timeZone"`;

/** The row's settings. Other channels than mails have no limit a day. */
export const settingsOf = (row: DeliveryRow, channel: 'email' | 'sms' | 'push'): DeliverySettings => ({
  delivery: row.delivery === 'daily' ? 'daily' : 'instant',
  digestHour: row.digestHour,
  // Only values that the alert's schema accepts are written.
  quietHours: row.quietHours as QuietHours | null,
  snoozedUntil: row.snoozedUntil,
  isPaused: row.isPaused,
  maxPerDay: channel === 'email' ? row.maxMailsPerDay : null,
  timeZone: row.timeZone,
});

/** How long rows are deferred whose owner has paused messages; resuming them releases the rows at once. */
const PAUSED_MS = 24 * 3_600_000;

/** A departure that is not now. `suppressed`: its address gets no mails about cars; `unconfirmed`: not until it is confirmed. */
export interface Hold {
  until: Date;
  heldBy: Departure['heldBy'] | 'suppressed' | 'unconfirmed';
}

/** What decides when a waiting notification leaves. */
interface WaitingRow {
  kind: string;
  createdAt: Date;
  /** Whether the buyer 'saved' the car or 'viewed' it lately. */
  followed: string | null;
}

/** That a car was sold which one only viewed is worth no message of its own. */
const isMinor = ({ kind, followed }: WaitingRow): boolean => kind === 'sold' && followed !== 'saved';

function waitingOf(rows: readonly WaitingRow[]): Pick<Waiting, 'firstWaitingAt' | 'isMinor'> {
  const major = rows.filter((row) => !isMinor(row));
  const deciding = major.length > 0 ? major : rows;
  const firstWaitingAt = new Date(Math.min(...deciding.map(({ createdAt }) => createdAt.getTime())));
  return { firstWaitingAt, isMinor: major.length === 0 };
}

/**
 * Until when the waiting rows of an alert must wait, and by which rule; null if they may leave now.
 * @param rows at least one
 */
export const holdOf = (
  settings: DeliverySettings,
  rows: readonly WaitingRow[],
  sent: { lastSentAt: Date | null; sentToday: number },
  now: Date,
): Hold | null => toHold(departureOf(settings, { ...waitingOf(rows), ...sent }, now), now);

/**
 * Until when a claimed message must wait that has not left yet, and by which rule; null if it may leave now.
 * @param rows its notifications, at least one
 */
export function messageHold(settings: DeliverySettings, rows: readonly WaitingRow[], now: Date): Hold | null {
  const departure = heldMessage(settings, waitingOf(rows), now);
  return departure && toHold(departure, now);
}

/** Until when nothing may leave because of quiet hours, a snooze or a pause; null if a message that is due may leave now. */
export function currentHold(settings: DeliverySettings, now: Date): Hold | null {
  const departure = heldNow(settings, now);
  return departure && toHold(departure, now);
}

function toHold({ at, heldBy }: Departure, now: Date): Hold | null {
  if (at === null) return { until: new Date(now.getTime() + PAUSED_MS), heldBy };
  return at > now ? { until: at, heldBy } : null;
}

/** More cars than this become one digest. */
const MAX_CARS_AT_ONCE = 20;
const summarized: ReadonlySet<string> = new Set(summaryRules);

/** The kind of a message that a rule has held; null where it keeps its own. */
export function heldKind(heldBy: Hold['heldBy']): CarMailKind | null {
  if (summarized.has(heldBy)) return 'summary';
  return heldBy === 'digest' ? 'digest' : null;
}

/** The kind of the message in which these rows leave. */
export function messageKind(
  { delivery }: DeliverySettings,
  pairs: readonly { kind: string; heldBy: string | null }[],
): CarMailKind {
  if (pairs.some(({ heldBy }) => heldBy !== null && summarized.has(heldBy))) return 'summary';
  if (delivery === 'daily' || pairs.length > MAX_CARS_AT_ONCE) return 'digest';
  const [kind, ...others] = new Set(pairs.map((pair) => pair.kind));
  return others.length === 0 && (kind === 'price_drop' || kind === 'sold') ? kind : 'match';
}

/**
 * How many mails about cars left today in the owner's time zone, by alert id; only of alerts with a limit a day. Mails that
 * were dropped do not count.
 */
export async function readSentToday(
  db: Queryable,
  alerts: readonly { id: number; userId: number; settings: DeliverySettings; now: Date }[],
): Promise<Map<number, number>> {
  const limited = alerts.filter(({ settings }) => settings.maxPerDay !== null);
  if (limited.length === 0) return new Map();
  const { rows } = await db.query<{ alertId: number; sent: number }>({
    name: 'notify-sent-since',
    text: `select asked.alert_id as "alertId", (
        select count(*)::int from mails m
         where m.alert_id = asked.alert_id and m.user_id = asked.user_id and m.created_at >= asked.since and m.status <> 'dropped' and m.kind in (${carMails})) as sent
       from unnest($1::int8[], $2::timestamptz[], $3::int8[]) asked (alert_id, since, user_id)`,
    values: [
      limited.map(({ id }) => id),
      limited.map(({ settings, now }) => startOfDay(now, settings.timeZone)),
      limited.map(({ userId }) => userId),
    ],
  });
  return new Map(rows.map(({ alertId, sent }) => [alertId, sent]));
}
