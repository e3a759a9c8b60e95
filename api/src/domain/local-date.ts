import { DEFAULT_TIME_ZONE } from './time-zone.ts';

const days = { dateStyle: 'medium' } as const;
const moments = {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const;

/** By style and IANA name, only such as exist: making one takes longer than all else that a mail says. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(style: Intl.DateTimeFormatOptions, timeZone: string): Intl.DateTimeFormat {
  const key = `${style === days} ${timeZone}`;
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', { ...style, timeZone });
  formats.set(key, format);
  return format;
}

function format(style: Intl.DateTimeFormatOptions, moment: Date, timeZone: string): string {
  try {
    return formatOf(style, timeZone).format(moment);
  } catch {
    return formatOf(style, DEFAULT_TIME_ZONE).format(moment);
  }
}

/** A calendar day as the user sees it, like 'Jan 2, 2027'. @param timeZone IANA name; an unknown one is New York's */
export const localDate = (moment: Date, timeZone: string): string => format(days, moment, timeZone);

/** The same with the time and the zone's name, like 'Jan 2, 2027, 3:04 PM EST'. */
export const localMoment = (moment: Date, timeZone: string): string =>
  // Some programs show the narrow space before PM as a box.
  format(moments, moment, timeZone).replaceAll('\u202f', ' ');
