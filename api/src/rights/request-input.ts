import { refuseInvalid } from '../base/errors.ts';
import { storableText } from '../domain/facts/storable-text.ts';

const MAX_TEXT = 2000;

/** @throws AppError VALIDATION with the message of the form */
export function readReason(reason: string): string {
  const text = storableText(reason).trim();
  if (text === '') refuseInvalid({ reason: 'Please provide a reason for your deletion request.' });
  if (text.length > MAX_TEXT) refuseInvalid({ reason: `Reason must be at most ${MAX_TEXT} characters` });
  return text;
}

/**
 * Absent stays, null and '' clear.
 * @throws AppError VALIDATION
 */
export function readNotes(notes: string | null | undefined): string | null | undefined {
  if (notes === undefined) return undefined;
  const text = storableText(notes ?? '').trim();
  if (text.length > MAX_TEXT) refuseInvalid({ notes: `Notes must be at most ${MAX_TEXT} characters` });
  return text === '' ? null : text;
}
