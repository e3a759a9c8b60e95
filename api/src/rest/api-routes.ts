import { type RequestHandler, Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import { AppError } from '../base/errors.ts';
import { makeReady } from './calls/ready-call.ts';
import { callTable } from './calls/table.ts';
import { docsPage, openapiRoute } from './docs-page/docs-page.ts';
import { type IngestParts, ingestRoutes } from './ingest/ingest.ts';
import { type ServeParts, serveCalls } from './serve/serve-calls.ts';

interface ApiRouteParts extends IngestParts, ServeParts {
  schema: GraphQLSchema;
  /** For the debug calls, which are only there with the development pages: makes the plans that are missing. */
  seedPlans: (() => Promise<void>) | null;
  /** Where browsers reach the API; without a trailing slash. */
  publicUrl: string;
}

/** Everything under /api. What isn't known is a 404 in JSON: a page of HTML would only confuse a program. */
export function apiRoutes(parts: ApiRouteParts): RequestHandler {
  const router = Router();
  const calls = callTable(parts.seedPlans).map((call) => makeReady(parts.schema, call));
  router.use(ingestRoutes(parts));
  router.use(openapiRoute(calls, parts.publicUrl));
  router.use(docsPage());
  router.use(serveCalls(calls, parts));
  router.use(() => {
    throw new AppError('NOT_FOUND', 'Not found');
  });
  return router;
}
