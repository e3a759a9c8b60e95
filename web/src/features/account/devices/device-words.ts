import { alertAge, dayText } from '../../../lib/text/time.ts';
import type { Device } from './device-documents.ts';

const HOUR_MS = 3_600_000;
const handhelds: ReadonlySet<string> = new Set(['iOS', 'Android', 'Windows Phone']);

/** `Chrome on Windows`. */
export function deviceName({ browser, system }: Pick<Device, 'browser' | 'system'>): string {
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? (system ? `A browser on ${system}` : 'Unknown browser');
}

export const isHandheld = ({ system }: Pick<Device, 'system'>): boolean => system !== null && handhelds.has(system);

/** The server notes a use once an hour: the words say no more than that. */
export function lastUsedText({ lastUsedAt, isCurrent }: Pick<Device, 'lastUsedAt' | 'isCurrent'>, now: Date): string {
  if (isCurrent) return 'In use now';
  if (now.getTime() - new Date(lastUsedAt).getTime() < HOUR_MS) return 'Used within the last hour';
  return `Last used ${alertAge(lastUsedAt, now).toLowerCase()}`;
}

/** `Signed in Nov 3`. */
export const signedInText = ({ signedInAt }: Pick<Device, 'signedInAt'>, now: Date): string =>
  `Signed in ${dayText(signedInAt, now)}`;
