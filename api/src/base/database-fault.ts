import { AppError } from './errors.ts';

/** The code of the error of a connection that was closed because the server did not respond. */
export const SILENT = 'LOTWATCH_SILENT';

/** The SQLSTATE for a write to a read-only server, such as a standby. */
export const READ_ONLY = '25006';

/** Whether a statement of the pool or the ORM failed because a row with the same key exists. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '23505';

/**
 * Whether a statement that a connection had prepared returns other columns since a migration. It fails on that connection
 * as long as that is open.
 */
export const isStalePlan = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === '0A000' &&
  error.message === 'cached plan must not change result type';

/** Whether the database refused a value, which it will refuse again: a data error, or a broken constraint. */
export const isDataError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^2[23]/.test(error.code);

/** The SQLSTATEs of a deadlock, and of a serialization failure, such as a row that was moved to another partition meanwhile. */
const CONFLICT_STATES = ['40P01', '40001'];

/** Whether the server ended a transaction because of a concurrent one, so that it may be repeated at once. */
export const isConflict = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && CONFLICT_STATES.includes(String(error.code));

const LOCK_NOT_AVAILABLE = '55P03';

/** Whether a statement gave up a lock for which it would have had to wait too long. */
export const isLockNotAvailable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;

const CANCELED = '57014';

/** Whether the server cancelled a statement, as it does with one that takes too long. */
export const isCanceled = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === CANCELED;

/** Connections that were refused, lost or idle in a transaction, and servers that start, shut down or are full. */
const UNAVAILABLE_STATES = /^(08|57P0|53|25P03)/;
const BUSY_STATES = new Set([CANCELED, LOCK_NOT_AVAILABLE, ...CONFLICT_STATES]);
const UNAVAILABLE_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', SILENT, READ_ONLY]);
/** Messages of the client's own errors, which have no code. */
const UNAVAILABLE_MESSAGES =
  /^(timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error)/;

/** Servers that start, recover, shut down or have just ended, or that are not the primary yet. A pooler says 08 of its own. */
const AWAY_CODES = new Set(['57P01', '57P02', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', READ_ONLY]);

/** Whether a connection could not be made because the server is away, which it may be for a moment only. */
export function isServerAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isServerAway);
  if ('code' in error && typeof error.code === 'string')
    return AWAY_CODES.has(error.code) || error.code.startsWith('08');
  return error.message === 'Connection terminated unexpectedly';
}

const RETRY_AFTER_SECONDS = 2;

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (
    UNAVAILABLE_STATES.test(code) ||
    BUSY_STATES.has(code) ||
    UNAVAILABLE_CODES.has(code) ||
    UNAVAILABLE_MESSAGES.test(error.message)
  )
    return true;
  return error instanceof AggregateError && error.errors.length > 0 && error.errors.every(isUnavailable);
}

/** The error for the caller when the database is unavailable, unresponsive, too busy or read-only; null for others. */
export function databaseFault(error: unknown): AppError | null {
  if (error instanceof AppError || !isUnavailable(error)) return null;
  return new AppError(
    'UNAVAILABLE',
    "LotWatch can't reach its data at the moment. Please try again in a few seconds.",
    {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: error,
    },
  );
}
