import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Request, Response, Router } from 'express';
import express from 'express';

const TIMEOUT_MS = 5000;
const LARGEST_FORM = '4kb';
const passedOn = ['content-type', 'content-length', 'content-security-policy', 'cache-control', 'location'] as const;

/**
 * Shows the payment sandbox's pages under our own port. Of the request only the path, the query and the form go
 * there, no cookie and no credential; 502 when it doesn't answer. @param sandboxUrl where it listens
 */
export function sandboxProxy(sandboxUrl: string): Router {
  const forward = (request: Request, response: Response): void => {
    const target = new URL(sandboxUrl);
    target.pathname = request.path.slice('/dev'.length);
    target.search = new URL(request.originalUrl, sandboxUrl).search;
    const form = typeof request.body === 'string' ? request.body : '';
    const unavailable = () => {
      if (response.headersSent) response.destroy();
      else response.status(502).type('text/plain').send('The payment sandbox does not answer right now.');
    };
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(form),
    };
    const options = { method: request.method, headers, signal: AbortSignal.timeout(TIMEOUT_MS) };
    const forwarded = httpRequest(target, options, (answer: IncomingMessage) => {
      response.status(answer.statusCode ?? 502);
      for (const name of passedOn) {
        const value = answer.headers[name];
        if (value !== undefined) response.setHeader(name, value);
      }
      answer.on('error', unavailable);
      answer.pipe(response);
    });
    forwarded.on('error', unavailable);
    response.on('close', () => forwarded.destroy());
    forwarded.end(form);
  };
  const router = express.Router();
  const pages = ['/dev/checkout/:id', '/dev/portal/:id'];
  router.get(pages, forward);
  router.post(pages, express.text({ type: 'application/x-www-form-urlencoded', limit: LARGEST_FORM }), forward);
  return router;
}
