import { Temporal } from 'temporal-polyfill';
import type { QuietHours } from '../forms/delivery.ts';
import { earliestSendAt } from '../throttle.ts';

/** How an alert's owner wants to be notified. */
export interface DeliverySettings {
  delivery: 'instant' | 'daily';
  /** 0 to 23, in the buyer's time zone. Daily messages leave then, and so does what a daily limit held back. */
  digestHour: number;
  quietHours: QuietHours | null;
  snoozedUntil: Date | null;
  /** Whether the owner has paused the messages of all alerts. */
  isPaused: boolean;
  /** Messages a calendar day; null is no limit. */
  maxPerDay: number | null;
  /** IANA name. */
  timeZone: string;
}

/** What waits to leave through one channel. */
export interface Waiting {
  /** When the first waiting match was found. */
  firstWaitingAt: Date;
  lastSentAt: Date | null;
  /** Messages that left on this calendar day, in the buyer's time zone. */
  sentToday: number;
  /** Whether nothing of it is worth a message of its own: it leaves with the next one, or at the hour of the digest. */
  isMinor?: boolean;
}

/** Which rule decides when a message leaves. */
export type HeldBy = 'interval' | 'digest' | 'quiet_hours' | 'snoozed' | 'paused' | 'daily_limit';

/** `at`: when the waiting matches may leave; null until the owner resumes messages. `heldBy`: the rule that decided that last. */
export interface Departure {
  at: Date | null;
  heldBy: HeldBy;
}

const localTime = (at: Date, timeZone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);

/**
 * A time of day on a date. A time that the clock skips in spring becomes the one an hour later, and of a time that occurs
 * twice in autumn it is the first.
 */
const timeOn = (date: Temporal.PlainDate, time: string, timeZone: string): number =>
  date.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) }).epochMilliseconds;

/** The start of a calendar day. */
export const startOfDay = (at: Date, timeZone: string): Date =>
  new Date(localTime(at, timeZone).startOfDay().epochMilliseconds);

/** The first time at or after `at` that the clock shows this hour. */
function nextHour(at: Date, hour: number, timeZone: string): Date {
  const time = `${String(hour).padStart(2, '0')}:00`;
  const today = localTime(at, timeZone).toPlainDate();
  const [first, second] = [today, today.add({ days: 1 })].map((date) => timeOn(date, time, timeZone));
  return new Date(first !== undefined && first >= at.getTime() ? first : Number(second));
}

/** The end of the quiet hours that contain `at`; null where none do. */
function quietEnd(at: Date, { from, to, days }: QuietHours, timeZone: string): Date | null {
  const today = localTime(at, timeZone).toPlainDate();
  for (const date of [today.subtract({ days: 1 }), today]) {
    if (!days.includes(date.dayOfWeek % 7)) continue;
    const start = timeOn(date, from, timeZone);
    const end = timeOn(from < to ? date : date.add({ days: 1 }), to, timeZone);
    if (start <= at.getTime() && at.getTime() < end) return new Date(end);
  }
  return null;
}

/** Quiet hours of whole days may follow one another, for a week at most. */
const MAX_QUIET = 8;

function afterQuietHours(at: Date, quietHours: QuietHours, timeZone: string): Date {
  let leaves = at;
  for (let count = 0; count < MAX_QUIET; count += 1) {
    const end = quietEnd(leaves, quietHours, timeZone);
    if (end === null) break;
    leaves = end;
  }
  return leaves;
}

const latest = (...times: (Date | null)[]): Date =>
  new Date(Math.max(...times.filter((time) => time !== null).map((time) => time.getTime())));

