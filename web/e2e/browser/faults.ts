import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page, Route, WebSocketRoute } from 'playwright-core';
import { allowNoise } from './noise.ts';

/** A refusal as GraphQL words it: 200, `errors` with the code and what else the form reads. */
export interface Refusal {
  message: string;
  code?: string;
  fields?: Record<string, string>;
  needsUpgrade?: boolean;
}

/**
 * How a call can fail: a refusal; any answer (`status`, `statusText`, `body`, `contentType`, `cutOff`); or one by name.
 * `offline`: nothing answers. `hanging`: it never answers. `html`: a page, with 200. `unreadable`: 200, JSON by its type
 * but not by its text. `wrong-type`: 200, a text that says it is one. `cut-off`: the connection ends within the body.
 * `empty`: 200 and nothing. `bad-gateway`: a proxy's 502 page. `starting`: 503, with the server's own words.
 */
export type CallFault = Refusal | BrokenAnswer | keyof typeof named;

const PAGE = '<!DOCTYPE html><html><head><title>Proxy</title></head><body><h1>502 Bad Gateway</h1></body></html>';

const named = {
  offline: null,
  hanging: null,
  html: { body: PAGE, contentType: 'text/html; charset=utf-8' },
  unreadable: { body: '{"data": {"me": nul' },
  'wrong-type': { body: 'pong', contentType: 'text/plain' },
  'cut-off': { cutOff: true },
  empty: {},
  'bad-gateway': { status: 502, statusText: 'Bad Gateway', body: PAGE, contentType: 'text/html' },
  starting: {
    status: 503,
    statusText: 'Service Unavailable',
    body: '{"message":"LotWatch is starting","code":"STARTING"}',
  },
} as const satisfies Record<string, BrokenAnswer | null>;

/** What the browser itself says about calls that fail on purpose. */
const NOISE = /^console: (Failed to load resource|WebSocket connection to)/;

function answerOf(fault: Exclude<CallFault, 'offline' | 'hanging'>): BrokenAnswer {
  if (typeof fault === 'string') return named[fault];
  if (!('message' in fault)) return fault;
  const { message, ...extensions } = fault;
  return { body: JSON.stringify({ errors: [{ message, extensions }], data: null }) };
}

const operationOf = (route: Route): string =>
  ((route.request().postDataJSON() ?? {}) as { operationName?: string }).operationName ?? '';

/** Hands this page's calls of these operations to `handle`; '*' means all. @returns how to end it */
async function intercept(page: Page, operations: string | string[], handle: (route: Route) => Promise<void>) {
  const chosen = new Set([operations].flat());
  const onCall = (route: Route) =>
    chosen.has('*') || chosen.has(operationOf(route)) ? handle(route) : route.fallback();
  await page.route('**/graphql', onCall);
  return () => page.unroute('**/graphql', onCall);
}

/**
 * Makes calls of an operation fail (`'Login'`, several, or `'*'` for all) until the returned function is called; what
 * the browser itself writes on the console about it is no fault of the test then. Queries and mutations only: the
 * socket is `severable()`'s. The latest `failing` or `holding` of an operation wins.
 */
export async function failing(
  page: Page,
  operations: string | string[],
  fault: CallFault,
): Promise<() => Promise<void>> {
  allowNoise(page, NOISE);
  if (fault === 'offline') return intercept(page, operations, (route) => route.abort('internetdisconnected'));
  if (fault === 'hanging') return intercept(page, operations, () => Promise.resolve());
  const url = await addressOf(answerOf(fault));
  return intercept(page, operations, (route) => route.continue({ url }));
}

/** The answer to an operation as no server of the run would give it. @returns how to end it */
export const answering = (page: Page, operation: string, data: unknown): Promise<() => Promise<void>> =>
  failing(page, operation, { body: JSON.stringify({ data }) });

/**
 * Keeps the answers of an operation back, so that the page stays in its loading state, until the returned function is
 * called; then they go on to the server (or to an earlier `failing`). `calls()` counts what was asked so far.
 */
export async function holding(page: Page, operations: string | string[]): Promise<(() => void) & { calls(): number }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let calls = 0;
  await intercept(page, operations, async (route) => {
    calls++;
    await promise;
    // The page may be gone by now.
    await route.fallback().catch(() => undefined);
  });
  return Object.assign(() => resolve(), { calls: () => calls });
}

/** Lets an operation be answered once: what others write meanwhile comes into no list on screen. */
export async function answeringOnce(page: Page, operation: string): Promise<void> {
  let isAnswered = false;
  await intercept(page, operation, async (route) => {
    if (isAnswered) return;
    isAnswered = true;
    await route.fallback();
  });
}

/**
 * Lets a page lose the whole server: every request (pages and chunks too) and the socket. Call it before the page is
 * opened, then `cut()` and `restore()` at will.
 */
export async function severable(page: Page): Promise<{ cut(): void; restore(): void; sockets(): number }> {
  allowNoise(page, NOISE);
  let isCut = false;
  const sockets = new Set<WebSocketRoute>();
  await page.route('**/*', (route) => (isCut ? route.abort('connectionrefused') : route.fallback()));
  await page.routeWebSocket(/\/graphql/, (socket) => {
    if (isCut) return void socket.close({ code: 1013 });
    sockets.add(socket);
    socket.connectToServer();
  });
  return {
    cut() {
      isCut = true;
      for (const socket of sockets) void socket.close({ code: 1013 });
      sockets.clear();
    },
    restore() {
      isCut = false;
    },
    /** How many were opened since the last cut. */
    sockets: () => sockets.size,
  };
}

/** An answer as a broken server or proxy would give it. */
interface BrokenAnswer {
  /** 200 unless given. */
  status?: number;
  /** The words after the status; the usual ones unless given. */
  statusText?: string;
  body?: string;
  /** application/json unless given. */
  contentType?: string;
  /** The connection ends in the middle of the body. */
  cutOff?: boolean;
}

/** Longer than any body a test sends: what is missing was cut off. */
const PROMISED_BYTES = 100_000;

let running: Promise<Server> | undefined;
let answers = 0;
const prepared = new Map<string, BrokenAnswer>();

function start(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer((request, response) => {
      const { status = 200, statusText, body = '', contentType, cutOff } = prepared.get(request.url ?? '') ?? {};
      response.statusCode = status;
      if (statusText !== undefined) response.statusMessage = statusText;
      response.setHeader('content-type', contentType ?? 'application/json');
      request.resume();
      if (!cutOff) return response.end(body);
      response.setHeader('content-length', PROMISED_BYTES);
      response.write(body || '{"data":');
      // The headers must have arrived: what fails is the reading.
      setTimeout(() => request.socket.destroy(), 100);
    });
    // Doesn't keep a finished file's process alive.
    server.listen(0, '127.0.0.1', () => resolve(server)).unref();
  });
}

/** Where this answer is given: no playwright `fulfill` has words of its own after the status, or ends too early. */
async function addressOf(answer: BrokenAnswer): Promise<string> {
  running ??= start();
  const { port } = (await running).address() as AddressInfo;
  const path = `/${++answers}`;
  prepared.set(path, answer);
  return `http://127.0.0.1:${port}${path}`;
}
