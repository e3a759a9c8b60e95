import { memoize } from '../base/memoize.ts';

/** The time zone of a user who has not chosen one. The column `users.time_zone` has the same default. */
export const DEFAULT_TIME_ZONE = 'America/New_York';

const MAX_NAME_LENGTH = 60;
const MAX_FORMATS = 500;

/** The IANA name of a zone that this runtime knows, else null: browsers know zones that the server may not. */
export function knownTimeZone(name: string): string | null {
  if (name === '' || name.length > MAX_NAME_LENGTH) return null;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/**
 * Formats by the name of a time zone, as making one takes longer than rendering the rest of a mail. An unknown name
 * throws and is not kept.
 */
const formats = (options: Intl.DateTimeFormatOptions) =>
  memoize((timeZone) => new Intl.DateTimeFormat('en-US', { ...options, timeZone }), { maxEntries: MAX_FORMATS });

const dates = formats({ dateStyle: 'medium' });
const dateTimes = formats({
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});

function format(formatIn: typeof dates, time: Date, timeZone: string): string {
  try {
    return formatIn(timeZone).format(time);
  } catch {
    return formatIn(DEFAULT_TIME_ZONE).format(time);
  }
}

/** The date in a time zone, like 'Jan 2, 2027'. @param timeZone an IANA name; an unknown one counts as New York */
export const localDate = (time: Date, timeZone: string): string => format(dates, time, timeZone);

/** The date and time in a time zone, like 'Jan 2, 2027, 3:04 PM EST'. @param timeZone as for `localDate` */
export const localDateTime = (time: Date, timeZone: string): string =>
  // Some mail programs show the narrow space before PM as a box.
  format(dateTimes, time, timeZone).replaceAll('\u202f', ' ');
