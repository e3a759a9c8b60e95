import { AppError } from '../base/errors.ts';

/**
 * A place in the order of visibility: the position first, then the pair.
 * Rows are only read below the oldest running transaction, so nothing can later appear before a cursor.
 */
export interface MatchCursor {
  /** The epoch of a server and a transaction in it, as `match_position()` gives it: an int8 as decimal text. */
  position: string;
  listingId: number;
  alertId: number;
}

/** The place before every match of this position. */
export const beforePosition = (position: string): MatchCursor => ({ position, listingId: 0, alertId: 0 });

/** Of an int8. */
const LAST = 2n ** 63n - 1n;

/** A cursor as clients hand it back: text without meaning to them. */
export function encodeCursor({ position, listingId, alertId }: MatchCursor): string {
  return Buffer.from(`${position}.${listingId}.${alertId}`).toString('base64url');
}

/** @throws AppError VALIDATION when the text is no cursor of ours. */
export function decodeCursor(text: string): MatchCursor {
  const plain = text.length <= 100 ? Buffer.from(text, 'base64url').toString('latin1') : '';
  const [, position, listingId, alertId] = /^(\d{1,19})\.(\d{1,15})\.(\d{1,15})$/.exec(plain) ?? [];
  if (position === undefined || BigInt(position) > LAST) {
    throw new AppError('VALIDATION', 'This cursor is not one of ours.', {
      fields: { after: 'This cursor is not one of ours.' },
    });
  }
  return { position, listingId: Number(listingId), alertId: Number(alertId) };
}
