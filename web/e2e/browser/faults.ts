import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page, WebSocketRoute } from 'playwright-core';
import { intercept, leaveOutFirstData } from './calls.ts';
import { allowPageErrors } from './page-errors.ts';

/** A refusal in GraphQL: status 200, and `errors` with the code and other fields that the form reads. */
export interface Refusal {
  message: string;
  code?: string;
  fields?: Record<string, string>;
  needsUpgrade?: boolean;
}

/** A refusal because of an unexpected error of the server. */
export const INTERNAL_ERROR = { message: 'Something went wrong on our side.', code: 'INTERNAL' };

/**
 * How a call can fail: a refusal; any answer (`status`, `body`, `cutOff` …); or one by name.
 * `offline`: no connection. `hanging`: no answer. `html`: 200 with a page. `unreadable`: 200 with invalid JSON.
 * `wrong-type`: 200 with plain text. `cut-off`: the connection ends within the body. `empty`: 200 without a body.
 * `bad-gateway`: a proxy's 502 page. `starting`: 503 with the server's message.
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

/** The browser's own console messages about calls that fail on purpose. */
const EXPECTED_ERRORS = /^console: (Failed to load resource|WebSocket connection to)/;

function answerOf(fault: Exclude<CallFault, 'offline' | 'hanging'>): BrokenAnswer {
  if (typeof fault === 'string') return named[fault];
  if (!('message' in fault)) return fault;
  const { message, ...extensions } = fault;
  return { body: JSON.stringify({ errors: [{ message, extensions }], data: null }) };
}

/**
 * Makes calls of an operation fail (`'Login'`, several, or `'*'` for all) until the returned function is called, and
 * allows the browser's console messages about it. It affects queries and mutations; for the socket use `controlConnection()`.
 * The latest `failing` or `holding` of an operation wins.
 */
export async function failing(
  page: Page,
  operations: string | string[],
  fault: CallFault,
): Promise<() => Promise<void>> {
  allowPageErrors(page, EXPECTED_ERRORS);
  if (fault === 'offline') return intercept(page, operations, (route) => route.abort('internetdisconnected'));
  if (fault === 'hanging') return intercept(page, operations, () => Promise.resolve());
  const url = await addressOf(answerOf(fault));
  return intercept(page, operations, (route) => route.continue({ url }));
}

/** Answers an operation without the server. @returns a function that ends it */
export const answering = (page: Page, operation: string, data: unknown): Promise<() => Promise<void>> =>
  failing(page, operation, { body: JSON.stringify({ data }) });

/**
 * Delays the answers of an operation, so that the page stays in its loading state, until the returned function is
 * called; then the calls reach the server (or an earlier `failing`). `calls()` counts them.
 */
export async function holding(page: Page, operations: string | string[]): Promise<(() => void) & { calls(): number }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let calls = 0;
  await intercept(page, operations, async (route) => {
    calls++;
    await promise;
    // The page may have been closed.
    await route.fallback().catch(() => undefined);
  });
  return Object.assign(() => resolve(), { calls: () => calls });
}

/** Answers an operation from the server only once, so that writes of other tests do not appear on the page. */
export async function answeringOnce(page: Page, operation: string): Promise<void> {
  let isAnswered = false;
  await intercept(page, operation, async (route) => {
    if (isAnswered) return;
    isAnswered = true;
    await route.fallback();
  });
}

/**
 * Makes the whole server unreachable for a page: every request (also for pages and chunks) and the socket. Call it before
 * the page is opened, then `cut()` and `restore()`.
 * @param requests the requests that are cut; the socket always is
 */
export async function controlConnection(
  page: Page,
  requests = '**/*',
): Promise<{ cut(): void; restore(): void; sockets(): number }> {
  allowPageErrors(page, EXPECTED_ERRORS);
  await leaveOutFirstData(page);
  let isCut = false;
  const sockets = new Set<WebSocketRoute>();
  await page.route(requests, (route) => (isCut ? route.abort('connectionrefused') : route.fallback()));
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
    /** How many sockets were opened since the last cut. */
    sockets: () => sockets.size,
  };
}

/** An answer of a broken server or proxy. */
interface BrokenAnswer {
  /** 200 unless given. */
  status?: number;
  /** The status text; the usual one unless given. */
  statusText?: string;
  body?: string;
  /** application/json unless given. */
  contentType?: string;
  /** In seconds. */
  retryAfter?: number;
  /** The connection ends in the middle of the body. */
  cutOff?: boolean;
}

/** Longer than any body of a test, so that the body is incomplete. */
const PROMISED_BYTES = 100_000;

let running: Promise<Server> | undefined;
let answers = 0;
const prepared = new Map<string, BrokenAnswer>();

function start(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer((request, response) => {
      const {
        status = 200,
        statusText,
        body = '',
        contentType,
        retryAfter,
        cutOff,
      } = prepared.get(request.url ?? '') ?? {};
      response.statusCode = status;
      if (statusText !== undefined) response.statusMessage = statusText;
      response.setHeader('content-type', contentType ?? 'application/json');
      if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
      request.resume();
      if (!cutOff) return response.end(body);
      response.setHeader('content-length', PROMISED_BYTES);
      response.write(body || '{"data":');
      // The headers must have arrived, so that reading the body fails.
      setTimeout(() => request.socket.destroy(), 100);
    });
    // The server must not keep the process alive after the tests.
    server.listen(0, '127.0.0.1', () => resolve(server)).unref();
  });
}

/** The address of this answer. Playwright's `fulfill` supports neither status texts nor incomplete bodies. */
async function addressOf(answer: BrokenAnswer): Promise<string> {
  running ??= start();
  const { port } = (await running).address() as AddressInfo;
  const path = `/${++answers}`;
  prepared.set(path, answer);
  return `http://127.0.0.1:${port}${path}`;
}
