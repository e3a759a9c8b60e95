import { AppError } from '../base/errors.ts';
import { readId } from './parse-id.ts';

const MAX_PAGE = 100;

export function refuseArgument(name: string, message: string): never {
  throw new AppError('VALIDATION', message, { fields: { [name]: message } });
}

/** How many rows of a list of the admin's; 20 where nothing is said. @throws AppError VALIDATION */
export function readPageSize(first: number | null | undefined): number {
  const size = first ?? 20;
  if (size < 1 || size > MAX_PAGE) refuseArgument('first', `first must be between 1 and ${MAX_PAGE}`);
  return size;
}

/** The number in a cursor. @param what as in 'This is no cursor of the quarantine.' @throws AppError VALIDATION */
export function readNumberCursor(after: string | null | undefined, what: string): number | undefined {
  if (after === null || after === undefined || after === '') return undefined;
  return readId(after) ?? refuseArgument('after', `This is no cursor of the ${what}.`);
}
