import { type RequestHandler, Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import { AppError } from '../base/errors.ts';
import { compileCall } from './calls/compiled-call.ts';
import { callTable } from './calls/table.ts';
import { docsPage, openapiRoute } from './docs-page/docs-page.ts';
import { type IngestParts, ingestRoutes } from './ingest/ingest.ts';
import { type ServeParts, serveCalls } from './serve/serve-calls.ts';

interface ApiRouteParts extends IngestParts, ServeParts {
  schema: GraphQLSchema;
  /** Creates missing plans, for the debug calls; given only with the development pages. */
  seedPlans: (() => Promise<void>) | null;
  /** The address of the API for browsers, without a trailing slash. */
  publicUrl: string;
}

/** Routes everything under /api. Unknown paths are answered with 404 in JSON, not with an HTML page. */
export function apiRoutes(parts: ApiRouteParts): RequestHandler {
  const router = Router();
  const calls = callTable(parts.seedPlans).map((call) => compileCall(parts.schema, call));
  router.use(ingestRoutes(parts));
  router.use(openapiRoute(calls, parts.publicUrl));
  router.use(docsPage(parts.publicUrl));
  router.use(serveCalls(calls, parts));
  router.use(() => {
    throw new AppError('NOT_FOUND', 'Not found');
  });
  return router;
}
