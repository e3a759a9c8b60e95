import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorRequestHandler, Request } from 'express';
import { describeError, httpHeadOf } from '../base/describe-error.ts';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';

const CLOSE_AFTER_MS = 500;

/** Sends a last response and closes the connection soon after, even if the client leaves its side open. */
function endConnection(socket: Duplex, head: readonly string[], body: string): void {
  socket.end(`${[...head, `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref();
}

/** Translates the errors of body-parser and Express. */
function translated(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error) || !('status' in error)) return error;
  const { status } = error;
  // A path with an invalid percent encoding.
  if (error instanceof URIError) return new AppError('NOT_FOUND', 'Not found', { cause: error });
  if (status === 413) return new AppError('TOO_LARGE', 'The request is too large.', { cause: error });
  if (status === 415) {
    return new AppError('UNSUPPORTED_MEDIA_TYPE', 'This content type or encoding is not supported.', { cause: error });
  }
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new AppError('MALFORMED', 'The request could not be read.', { cause: error });
  }
  return error;
}

/**
 * The last handler: answers every error as JSON, which has `errors` too for GraphQL clients.
 * @param logRefused called with each error
 */
export function answerError(log: Log, logRefused: (request: Request, error: unknown) => void): ErrorRequestHandler {
  return (thrown: unknown, request, response, next) => {
    if (response.headersSent) {
      next(thrown);
      return;
    }
    const error = translated(thrown);
    logRefused(request, error);
    const described = describeError(error, log);
    const { status, headers } = httpHeadOf(error);
    const errors = [{ message: described.message, extensions: described }];
    response
      .status(status)
      .set({ 'Cache-Control': 'no-store', ...headers })
      .json(request.path.startsWith('/graphql') ? { ...described, errors } : described);
  };
}

const knownErrors: Readonly<Record<string, { status: string; code: string; message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'TOO_LARGE',
    message: 'The headers of the request are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'MALFORMED',
    message: 'The request did not come in time.',
  },
};
const unreadable = { status: '400 Bad Request', code: 'MALFORMED', message: 'The request could not be read.' };

/** Answers requests that can't be parsed as HTTP with an error of the same shape. */
export function answerUnreadable(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, ...described } = knownErrors[error.code ?? ''] ?? unreadable;
    const body = JSON.stringify(described);
    const head = [`HTTP/1.1 ${status}`, 'Connection: close', 'Content-Type: application/json; charset=utf-8'];
    endConnection(socket, head, body);
  });
}

const statusTexts: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

/** Answers an upgrade request with an error of the same shape. */
export function refuseUpgrade(socket: Duplex, error: unknown, log: Log): void {
  const { status, headers } = httpHeadOf(error);
  const body = JSON.stringify(describeError(error, log));
  const lines = [
    `HTTP/1.1 ${status} ${statusTexts[status] ?? 'Error'}`,
    'Connection: close',
    'Cache-Control: no-store',
    'Content-Type: application/json; charset=utf-8',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  endConnection(socket, lines, body);
}
