import { randomUUID } from 'node:crypto';
import { databaseFault } from './database-fault.ts';
import { AppError, type ErrorCode, httpStatusByCode } from './errors.ts';
import type { Log } from './log.ts';

/** What a caller may know about an error; REST sends it as the body, GraphQL as `extensions`. */
export interface ErrorDescription {
  message: string;
  code: ErrorCode;
  fields?: Record<string, string>;
  needsUpgrade?: boolean;
  incidentId?: string;
}

/** Turns anything thrown into what may be shown. The unknown is logged under an incident id and told as INTERNAL. */
export function describeError(error: unknown, log: Log): ErrorDescription {
  if (error instanceof AppError) {
    // What operators must mend, or know of, and callers can't.
    const isOurs = error.code === 'VENDOR' || error.code === 'NOT_CONFIGURED';
    if (isOurs && error.cause !== undefined) log.warn(error.message, { code: error.code, error: error.cause });
    return {
      message: error.message,
      code: error.code,
      ...(error.fields && { fields: error.fields }),
      ...(error.needsUpgrade !== undefined && { needsUpgrade: error.needsUpgrade }),
    };
  }
  const away = databaseFault(error);
  if (away) {
    log.warn('the database is away', { error });
    return { message: away.message, code: away.code };
  }
  const incidentId = randomUUID();
  log.error('unexpected error', { incidentId, error });
  return { message: 'Something went wrong on our side. Please try again.', code: 'INTERNAL', incidentId };
}

/** Status and headers that go with an error over HTTP. */
export function httpHeadOf(thrown: unknown): { status: number; headers: Record<string, string> } {
  const error = databaseFault(thrown) ?? thrown;
  if (!(error instanceof AppError)) return { status: 500, headers: {} };
  const headers: Record<string, string> = {};
  if (error.retryAfterSeconds !== undefined) headers['Retry-After'] = String(Math.ceil(error.retryAfterSeconds));
  return { status: httpStatusByCode[error.code], headers };
}
