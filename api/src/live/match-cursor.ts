import { AppError } from '../base/errors.ts';

/**
 * A place in the order of visibility: transaction id first, then the pair.
 * Rows are only read below the oldest running transaction, so nothing can later appear before a cursor.
 */
export interface MatchCursor {
  /** An xid8 as decimal text. */
  tx: string;
  listingId: number;
  alertId: number;
}

/** The place before every match of transaction `tx`. */
export const beforeTransaction = (tx: string): MatchCursor => ({ tx, listingId: 0, alertId: 0 });

/** A cursor as clients hand it back: text without meaning to them. */
export function encodeCursor({ tx, listingId, alertId }: MatchCursor): string {
  return Buffer.from(`${tx}.${listingId}.${alertId}`).toString('base64url');
}

/** @throws AppError VALIDATION when the text is no cursor of ours. */
export function decodeCursor(text: string): MatchCursor {
  const plain = text.length <= 100 ? Buffer.from(text, 'base64url').toString('latin1') : '';
  const [, tx, listingId, alertId] = /^(\d{1,19})\.(\d{1,15})\.(\d{1,15})$/.exec(plain) ?? [];
  if (tx === undefined) {
    throw new AppError('VALIDATION', 'This cursor is not one of ours.', {
      fields: { after: 'This cursor is not one of ours.' },
    });
  }
  return { tx, listingId: Number(listingId), alertId: Number(alertId) };
}
