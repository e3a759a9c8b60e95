/** Where a user lives whose time zone isn't known. */
export const DEFAULT_TIME_ZONE = 'America/New_York';

/** By IANA name, only such as exist: making one takes longer than all else that a mail says. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone });
  formats.set(timeZone, format);
  return format;
}

/** A calendar day as the user sees it, like 'Jan 2, 2027'. @param timeZone IANA name; an unknown one is New York's */
export function localDate(moment: Date, timeZone: string): string {
  try {
    return formatOf(timeZone).format(moment);
  } catch {
    return formatOf(DEFAULT_TIME_ZONE).format(moment);
  }
}
