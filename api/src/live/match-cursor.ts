import { AppError } from '../base/errors.ts';

/**
 * A place in the order of visibility: by position, then by listing and alert. Rows are only read below the oldest running
 * transaction, so that no row can appear before a cursor later.
 */
export interface MatchCursor {
  /** The epoch of a server and a transaction in it, from `match_position()`: an int8 as decimal text. */
  position: string;
  /** Identifies the epoch, since another server may have used the same number. null in cursors without an epoch. */
  nonce: number | null;
  listingId: number;
  alertId: number;
}

/** A position with the nonce of its epoch. */
export type MatchPlace = Pick<MatchCursor, 'position' | 'nonce'>;

/** The place before every match of this position. */
export const beforePlace = ({ position, nonce }: MatchPlace): MatchCursor => ({
  position,
  nonce,
  listingId: 0,
  alertId: 0,
});

const MAX_INT8 = 2n ** 63n - 1n;

/** Encodes a cursor as an opaque text for clients. */
export function encodeCursor({ position, nonce, listingId, alertId }: MatchCursor): string {
  const parts = [position, listingId, alertId, ...(nonce === null ? [] : [nonce])];
  return Buffer.from(parts.join('.')).toString('base64url');
}

/** @throws AppError VALIDATION when the text is not a cursor */
export function decodeCursor(text: string): MatchCursor {
  const plain = text.length <= 100 ? Buffer.from(text, 'base64url').toString('latin1') : '';
  const [, position, listingId, alertId, nonce] =
    /^(\d{1,19})\.(\d{1,15})\.(\d{1,15})(?:\.(\d{1,9}|1\d{9}))?$/.exec(plain) ?? [];
  if (position === undefined || BigInt(position) > MAX_INT8) {
    throw new AppError('VALIDATION', 'This cursor is invalid.', {
      fields: { after: 'This cursor is invalid.' },
    });
  }
  return {
    position,
    nonce: nonce === undefined ? null : Number(nonce),
    listingId: Number(listingId),
    alertId: Number(alertId),
  };
}

/**
 * The SQL condition that a cursor comes from this server's history, by the row `b` of `match_bounds()` and the epochs. It
 * must be part of the statement that reads the rows, since the server may be replaced at any time.
 */
export const isKnownCursor = (position: string, nonce: string): string => `
  (${position} <= b.ceiling and exists (
    select from match_epochs e
     where e.epoch = ${position} >> 42 and (e.nonce = ${nonce} or ${nonce} is null and e.epoch = 0)))`;

/** The error for a cursor that is not from this server's history, so that its successors are unknown. */
export const unknownCursor = (): AppError =>
  new AppError(
    'CONFLICT',
    'This cursor is not from the current history of the matches, which were restored from a backup. Start again from the first page.',
  );
