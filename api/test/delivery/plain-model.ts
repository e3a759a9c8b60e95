import type { DeliverySettings, Waiting } from '../../src/domain/delivery/departure.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A clock on a wall of a time zone, read minute by minute through Intl. */
export class WallClock {
  readonly #format: Intl.DateTimeFormat;
  readonly #shown = new Map<number, string>();
  readonly #first = new Map<string, number>();

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  }

  /** What it shows, such as '2026-03-08 01:59'. */
  shows(at: number): string {
    const minute = Math.floor(at / MINUTE);
    const shown = this.#shown.get(minute) ?? this.#format.format(minute * MINUTE);
    this.#shown.set(minute, shown);
    return shown;
  }

  date(at: number): string {
    return this.shows(at).slice(0, 10);
  }

  /**
   * When it first shows this time of that date. Where it jumps over the time, minutes are counted on from the last one
   * before the jump.
   */
  first(date: string, time: string): number {
    const wanted = `${date} ${time}`;
    const known = this.#first.get(wanted);
    if (known !== undefined) return known;
    let at = Date.parse(`${date}T00:00Z`) - 15 * HOUR;
    while (this.shows(at) < wanted) at += MINUTE;
    if (this.shows(at) !== wanted) {
      const before = this.shows(at - MINUTE).replace(' ', 'T');
      at += Date.parse(`${date}T${time}Z`) - Date.parse(`${before}Z`) - MINUTE;
    }
    this.#first.set(wanted, at);
    return at;
  }
}

const clocks = new Map<string, WallClock>();

export function clockOf(timeZone: string): WallClock {
  const clock = clocks.get(timeZone) ?? new WallClock(timeZone);
  clocks.set(timeZone, clock);
  return clock;
}

const plusDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00Z`) + days * 24 * HOUR).toISOString().slice(0, 10);

const weekday = (date: string): number => new Date(`${date}T00:00Z`).getUTCDay();

/** How often the clock came to the hour of the digest from `since` to `until`, both included. */
export function digestHours({ digestHour, timeZone }: DeliverySettings, since: number, until: number): number {
  const clock = clockOf(timeZone);
  const time = `${String(digestHour).padStart(2, '0')}:00`;
  let count = 0;
  for (let date = clock.date(since); date <= clock.date(until); date = plusDays(date, 1)) {
    const at = clock.first(date, time);
    if (since <= at && at <= until) count += 1;
  }
  return count;
}

function isQuiet({ quietHours, timeZone }: DeliverySettings, at: number): boolean {
  if (quietHours === null) return false;
  const { from, to, days } = quietHours;
  const clock = clockOf(timeZone);
  const today = clock.date(at);
  return [plusDays(today, -1), today].some((date) => {
    const lastDate = to > from ? date : plusDays(date, 1);
    return days.includes(weekday(date)) && clock.first(date, from) <= at && at < clock.first(lastDate, to);
  });
}

/** Whether the rules let what waits leave at this moment: a second model of them, which asks them one by one. */
export function mayLeave(settings: DeliverySettings, waiting: Waiting, at: number): boolean {
  const firstMatch = waiting.firstWaitingAt.getTime();
  const lastMessage = waiting.lastSentAt?.getTime() ?? 0;
  const snoozedUntil = settings.snoozedUntil?.getTime() ?? 0;
  if (settings.isPaused || at < snoozedUntil || isQuiet(settings, at)) return false;
  if (settings.delivery === 'daily' || waiting.isMinor) {
    return digestHours(settings, Math.max(firstMatch, lastMessage + 1, snoozedUntil), at) > 0;
  }
  const ready = Math.max(firstMatch + 2_000, lastMessage + 5 * MINUTE);
  if (at < ready) return false;
  const isLimited = settings.maxPerDay !== null && waiting.sentToday >= settings.maxPerDay;
  return !isLimited || digestHours(settings, ready, at) > 0;
}

/** Whether the rules let a claimed message leave at this moment that has not left yet. */
export function mayLeaveAgain(
  settings: DeliverySettings,
  { firstWaitingAt, isMinor }: Pick<Waiting, 'firstWaitingAt' | 'isMinor'>,
  at: number,
): boolean {
  const snoozedUntil = settings.snoozedUntil?.getTime() ?? 0;
  if (settings.isPaused || at < snoozedUntil || isQuiet(settings, at)) return false;
  const isDigest = settings.delivery === 'daily' || isMinor;
  return !isDigest || digestHours(settings, Math.max(firstWaitingAt.getTime(), snoozedUntil), at) > 0;
}

/** The first moment from `now` on at which what waits may leave; null if there is none in 12 days. */
export function leavesAt(settings: DeliverySettings, waiting: Waiting, now: number): number | null {
  const moments = [
    waiting.firstWaitingAt.getTime() + 2_000,
    (waiting.lastSentAt?.getTime() ?? 0) + 5 * MINUTE,
    settings.snoozedUntil?.getTime() ?? 0,
  ];
  for (let at = now; at < now + 12 * 24 * HOUR; ) {
    if (mayLeave(settings, waiting, at)) return at;
    const minute = (Math.floor(at / MINUTE) + 1) * MINUTE;
    at = Math.min(minute, ...moments.filter((moment) => moment > at));
  }
  return null;
}

/** More cars than this become one digest. */
const FEW_CARS = 20;

/**
 * As what the waiting matches leave: as a summary if quiet hours, a snooze, a pause or the limit a day has made them late,
 * and otherwise as a digest if they are a day's or many. Null if they do not leave in 12 days.
 */
export function kindOf(
  settings: DeliverySettings,
  waiting: Waiting,
  cars: number,
  now: number,
): 'match' | 'digest' | 'summary' | null {
  const leaves = leavesAt(settings, waiting, now);
  if (leaves === null) return null;
  const unhindered = { ...settings, quietHours: null, snoozedUntil: null, isPaused: false, maxPerDay: null };
  const wouldLeave = leavesAt(unhindered, waiting, now);
  if (wouldLeave !== null && wouldLeave < leaves) return 'summary';
  return settings.delivery === 'daily' || cars > FEW_CARS ? 'digest' : 'match';
}
