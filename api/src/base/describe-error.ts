import { databaseFault } from './database-fault.ts';
import { AppError, type ErrorCode, httpStatusByCode } from './errors.ts';
import type { Log } from './log.ts';
import { currentRequestId, newRequestId } from './request-id.ts';

/** The description of an error for the caller; REST sends it as the body, GraphQL as `extensions`. */
export interface ErrorDescription {
  message: string;
  code: ErrorCode;
  fields?: Record<string, string>;
  needsUpgrade?: boolean;
  incidentId?: string;
}

/** Describes anything thrown for the caller. An unexpected error is logged and becomes INTERNAL, with the request's id as that of the incident. */
export function describeError(error: unknown, log: Log): ErrorDescription {
  if (error instanceof AppError) {
    // Only operators can act on these.
    const isOurs = error.code === 'VENDOR' || error.code === 'NOT_CONFIGURED';
    if (isOurs && error.cause !== undefined) log.warn(error.message, { code: error.code, error: error.cause });
    return {
      message: error.message,
      code: error.code,
      ...(error.fields && { fields: error.fields }),
      ...(error.needsUpgrade !== undefined && { needsUpgrade: error.needsUpgrade }),
    };
  }
  const unavailable = databaseFault(error);
  if (unavailable) {
    log.warn('database unavailable', { error });
    return { message: unavailable.message, code: unavailable.code };
  }
  const incidentId = currentRequestId() ?? newRequestId();
  log.error('unexpected error', { incidentId, error });
  return { message: 'Something went wrong on our side. Please try again.', code: 'INTERNAL', incidentId };
}

/** Status and headers of the HTTP response for an error. */
export function httpHeadOf(thrown: unknown): { status: number; headers: Record<string, string> } {
  const error = databaseFault(thrown) ?? thrown;
  if (!(error instanceof AppError)) return { status: 500, headers: {} };
  const headers: Record<string, string> = {};
  if (error.retryAfterSeconds !== undefined) headers['Retry-After'] = String(Math.ceil(error.retryAfterSeconds));
  return { status: httpStatusByCode[error.code], headers };
}
