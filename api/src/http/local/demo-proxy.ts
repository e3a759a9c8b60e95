import type { RequestHandler } from 'express';
import { forward } from './forward.ts';

const readable = /^\/(?:$|photos\/|listing\/)/;
const sent = ['accept', 'if-none-match'] as const;
const passedBack = [
  'content-type',
  'content-length',
  'content-security-policy',
  'cache-control',
  'etag',
  'x-content-type-options',
];

/**
 * Shows the demo marketplace's home, photos and listing pages under our own port; mounted at /demo.
 * @param demoUrl where it listens
 */
export function demoProxy(demoUrl: string): RequestHandler {
  return (request, response, next) => {
    // The path only: a request line can name a host of its own.
    const target = new URL(demoUrl);
    target.pathname = request.path;
    if ((request.method !== 'GET' && request.method !== 'HEAD') || !readable.test(target.pathname)) {
      next();
      return;
    }
    const headers = Object.fromEntries(
      sent.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, request.headers[name]]])),
    );
    forward(request, response, { target, headers, passedBack, name: 'The demo marketplace' });
  };
}
