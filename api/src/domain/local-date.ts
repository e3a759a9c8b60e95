/** Where a user lives whose time zone isn't known. */
export const DEFAULT_TIME_ZONE = 'America/New_York';

/** A calendar day as the user sees it, like 'Jan 2, 2027'. @param timeZone IANA name; an unknown one is New York's */
export function localDate(moment: Date, timeZone: string): string {
  const options = { dateStyle: 'medium', timeZone } as const;
  try {
    return new Intl.DateTimeFormat('en-US', options).format(moment);
  } catch {
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone: DEFAULT_TIME_ZONE }).format(moment);
  }
}
