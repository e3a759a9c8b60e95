import { AppError, refuseInvalid } from '../base/errors.ts';
import { limits } from './limits.ts';

/** Returns the number that an ID stands for; null for a text that is not a valid id. */
export function readId(id: string): number | null {
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null;
}

/** @param noun as in 'Alert not found' @throws AppError NOT_FOUND for a text that is not a valid id */
export function parseId(id: string, noun: string): number {
  const number = readId(id);
  if (number === null) throw new AppError('NOT_FOUND', `${noun} not found`);
  return number;
}

/** Returns the size of a page of at most `most`, `absent` if none is given. @throws AppError VALIDATION */
export function readPageSize(first: number | null | undefined, absent = 20, most = limits.pageSize): number {
  const size = first ?? absent;
  if (size < 1 || size > most) refuseInvalid({ first: `first must be between 1 and ${most}` });
  return size;
}

/** Returns the number in a cursor. @param what as in 'This is no cursor of the quarantine.' @throws AppError VALIDATION */
export function readNumberCursor(after: string | null | undefined, what: string): number | undefined {
  if (after === null || after === undefined || after === '') return undefined;
  const number = readId(after);
  const message = `This is no cursor of the ${what}.`;
  if (number === null) throw new AppError('VALIDATION', message, { fields: { after: message } });
  return number;
}
