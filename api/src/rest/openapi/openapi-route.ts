import { type RequestHandler, Router } from 'express';
import { AppError } from '../../base/errors.ts';
import type { ReadyCall } from '../calls/ready-call.ts';
import { describeApi } from './describe-api.ts';

/** GET /openapi.json: the description of the calls, made once. */
export function openapiRoute(calls: readonly ReadyCall[], publicUrl: string): RequestHandler {
  const description = JSON.stringify(describeApi(calls, publicUrl));
  const router = Router();
  router.all('/openapi.json', (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.set('Allow', 'GET, HEAD');
      throw new AppError('METHOD_NOT_ALLOWED', 'Only GET and HEAD is taken here.');
    }
    response.set('Cache-Control', 'no-cache').type('json').send(description);
  });
  return router;
}
