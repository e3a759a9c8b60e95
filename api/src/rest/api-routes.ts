import { type RequestHandler, Router } from 'express';
import { AppError } from '../base/errors.ts';
import { type DebugParts, debugRoutes } from './debug-routes.ts';
import { type IngestParts, ingestRoutes } from './ingest.ts';

interface ApiRouteParts extends IngestParts {
  /** The debug calls are not there in production. */
  production: boolean;
  debug: DebugParts;
}

/** Everything under /api. What isn't known is a 404 in JSON: a page of HTML would only confuse a program. */
export function apiRoutes({ debug, production, ...ingest }: ApiRouteParts): RequestHandler {
  const router = Router();
  router.use(ingestRoutes(ingest));
  if (!production) router.use(debugRoutes(debug));
  router.use(() => {
    throw new AppError('NOT_FOUND', 'Not found');
  });
  return router;
}
