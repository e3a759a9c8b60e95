/*
 * Times in words in the time zone of the account, in which the rules of delivery are meant.
 */

/** The calendar day in a time zone: `2026-11-25`. */
export const dayKey = (at: Date, timeZone: string): string =>
  at.toLocaleDateString('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });

const DAY_MS = 86_400_000;

/** `Today`, `Yesterday`, `Tomorrow`, or `Saturday, November 21`; with the year when it is another one. */
export function dayName(at: string | Date, now: Date, timeZone: string): string {
  const date = new Date(at);
  const key = dayKey(date, timeZone);
  const days = (Date.parse(key) - Date.parse(dayKey(now, timeZone))) / DAY_MS;
  const near = { '-1': 'Yesterday', 0: 'Today', 1: 'Tomorrow' }[days];
  if (near) return near;
  const year = key.slice(0, 4) === dayKey(now, timeZone).slice(0, 4) ? undefined : 'numeric';
  return date.toLocaleDateString('en-US', { timeZone, weekday: 'long', month: 'long', day: 'numeric', year });
}

/** `07:00` in a time zone. */
export const clock = (at: string, timeZone: string): string =>
  new Date(at).toLocaleTimeString('en-US', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** `07:00` today, `tomorrow at 07:00`, `Saturday, November 28 at 07:00`. */
export function timeOf(at: string, now: Date, timeZone: string): string {
  const day = dayName(at, now, timeZone);
  if (day === 'Today') return clock(at, timeZone);
  return `${day.includes(',') ? day : day.toLowerCase()} at ${clock(at, timeZone)}`;
}

/** `at 07:00` today, else `yesterday at 07:00`, `on Saturday, November 21 at 07:00`. */
export function whenText(at: string, now: Date, timeZone: string): string {
  const day = dayName(at, now, timeZone);
  if (day === 'Today') return `at ${clock(at, timeZone)}`;
  return day.includes(',') ? `on ${timeOf(at, now, timeZone)}` : timeOf(at, now, timeZone);
}
