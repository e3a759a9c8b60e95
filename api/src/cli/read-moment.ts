import { UsageError } from './open-database.ts';

/** Reads a moment of the past with its time zone. @throws UsageError */
export function readMoment(text: string, name: string): Date {
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(text);
  const moment = new Date(text);
  if (!hasZone || Number.isNaN(moment.getTime()))
    throw new UsageError(`${name} must be a moment with its time zone, such as 2026-11-26T17:00:00Z, not ${text}.`);
  if (moment.getTime() > Date.now()) throw new UsageError(`${name} must be in the past.`);
  return moment;
}
