import { matchCountText } from '@lotwatch/api/match-cap';
import { grouped } from '@lotwatch/api/plain-words';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** `1 day`, `4 days`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** `1 match`, `1,000+ matches`: of those of an alert, which keeps so many. */
export function pluralMatches(count: number, one: string, many = `${one}s`): string {
  return `${matchCountText(count)} ${count === 1 ? one : many}`;
}

/** Now, and if it isn't the viewer's, how far local times are ahead of UTC where it is drawn. */
type Now = Date & { offsetMs?: number };

/** A date whose fields in UTC are those of a time's clock in the viewer's time zone, or where the page is drawn. */
function clockOf(at: string | Date, now?: Now): Date {
  const time = new Date(at);
  return new Date(time.getTime() + (now?.offsetMs ?? time.getTimezoneOffset() * -minuteMs));
}

const dayNumber = (clock: Date): number => Math.floor(clock.getTime() / dayMs);
const twoDigits = (count: number): string => String(count).padStart(2, '0');
const hoursAndMinutes = (clock: Date): string =>
  `${twoDigits(clock.getUTCHours())}:${twoDigits(clock.getUTCMinutes())}`;
/** A formatter of the browser's takes longer to make than all else that a card needs. */
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const monthAndDay = (clock: Date): string => `${months[clock.getUTCMonth()]} ${clock.getUTCDate()}`;

/** The hour of the viewer's clock. */
export const hourOf = (now: Now): number => clockOf(now, now).getUTCHours();

/** Age of an alert: Today and Yesterday are the viewer's calendar days. */
export function alertAge(createdAt: string | Date, now: Now): string {
  return daysAgo(dayNumber(clockOf(now, now)) - dayNumber(clockOf(createdAt, now)));
}

/** The same in days of 24 hours, for a page that is drawn where the viewer's time zone is not known. */
export function wholeDaysAge(createdAt: string | Date, now: Date): string {
  return daysAgo(Math.floor((now.getTime() - new Date(createdAt).getTime()) / dayMs));
}

function daysAgo(days: number): string {
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  if (days < 7) return `${days} days ago`;
  if (days < 30) return `${plural(Math.floor(days / 7), 'week')} ago`;
  return `${plural(Math.floor(days / 30), 'month')} ago`;
}

/** Age badge of a listing. */
export function listingAge(createdAt: string | Date, now: Date): string {
  const hours = Math.floor((now.getTime() - new Date(createdAt).getTime()) / hourMs);
  if (hours < 1) return 'Just now';
  if (hours === 1) return '1hr ago';
  return hours < 24 ? `${hours}hrs ago` : 'Today';
}

/** The age of a reading: `4 s ago`, `3 min ago`, `2 h ago`. */
export function timeAgo(at: string | Date, now: Date): string {
  const ageMs = Math.max(0, now.getTime() - new Date(at).getTime());
  if (ageMs < minuteMs) return `${Math.floor(ageMs / 1000)} s ago`;
  if (ageMs < hourMs) return `${Math.floor(ageMs / minuteMs)} min ago`;
  if (ageMs < dayMs) return `${Math.floor(ageMs / hourMs)} h ago`;
  return `${plural(Math.floor(ageMs / dayMs), 'day')} ago`;
}

/** How long something takes, as short as it gets: `2.1 s`, `45 s`, `2.5 min`, `3 h`. */
export function shortDuration(seconds: number): string {
  const oneDecimal = (value: number) => Number(value.toFixed(1));
  if (seconds < 9.95) return `${oneDecimal(seconds)} s`;
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  return seconds < 3_597 ? `${oneDecimal(seconds / 60)} min` : `${oneDecimal(seconds / 3600)} h`;
}

/** How long something takes, in words: `0.8 seconds`, `12 seconds`, `3 minutes`, `2.5 hours`, `4 days`. */
export function durationText(ms: number): string {
  if (ms < 50) return 'under 0.1 seconds';
  if (ms < 9_950) return Math.round(ms / 100) === 10 ? '1 second' : `${Number((ms / 1000).toFixed(1))} seconds`;
  if (ms < minuteMs - 500) return `${Math.round(ms / 1000)} seconds`;
  if (ms < hourMs - minuteMs / 2) return plural(Math.round(ms / minuteMs), 'minute');
  if (ms >= dayMs) return plural(Math.floor(ms / dayMs), 'day');
  const hours = Number((ms / hourMs).toFixed(1));
  return hours === 1 ? '1 hour' : `${hours} hours`;
}

/** `Nov 21, 2026`, in the viewer's time zone. @param now on a page that may be drawn */
export function dateText(at: string | Date, now?: Now): string {
  const clock = clockOf(at, now);
  return `${monthAndDay(clock)}, ${clock.getUTCFullYear()}`;
}

/** `Nov 3`, with the year when it is another one; in the viewer's time zone. */
export function dayText(at: string | Date, now: Now): string {
  const clock = clockOf(at, now);
  return clock.getUTCFullYear() === clockOf(now, now).getUTCFullYear() ? monthAndDay(clock) : dateText(at, now);
}

/** `10:02:11` in the viewer's time zone, with the date if it is not today: `Nov 20, 10:02:11`. */
export function timeText(at: string | Date, now: Now): string {
  const clock = clockOf(at, now);
  return withDay(at, now, `${hoursAndMinutes(clock)}:${twoDigits(clock.getUTCSeconds())}`);
}

/** Until when something lasts: `18:30` today, else `Nov 28, 18:30`; in the viewer's time zone. */
export function untilText(at: string | Date, now: Now): string {
  return withDay(at, now, hoursAndMinutes(clockOf(at, now)));
}

const withDay = (at: string | Date, now: Now, time: string): string =>
  dayNumber(clockOf(at, now)) === dayNumber(clockOf(now, now)) ? time : `${dayText(at, now)}, ${time}`;
