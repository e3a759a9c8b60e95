import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Log } from '@lotwatch/api/log';
import { namesLoopback } from '@lotwatch/api/loopback';
import { answerCall } from './calls/answer-call.ts';
import { pagePolicy } from './pages/page.ts';
import { answerPage } from './pages/pages.ts';
import { apiVersion, type Store } from './state/store.ts';

const MAX_BODY = 100_000;

export interface SandboxOptions {
  store: Store;
  secretKey: string;
  /** The public address of its pages, without a trailing slash. */
  publicUrl: string;
  log: Log;
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function isAuthorised(request: IncomingMessage, secretKey: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${secretKey}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

const refusal = (message: string): string =>
  JSON.stringify({ error: { type: 'invalid_request_error', message } }, null, 2);

function answerApi(request: IncomingMessage, url: URL, body: string, options: SandboxOptions) {
  const json = { 'content-type': 'application/json', 'stripe-version': apiVersion };
  if (!isAuthorised(request, options.secretKey))
    return { status: 401, headers: json, body: refusal('Invalid API Key provided.') };
  const key = request.headers['idempotency-key'];
  const call = {
    method: request.method ?? 'GET',
    path: url.pathname,
    form: request.method === 'POST' ? body : url.search.slice(1) || body,
    idempotencyKey: typeof key === 'string' && key !== '' ? key.slice(0, 255) : undefined,
  };
  const answer = answerCall(options.store, call, options);
  const headers = {
    ...json,
    'request-id': answer.requestId,
    ...(answer.isReplayed && { 'idempotent-replayed': 'true' }),
  };
  return { status: answer.status, headers, body: answer.body };
}

function answerBuyer(request: IncomingMessage, url: URL, body: string, { store }: SandboxOptions) {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': pagePolicy,
  };
  const form = new URLSearchParams(request.method === 'POST' ? body : '');
  const call = { method: request.method ?? 'GET', path: url.pathname, query: url.searchParams, form };
  const answer = answerPage(store, call);
  if ('location' in answer) return { status: 303, headers: { ...headers, location: answer.location }, body: '' };
  return { status: answer.status, headers, body: answer.html };
}

async function respond(request: IncomingMessage, response: ServerResponse, options: SandboxOptions): Promise<void> {
  const url = URL.parse(`http://sandbox${request.url ?? '/'}`);
  // The pages are for this machine only; a host name of another site may point here too (DNS rebinding).
  if (!namesLoopback(request.headers.host)) {
    response.writeHead(404, { connection: 'close' }).end();
    return;
  }
  const body = await readBody(request);
  if (!url || body === null) {
    response.writeHead(url ? 413 : 400, { connection: 'close' }).end();
    return;
  }
  const isApi = url.pathname.startsWith('/v1/');
  const answer = isApi ? answerApi(request, url, body, options) : answerBuyer(request, url, body, options);
  response.writeHead(answer.status, { ...answer.headers, 'content-length': Buffer.byteLength(answer.body) });
  response.end(request.method === 'HEAD' ? undefined : answer.body);
}

/** The payment sandbox: as much of Stripe's API as LotWatch uses, and the pages that a buyer sees. */
export function makeSandboxServer(options: SandboxOptions): Server {
  return createServer((request, response) => {
    respond(request, response, options).catch((error: unknown) => {
      options.log.error('the sandbox could not answer', { error });
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { type: 'api_error', message: 'The sandbox failed.' } }));
    });
  });
}
