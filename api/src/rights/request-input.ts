import { refuseInvalid } from '../base/errors.ts';
import { storableText } from '../domain/facts/storable-text.ts';
import { bounds, deletionTexts } from '../domain/form-rules.ts';

/** @throws AppError VALIDATION with the message of the form */
export function readReason(reason: string): string {
  const text = storableText(reason.trim());
  if (text === '') refuseInvalid({ reason: deletionTexts.reasonRequired });
  if (text.length > bounds.reason) refuseInvalid({ reason: deletionTexts.reasonLong });
  return text;
}

/**
 * Absent stays, null and '' clear.
 * @throws AppError VALIDATION
 */
export function readNotes(notes: string | null | undefined): string | null | undefined {
  if (notes === undefined) return undefined;
  const text = storableText((notes ?? '').trim());
  if (text.length > bounds.notes) refuseInvalid({ notes: deletionTexts.notesLong });
  return text === '' ? null : text;
}
