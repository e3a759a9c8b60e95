/** The time zone of a user whose own is not known. The column `users.time_zone` has the same default. */
export const DEFAULT_TIME_ZONE = 'America/New_York';

const MAX_NAME_LENGTH = 60;

/** The IANA name of a zone that this runtime knows, else null: browsers know zones that the server may not. */
export function knownTimeZone(name: string): string | null {
  if (name === '' || name.length > MAX_NAME_LENGTH) return null;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
