import { AppError } from '../base/errors.ts';

/** The number that an ID stands for; null for a text that is no id of ours. */
export function readId(id: string): number | null {
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null;
}

/** @param noun as in 'Alert not found' @throws AppError NOT_FOUND for a text that is no id of ours */
export function parseId(id: string, noun: string): number {
  const number = readId(id);
  if (number === null) throw new AppError('NOT_FOUND', `${noun} not found`);
  return number;
}
