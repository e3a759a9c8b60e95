/** The browser's own zone. */
export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A zone without underscores: 'America/New York'. */
export const zoneLabel = (zone: string): string => zone.replaceAll('_', ' ');

/** Every zone that the browser knows, and `current`, which may be known only to the server. */
export function zoneOptions(current: string): { value: string; label: string }[] {
  const zones = [...new Set([...Intl.supportedValuesOf('timeZone'), browserZone(), current])];
  return zones.sort((one, other) => one.localeCompare(other)).map((value) => ({ value, label: zoneLabel(value) }));
}
