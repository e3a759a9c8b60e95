import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import compression from 'compression';
import express, { type RequestHandler, Router } from 'express';
import type { CallLimits } from '../accounts/call-limits.ts';
import { logRefusal, operationOf } from '../accounts/log-refusal.ts';
import { namesLoopback } from '../base/addresses/loopback.ts';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { measured, type RequestKind } from '../base/measured.ts';
import type { SecurityLog } from '../base/security-events.ts';
import type { Settings } from '../base/settings/settings.ts';
import { beginTraced, type Work } from '../base/traced.ts';
import { answerError, answerUnreadable } from './answer-error.ts';
import { type ConnectionLimits, defaultConnectionLimits, limitConnections, serverTimes } from './connection-limits.ts';
import type { DrawnPages } from './drawn/drawn-pages.ts';
import { type Answer, makeSendWithData } from './first-data.ts';
import type { Health } from './health/health.ts';
import { healthRoutes } from './health/health-routes.ts';
import type { KeyCallers } from './keys/key-callers.ts';
import { corsForKeys, originGuard } from './origins.ts';
import { identifyRequest, traceparentOf } from './request-ids.ts';
import { appPolicy, noStore, securityHeaders, withoutNoStore } from './security-headers.ts';
import type { Sessions } from './sessions.ts';
import { staticWeb } from './static-web.ts';

/** Whether the request may see the development pages: they are on, and its Host header is a loopback name. */
const seesDevelopmentPages = (settings: Pick<Settings, 'developmentPages'>, request: IncomingMessage): boolean =>
  settings.developmentPages && namesLoopback(request.headers.host);

/** Guards the paths of the development pages, which answer 404 to everybody else. */
function localOnly(settings: Pick<Settings, 'developmentPages'>): RequestHandler {
  return (request, _response, next) =>
    next(seesDevelopmentPages(settings, request) ? undefined : new AppError('NOT_FOUND', 'Not found'));
}

const GRAPHQL_BODY = '200kb';
/** How long requests in progress may take when the server stops. */
const CLOSE_WITHIN_MS = 5_000;
/** Turns of the event loop in which a new connection is accepted and its request read. */
const READ_TURNS = 3;

interface HttpParts {
  settings: Pick<
    Settings,
    | 'publicUrl'
    | 'production'
    | 'developmentPages'
    | 'trustedProxies'
    | 'trustedRequestIds'
    | 'socketsPerNetwork'
    | 'corsOrigins'
    | 'offlinePages'
  >;
  health: Pick<Health, 'read' | 'isDraining' | 'hasJobStore' | 'awayServers'>;
  log: Log;
  sessions: Sessions;
  callers: KeyCallers;
  limits: CallLimits;
  security: SecurityLog;
  /** Expects a parsed JSON body. */
  graphql: RequestHandler;
  /** Answers what a signed-in page asks for first. */
  answer: Answer;
  /** Handles everything under /api, with 404 as JSON for unknown paths. */
  api: RequestHandler;
  /** Calls of vendors, which are authenticated only by their signature. */
  webhooks?: RequestHandler[];
  /** Handlers with their own paths, before the web app: mail actions, the demo's photos, the outbox. */
  mounts?: RequestHandler[];
  /** `web/dist`. */
  webFolder: string;
  drawn: DrawnPages;
  connections?: Partial<ConnectionLimits>;
}

interface HttpServer {
  server: Server;
  /** @returns the port, which may have been chosen by the system */
  listen(port: number, host: string): Promise<number>;
  close(): Promise<void>;
}

/** Makes the server of the public port: pages, GraphQL and REST with the same headers, sessions, guards and limits. */
export function makeHttpServer(parts: HttpParts): HttpServer {
  const { settings, sessions, callers, limits, log } = parts;
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');

  app.use(identifyRequest(settings.trustedRequestIds), measureRequest(settings.trustedRequestIds));
  app.use(securityHeaders(settings.publicUrl), noStore);
  app.use(healthRoutes(parts.health, { isPublic: true }), leaveDraining(parts.health));
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
  // These paths don't fall through to the web app.
  app.use(['/dev', '/demo', '/photos'], notFound);
  const isTestMode = (request: IncomingMessage) => seesDevelopmentPages(settings, request);
  const { mayBeSignedIn } = sessions;
  const { drawn } = parts;
  const policyOf = (styles: readonly string[]) => appPolicy(settings.publicUrl, styles);
  const sendWithData = makeSendWithData({ sessions, limits, answer: parts.answer, drawn, policyOf });
  const web = staticWeb(parts.webFolder, { ...settings, isTestMode, mayBeSignedIn, drawn, sendWithData });
  app.use(withoutNoStore, web);
  app.use(notFound);
  app.use(
    answerError(log, (request, error) =>
      logRefusal(parts.security, error, callers.callerOf(request), operationOf(request.method, request.originalUrl), {
        hasKey: callers.hasKey(request),
      }),
    ),
  );

  const connections = { ...defaultConnectionLimits, ...parts.connections };
  const server = createServer(serverTimes(connections), app);
  answerUnreadable(server);
  limitConnections(server, connections, settings);
  return {
    server,
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          resolve((server.address() as AddressInfo).port);
        });
      }),
    async close() {
      // What has come and was not read yet, on a connection that counts as idle, is a request too.
      for (let turn = 0; turn < READ_TURNS; turn += 1) await setImmediate();
      await new Promise<void>((resolve) => {
        const timeout = setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS);
        server.close(() => {
          clearTimeout(timeout);
          resolve();
        });
        server.closeIdleConnections();
      });
    },
  };
}

const kinds: readonly [start: string, kind: RequestKind][] = [
  ['/graphql', 'graphql'],
  ['/api/webhooks/', 'webhook'],
  ['/api/', 'rest'],
  ['/assets/', 'asset'],
  ['/photos/', 'photo'],
];

const measureRequest =
  (trustedRequestIds: boolean): RequestHandler =>
  (request, response, next) => {
    const begun = performance.now();
    const kind = kinds.find(([start]) => request.path.startsWith(start))?.[1] ?? 'page';
    const { method } = request;
    const work: Work = { name: `${method} ${kind}`, kind: 'server', attributes: { 'http.request.method': method } };
    const caller = traceparentOf(request, trustedRequestIds);
    if (caller !== undefined) work.caller = caller;
    response.once('close', () => {
      // Whoever left before the answer was sent did not get one.
      const status = response.writableFinished ? response.statusCode : 499;
      measured('request', { kind, status, seconds: (performance.now() - begun) / 1000 });
      work.attributes['http.response.status_code'] = status;
      if (status >= 500) work.failure = String(status);
      end();
    });
    const end = beginTraced(work, next);
  };

/** Ends the connections of a process that drains, so that proxies open the next one elsewhere. */
const leaveDraining =
  (health: Pick<Health, 'isDraining'>): RequestHandler =>
  (_request, response, next) => {
    if (health.isDraining()) response.set('Connection', 'close');
    next();
  };

const notFound: RequestHandler = (_request, response) => {
  response.status(404).type('text').send('Not found');
};

function countRequest(sessions: Sessions, limits: CallLimits): RequestHandler {
  return (request, _response, next) => {
    // Pushed listings have a token of the operator, and no limit.
    if (request.originalUrl.startsWith('/api/ingest/')) {
      next();
      return;
    }
    const { viewer, address } = sessions.callerOf(request);
    limits.request(viewer?.id ?? null, address).then(() => next(), next);
  };
}
