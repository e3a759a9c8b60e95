import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';

const TIMEOUT_MS = 5000;
const readable = /^\/(?:$|photos\/|listing\/)/;
const sent = ['accept', 'if-none-match'] as const;
const passedOn = [
  'content-type',
  'content-length',
  'content-security-policy',
  'cache-control',
  'etag',
  'x-content-type-options',
] as const;

/**
 * Shows the demo marketplace's home, photos and listing pages under our own port; mounted at /demo. No cookie and no
 * credential goes there, none comes back. 502 when it doesn't answer. @param demoUrl where it listens
 */
export function demoProxy(demoUrl: string): RequestHandler {
  return (request, response, next) => {
    const method = request.method;
    // The path only: a request line can name a host of its own.
    const target = new URL(demoUrl);
    target.pathname = request.path;
    if ((method !== 'GET' && method !== 'HEAD') || !readable.test(target.pathname)) {
      next();
      return;
    }
    const unavailable = () => {
      if (response.headersSent) response.destroy();
      else response.status(502).type('text/plain').send('The demo marketplace does not answer right now.');
    };
    const headers = Object.fromEntries(
      sent.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, request.headers[name]]])),
    );
    const forwarded = httpRequest(
      target,
      { method, headers, signal: AbortSignal.timeout(TIMEOUT_MS) },
      (answer: IncomingMessage) => {
        response.status(answer.statusCode ?? 502);
        for (const name of passedOn) {
          const value = answer.headers[name];
          if (value !== undefined) response.setHeader(name, value);
        }
        answer.on('error', unavailable);
        answer.pipe(response);
      },
    );
    forwarded.on('error', unavailable);
    response.on('close', () => forwarded.destroy());
    forwarded.end();
  };
}
