import type { ErrorRequestHandler, Request } from 'express';
import { describeError, httpHeadOf } from '../base/describe-error.ts';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';

/** What body-parser and Express throw, as ours. */
function translated(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error) || !('status' in error)) return error;
  const { status } = error;
  // A part of the address that is no text: there is nothing of that name.
  if (error instanceof URIError) return new AppError('NOT_FOUND', 'Not found', { cause: error });
  if (status === 413) return new AppError('TOO_LARGE', 'The request is too large.', { cause: error });
  if (status === 415) {
    return new AppError('UNSUPPORTED_MEDIA_TYPE', 'This content type or encoding is not understood.', { cause: error });
  }
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new AppError('MALFORMED', 'The request could not be read.', { cause: error });
  }
  return error;
}

/**
 * The last handler: every error leaves as JSON; GraphQL's clients find it under `errors` too.
 * @param noteRefused told of each, for the log
 */
export function answerError(log: Log, noteRefused: (request: Request, error: unknown) => void): ErrorRequestHandler {
  return (thrown: unknown, request, response, next) => {
    if (response.headersSent) {
      next(thrown);
      return;
    }
    const error = translated(thrown);
    noteRefused(request, error);
    const described = describeError(error, log);
    const { status, headers } = httpHeadOf(error);
    const errors = [{ message: described.message, extensions: described }];
    response
      .status(status)
      .set({ 'Cache-Control': 'no-store', ...headers })
      .json(request.path.startsWith('/graphql') ? { ...described, errors } : described);
  };
}
