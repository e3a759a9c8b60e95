import { type RequestHandler, Router } from 'express';
import { AppError } from '../base/errors.ts';
import { type IngestParts, ingestRoutes } from './ingest.ts';

/** Everything under /api. What isn't known is a 404 in JSON: a page of HTML would only confuse a program. */
export function apiRoutes(parts: IngestParts): RequestHandler {
  const router = Router();
  router.use(ingestRoutes(parts));
  router.use(() => {
    throw new AppError('NOT_FOUND', 'Not found');
  });
  return router;
}
