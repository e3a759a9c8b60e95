/** The browser's own zone. */
export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** 'America/New_York' as people write it. */
export const zoneLabel = (zone: string): string => zone.replaceAll('_', ' ');

/** Every zone that the browser knows, and `current`, which the server may know alone. */
export function zoneOptions(current: string): { value: string; label: string }[] {
  const zones = [...new Set([...Intl.supportedValuesOf('timeZone'), browserZone(), current])];
  return zones.sort((one, other) => one.localeCompare(other)).map((value) => ({ value, label: zoneLabel(value) }));
}
