import { AppError } from './errors.ts';

/** What a connection fails with that was cut because the server said nothing for too long. */
export const SILENT = 'LOTWATCH_SILENT';

/** What a server answers to a write that takes none: it is a standby now, or its operator has set it so. */
export const READ_ONLY = '25006';

/** Whether a statement failed because a row with the same key is there, asked by the pool or by the ORM. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '23505';

/**
 * Connections refused, lost or idle for too long in a transaction, servers that start, end or are full, and statements
 * that were cut short.
 */
const AWAY_STATE = /^(08|57P0|53|25P03)/;
const BUSY_STATES = new Set(['57014', '55P03']);
const AWAY_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', SILENT, READ_ONLY]);
/** The client's own words, which come without a code. */
const AWAY_WORDS =
  /^(timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error)/;

const AGAIN_SECONDS = 2;

function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (AWAY_STATE.test(code) || BUSY_STATES.has(code) || AWAY_CODES.has(code) || AWAY_WORDS.test(error.message))
    return true;
  return error instanceof AggregateError && error.errors.length > 0 && error.errors.every(isAway);
}

/** What to tell a caller where the database is away, silent, too busy or read-only; null for any other error. */
export function databaseFault(error: unknown): AppError | null {
  if (error instanceof AppError || !isAway(error)) return null;
  return new AppError(
    'UNAVAILABLE',
    "LotWatch can't reach its data at the moment. Please try again in a few seconds.",
    {
      retryAfterSeconds: AGAIN_SECONDS,
      cause: error,
    },
  );
}
