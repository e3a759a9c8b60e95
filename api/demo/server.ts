import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { namesLoopback } from '../src/base/addresses/loopback.ts';
import { contentPolicy } from '../src/base/content-policy.ts';
import { trimEnd } from '../src/base/trim-end.ts';
import { demoId, readDemoId } from './ids.ts';
import { demoItem, photoCount } from './item.ts';
import { homePage, listingPage, missingPage, pagePolicy } from './page.ts';
import { drawPhoto } from './photo.ts';
import { hash } from './random.ts';
import { type DemoStream, newestEntries, type Offer, offerAt, topPosition } from './stream.ts';

export interface DemoOptions {
  stream: DemoStream;
  /** The base of photo and listing addresses, without a trailing slash. */
  publicUrl: string;
  /** When set, `/items` requires it as `x-demo-token`. */
  token?: string;
  now?: () => Date;
}

interface Answer {
  status: number;
  type: string;
  body: string;
  headers?: Record<string, string>;
}

const MAX_PAGE_SIZE = 1000;

const json = (status: number, body: unknown): Answer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
});

const html = (status: number, body: string): Answer => ({
  status,
  type: 'text/html; charset=utf-8',
  body,
  headers: { 'content-security-policy': pagePolicy, 'cache-control': 'no-cache' },
});

function count(given: string | null, fallback: number, largest: number): number | null {
  if (given === null) return fallback;
  if (!/^\d{1,9}$/.test(given)) return null;
  return Math.min(Number(given), largest);
}

function items(url: URL, request: IncomingMessage, options: DemoOptions, now: Date): Answer {
  const { stream, publicUrl, token } = options;
  if (token !== undefined && request.headers['x-demo-token'] !== token) return json(401, { error: 'token' });
  const offset = count(url.searchParams.get('offset'), 0, 1e9);
  const limit = count(url.searchParams.get('limit'), 100, MAX_PAGE_SIZE);
  if (offset === null || limit === null || limit === 0)
    return json(400, { error: 'offset and limit are whole numbers' });
  const entries = newestEntries(stream, topPosition(stream, now), offset, limit);
  return json(200, { items: entries.map((entry) => demoItem(stream, publicUrl, entry)) });
}

/** The offer of an id, of this stream or an earlier run's, if it is listed by now. */
function offerOf(id: string, now: Date): { stream: DemoStream; offer: Offer } | null {
  const read = readDemoId(id);
  if (!read) return null;
  const top = topPosition(read.stream, now);
  if (read.position > top || demoId(read.stream, read.position) !== id) return null;
  const offer = offerAt(read.stream, read.position, top);
  return offer && { stream: read.stream, offer };
}

function photo(id: string, n: number, now: Date): Answer | null {
  const found = offerOf(id, now);
  if (!found) return null;
  const { stream, offer } = found;
  if (n >= photoCount(stream, offer.origin, offer.promised)) return null;
  return {
    status: 200,
    type: 'image/svg+xml',
    body: drawPhoto(offer.car, hash(stream.seed, offer.origin, 21), n),
    headers: { 'cache-control': 'public, max-age=86400', 'content-security-policy': contentPolicy() },
  };
}

function answer(request: IncomingMessage, options: DemoOptions): Answer {
  const now = (options.now ?? (() => new Date()))();
  const base = trimEnd(new URL(options.publicUrl).pathname, '/');
  const url = URL.parse(`http://demo${request.url ?? '/'}`);
  if (!url) return html(400, missingPage(base));
  const path = base !== '' && url.pathname.startsWith(`${base}/`) ? url.pathname.slice(base.length) : url.pathname;
  if (path === '/items') return items(url, request, options, now);
  if (path === '/') {
    const entries = newestEntries(options.stream, topPosition(options.stream, now), 0, 24);
    return html(
      200,
      homePage(
        options.stream,
        base,
        entries.flatMap((entry) => ('offer' in entry ? entry.offer : [])),
      ),
    );
  }
  const [, kind, id = '', n = '0'] = /^\/(photos|listing)\/([0-9a-z-]{1,40})(?:\/(\d{1,2})\.svg)?$/.exec(path) ?? [];
  if (kind === 'photos') return photo(id, Number(n), now) ?? html(404, missingPage(base));
  const found = kind === 'listing' ? offerOf(id, now) : null;
  return found ? html(200, listingPage(found.stream, base, found.offer)) : html(404, missingPage(base));
}

function respond(request: IncomingMessage, response: ServerResponse, options: DemoOptions): void {
  // The pages are for this machine only; a host name of another site may point here too (DNS rebinding).
  if (!namesLoopback(request.headers.host)) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found');
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD', 'content-type': 'text/plain' }).end('GET only');
    return;
  }
  const { status, type, body, headers } = answer(request, options);
  const etag = `"${createHash('sha1').update(body).digest('base64url')}"`;
  const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  const common = { ...headers, 'x-content-type-options': 'nosniff', ...(status === 200 && { etag }) };
  if (status === 200 && known?.some((tag) => tag === etag || tag === '*')) {
    response.writeHead(304, common).end();
    return;
  }
  response.writeHead(status, { ...common, 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** The demo marketplace. It stores nothing: its answers follow from the stream's two numbers and the clock. */
export function makeDemoServer(options: DemoOptions): Server {
  return createServer((request, response) => respond(request, response, options));
}
