import { AppError } from '../base/errors.ts';

/**
 * A place in the order of visibility: the position first, then the pair.
 * Rows are only read below the oldest running transaction, so nothing can later appear before a cursor.
 */
export interface MatchCursor {
  /** The epoch of a server and a transaction in it, as `match_position()` gives it: an int8 as decimal text. */
  position: string;
  /** Of the epoch: another server may have counted the same one. Null in cursors from before there were epochs. */
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

/** Of an int8. */
const LAST = 2n ** 63n - 1n;

/** A cursor as clients hand it back: text without meaning to them. */
export function encodeCursor({ position, nonce, listingId, alertId }: MatchCursor): string {
  const parts = [position, listingId, alertId, ...(nonce === null ? [] : [nonce])];
  return Buffer.from(parts.join('.')).toString('base64url');
}

/** @throws AppError VALIDATION when the text is no cursor of ours. */
export function decodeCursor(text: string): MatchCursor {
  const plain = text.length <= 100 ? Buffer.from(text, 'base64url').toString('latin1') : '';
  const [, position, listingId, alertId, nonce] =
    /^(\d{1,19})\.(\d{1,15})\.(\d{1,15})(?:\.(\d{1,9}|1\d{9}))?$/.exec(plain) ?? [];
  if (position === undefined || BigInt(position) > LAST) {
    throw new AppError('VALIDATION', 'This cursor is not one of ours.', {
      fields: { after: 'This cursor is not one of ours.' },
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
 * Whether a cursor was given out by this server or by one that it goes on from: the row `b` of `match_bounds()` and the
 * epochs tell. Ask in the statement that reads, since the server may be another a moment later.
 */
export const isKnownCursor = (position: string, nonce: string): string => `
  (${position} <= b.ceiling and exists (
    select from match_epochs e
     where e.epoch = ${position} >> 42 and (e.nonce = ${nonce} or ${nonce} is null and e.epoch = 0)))`;

/** For whoever comes with a cursor that is none of this server's past: what comes next is unknown. */
export const foreignCursor = (): AppError =>
  new AppError(
    'CONFLICT',
    'The matches were restored to a state that this cursor is not of. Start anew from the first page.',
  );
