import { type RequestHandler, Router } from 'express';
import type { ReadyCall } from '../calls/ready-call.ts';
import { readOnly } from '../read-only.ts';
import { describeApi } from './describe-api.ts';

/** GET /openapi.json: the description of the calls, made once. */
export function openapiRoute(calls: readonly ReadyCall[], publicUrl: string): RequestHandler {
  const description = JSON.stringify(describeApi(calls, publicUrl));
  const router = Router();
  router.all('/openapi.json', readOnly, (_request, response) => {
    response.set('Cache-Control', 'no-cache').type('json').send(description);
  });
  return router;
}
