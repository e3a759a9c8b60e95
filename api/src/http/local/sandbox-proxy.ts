import type { Request, Response, Router } from 'express';
import express from 'express';
import { forward } from './forward.ts';

const MAX_FORM_SIZE = '4kb';
const passedBack = ['content-type', 'content-length', 'content-security-policy', 'cache-control', 'location'];

/** Shows the payment sandbox's pages under our own port, and forwards their forms. @param sandboxUrl where it listens */
export function sandboxProxy(sandboxUrl: string): Router {
  const show = (request: Request, response: Response): void => {
    const target = new URL(sandboxUrl);
    target.pathname = request.path.slice('/dev'.length);
    target.search = new URL(request.originalUrl, sandboxUrl).search;
    const body = typeof request.body === 'string' ? request.body : '';
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
    };
    forward(request, response, { target, headers, body, passedBack, name: 'The payment sandbox' });
  };
  const router = express.Router();
  const pages = ['/dev/checkout/:id', '/dev/portal/:id'];
  router.get(pages, show);
  router.post(pages, express.text({ type: 'application/x-www-form-urlencoded', limit: MAX_FORM_SIZE }), show);
  return router;
}
