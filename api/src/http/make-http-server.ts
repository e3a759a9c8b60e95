import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import compression from 'compression';
import express, { type RequestHandler, Router } from 'express';
import { logRefusal, operationOf } from '../accounts/log-refusal.ts';
import type { CallLimits } from '../accounts/signed-in.ts';
import type { Pool } from '../base/database.ts';
import type { Log } from '../base/log.ts';
import type { SecurityLog } from '../base/security-events.ts';
import type { Settings } from '../base/settings/settings.ts';
import { answerError } from './answer-error.ts';
import { answerUnreadable } from './answer-unreadable.ts';
import { boundConnections, type ConnectionBounds, connectionBounds, serverTimes } from './connection-bounds.ts';
import { corsForKeys } from './cors.ts';
import { healthCheck } from './health.ts';
import type { KeyCallers } from './keys/key-callers.ts';
import { localOnly, seesDevelopmentPages } from './local/local-only.ts';
import { noStore, withoutNoStore } from './no-store.ts';
import { originGuard } from './origin-guard.ts';
import { securityHeaders } from './security-headers.ts';
import type { Sessions } from './sessions.ts';
import { staticWeb } from './static-web.ts';

const GRAPHQL_BODY = '200kb';
/** How long requests in flight may take when the server stops. */
const CLOSE_WITHIN_MS = 5_000;

export interface HttpParts {
  settings: Pick<
    Settings,
    'publicUrl' | 'production' | 'developmentPages' | 'trustedProxies' | 'socketsPerNetwork' | 'corsOrigins'
  >;
  pool: Pool;
  log: Log;
  sessions: Sessions;
  callers: KeyCallers;
  limits: CallLimits;
  security: SecurityLog;
  /** Expects a parsed JSON body. */
  graphql: RequestHandler;
  /** Everything under /api; what it doesn't answer is 404 as JSON. */
  api: RequestHandler;
  /** Calls of our vendors, by paths of their own: the signature over what they send is all that counts. */
  webhooks?: RequestHandler[];
  /** Handlers that know their own paths, before the web app: mail actions, the demo's photos, the outbox. */
  mounts?: RequestHandler[];
  /** `web/dist`. */
  webFolder: string;
  connections?: Partial<ConnectionBounds>;
}

export interface HttpServer {
  server: Server;
  /** @returns the port that was taken */
  listen(port: number, host: string): Promise<number>;
  close(): Promise<void>;
}

/** The one public port: pages, GraphQL and REST behind the same headers, sessions, guards and limits. */
export function makeHttpServer(parts: HttpParts): HttpServer {
  const { settings, sessions, callers, limits, log } = parts;
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');

  app.use(securityHeaders(settings.publicUrl), noStore);
  app.get('/healthz', healthCheck(parts.pool));
  for (const handler of parts.webhooks ?? []) app.use(handler);
  app.use(compression());
  app.use(['/graphql', '/api'], corsForKeys(settings.corsOrigins));
  const signedIn = Router().use(originGuard(settings), sessions.middleware, countRequest(sessions, limits));
  const guarded: RequestHandler = (request, response, next) =>
    (callers.hasKey(request) ? callers.middleware : signedIn)(request, response, next);
  app.use(['/dev', '/demo', '/api/debug'], localOnly(settings));
  const revalidateSession: RequestHandler = (request, _response, next) => {
    sessions.revalidateSession(request).then(() => next(), next);
  };
  app.use('/graphql', guarded, express.json({ limit: GRAPHQL_BODY }), revalidateSession, parts.graphql);
  app.use('/api', guarded, parts.api);
  for (const handler of parts.mounts ?? []) app.use(originGuard(settings), handler);
  // What is not among the development pages is no page of the web app either.
  app.use(['/dev', '/demo', '/photos'], notFound);
  const isTestMode = (request: IncomingMessage) => seesDevelopmentPages(settings, request);
  app.use(withoutNoStore, staticWeb(parts.webFolder, { publicUrl: settings.publicUrl, isTestMode }));
  app.use(notFound);
  app.use(
    answerError(log, (request, error) =>
      logRefusal(parts.security, error, callers.callerOf(request), operationOf(request.method, request.originalUrl), {
        hasKey: callers.hasKey(request),
      }),
    ),
  );

  const bounds = { ...connectionBounds, ...parts.connections };
  const server = createServer(serverTimes(bounds), app);
  answerUnreadable(server);
  boundConnections(server, bounds, settings);
  return {
    server,
    listen: (port, host) =>
      new Promise((settle, fail) => {
        server.once('error', fail);
        server.listen(port, host, () => {
          server.off('error', fail);
          settle((server.address() as AddressInfo).port);
        });
      }),
    close: () =>
      new Promise((settle) => {
        const patience = setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS);
        server.close(() => {
          clearTimeout(patience);
          settle();
        });
        server.closeIdleConnections();
      }),
  };
}

const notFound: RequestHandler = (_request, response) => {
  response.status(404).type('text').send('Not found');
};

function countRequest(sessions: Sessions, limits: CallLimits): RequestHandler {
  return (request, _response, next) => {
    // Whoever pushes listings holds a token of the operator's and may push as much as the server takes.
    if (request.originalUrl.startsWith('/api/ingest/')) {
      next();
      return;
    }
    const { viewer, address } = sessions.callerOf(request);
    limits.request(viewer?.id ?? null, address).then(() => next(), next);
  };
}