/** When the waiting matches would leave if no hour were quiet. */
function scheduled(settings: DeliverySettings, waiting: Waiting): { at: Date; heldBy: HeldBy } {
  const { snoozedUntil, timeZone, digestHour, maxPerDay } = settings;
  const { firstWaitingAt, lastSentAt, sentToday, isMinor = false } = waiting;
  if (settings.delivery === 'daily' || isMinor) {
    // A digest that left on the stroke of its hour was that day's.
    const since = latest(firstWaitingAt, lastSentAt && new Date(lastSentAt.getTime() + 1));
    const isSnoozed = snoozedUntil !== null && snoozedUntil > nextHour(since, digestHour, timeZone);
    return {
      at: nextHour(latest(since, snoozedUntil), digestHour, timeZone),
      heldBy: isSnoozed ? 'snoozed' : 'digest',
    };
  }
  let held: { at: Date; heldBy: HeldBy } = { at: earliestSendAt(firstWaitingAt, lastSentAt), heldBy: 'interval' };
  if (maxPerDay !== null && sentToday >= maxPerDay) {
    held = { at: nextHour(latest(held.at, lastSentAt), digestHour, timeZone), heldBy: 'daily_limit' };
  }
  return snoozedUntil !== null && snoozedUntil > held.at ? { at: snoozedUntil, heldBy: 'snoozed' } : held;
}

/** The rule that lets nothing leave now, whatever is due, and until when; null where none does. */
export function heldNow(settings: DeliverySettings, now: Date): Departure | null {
  const { isPaused, snoozedUntil, quietHours, timeZone } = settings;
  if (isPaused) return { at: null, heldBy: 'paused' };
  const isSnoozed = snoozedUntil !== null && snoozedUntil > now;
  const from = isSnoozed ? snoozedUntil : now;
  const at = quietHours === null ? from : afterQuietHours(from, quietHours, timeZone);
  return at > now ? { at, heldBy: at > from ? 'quiet_hours' : 'snoozed' } : null;
}

/** Whether quiet hours or a snooze that were over by `now` have held messages at some time after `since`. */
export function hasHeld({ snoozedUntil, quietHours, timeZone }: DeliverySettings, since: Date, now: Date): boolean {
  if (snoozedUntil !== null && since < snoozedUntil && snoozedUntil <= now) return true;
  if (quietHours === null) return false;
  const { from, to, days } = quietHours;
  let date = localTime(since, timeZone).toPlainDate().subtract({ days: 1 });
  // Any quiet hours come again within a week.
  for (let count = 0; count < MAX_QUIET + 1; count += 1) {
    const start = timeOn(date, from, timeZone);
    const end = timeOn(from < to ? date : date.add({ days: 1 }), to, timeZone);
    if (days.includes(date.dayOfWeek % 7) && since.getTime() < end && start < now.getTime()) return true;
    date = date.add({ days: 1 });
  }
  return false;
}

/**
 * The rule that lets a claimed message wait which has not left yet, by the settings as they are now, and until when; null
 * where none does. A digest waits for its hour, if that has not come since its first match was found. The interval and the
 * limit a day were kept when the message was claimed.
 */
export function heldMessage(
  settings: DeliverySettings,
  { firstWaitingAt, isMinor = false }: Pick<Waiting, 'firstWaitingAt' | 'isMinor'>,
  now: Date,
): Departure | null {
  if (settings.delivery !== 'daily' && !isMinor) return heldNow(settings, now);
  const departure = departureOf(settings, { firstWaitingAt, isMinor, lastSentAt: null, sentToday: 0 }, now);
  return departure.at !== null && departure.at <= now ? null : departure;
}

/**
 * Decides when the waiting matches of an alert leave through one channel. They may leave now if `at` is not after `now`.
 * Nothing is lost by it: what is held leaves together, as one message.
 */
export function departureOf(settings: DeliverySettings, waiting: Waiting, now: Date): Departure {
  if (settings.isPaused) return { at: null, heldBy: 'paused' };
  const held = scheduled(settings, waiting);
  if (settings.quietHours === null) return held;
  // What is due may be late, and must not leave in quiet hours that have begun since.
  const due = latest(held.at, now);
  const leaves = afterQuietHours(due, settings.quietHours, settings.timeZone);
  return leaves > due ? { at: leaves, heldBy: 'quiet_hours' } : held;
}
