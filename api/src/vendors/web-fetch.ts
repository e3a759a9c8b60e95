import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type SpooledBody, spool } from './bodies/spool.ts';
import { eagerChunks, unpacked } from './bodies/unpack.ts';
import {
  checkedAddresses,
  pinnedLookup,
  type Resolve,
  resolveByDns,
  WebFetchError,
  withDeadline,
} from './web-fetch-guard.ts';

export interface PageRequest {
  url: string;
  /** GET by default. A POST is not repeated at another address: a redirect of it is an error. */
  method?: 'GET' | 'POST';
  /** The body of a POST; `headers` name its type. */
  sent?: string;
  /** Sent to this origin only, not to another one after a redirect. */
  headers?: Record<string, string>;
  /** `manual`: a redirect is an error with its `location`; by default it is followed. */
  redirect?: 'follow' | 'manual';
  etag?: string | null;
  lastModified?: string | null;
  /** The maximum unpacked size; 100 MB by default. */
  maxBytes?: number;
  /** For names, redirects and body together; 60 s by default. */
  timeoutMs?: number;
  /** Whether an error keeps the beginning of the body of its answer, in which an API says why. */
  keepsAnswer?: boolean;
  /** Aborted at shutdown: the read ends at once with the signal's reason. */
  signal?: AbortSignal | undefined;
  allowPrivateNetwork?: boolean;
  resolve?: Resolve;
  /** Which addresses are public; only tests pass their own. */
  isPublic?: (address: string) => boolean;
}

type FetchedPage =
  | {
      status: 'ok';
      /** The caller closes it. */
      body: SpooledBody;
      contentType: string | null;
      etag: string | null;
      lastModified: string | null;
      retryAfterSeconds: number | null;
    }
  | { status: 'unchanged'; retryAfterSeconds: number | null };

/** How pages are fetched; tests pass their own. */
export type FetchPage = (page: PageRequest) => Promise<FetchedPage>;

const MAX_BYTES = 100 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
const MAX_REDIRECTS = 5;
const redirects = new Set([301, 302, 303, 307, 308]);

function parseUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base);
  if (!url) throw new WebFetchError('BAD_URL', 'The address can not be read.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new WebFetchError('BAD_URL', `Only http and https are read, not ${url.protocol}`);
  }
  return url;
}

const DAY_SECONDS = 86_400;

/** Seconds or an HTTP date; a day at most. Source: RFC 9110 §10.2.3. */
export function retryAfterSeconds(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\s*\d+\s*$/.test(header)) return Math.min(Number(header), DAY_SECONDS);
  const date = Date.parse(header);
  if (Number.isNaN(date)) return null;
  return Math.min(Math.max(0, Math.ceil((date - now.getTime()) / 1000)), DAY_SECONDS);
}

function unreachable(url: URL, cause: unknown): WebFetchError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return new WebFetchError('RESET', `${url.host} closed the connection.`, { cause });
  if (code.startsWith('HPE_')) return new WebFetchError('CUT', `${url.host} did not answer in HTTP.`, { cause });
  return new WebFetchError('UNREACHABLE', `${url.host} can't be reached${code ? ` (${code})` : ''}.`, { cause });
}

async function open(
  url: URL,
  headers: Record<string, string>,
  page: PageRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const addresses = await checkedAddresses(url, {
    allowPrivateNetwork: page.allowPrivateNetwork ?? false,
    resolve: page.resolve ?? resolveByDns,
    isPublic: page.isPublic,
  });
  signal.throwIfAborted();
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise<IncomingMessage>((onResponse, reject) => {
    // No agent: a kept connection would outlive the check of its address.
    const { method = 'GET', sent } = page;
    const options = { method, headers, signal, agent: false, lookup: pinnedLookup(addresses) };
    const opened = request(url, options, onResponse);
    opened.on('error', (cause) => reject(signal.aborted ? cause : unreachable(url, cause)));
    opened.end(sent);
  });
}

/** Yields what was received before the connection broke, then throws the fault. */
async function* chunksOf(response: IncomingMessage, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* eagerChunks(response);
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw new WebFetchError('CUT', 'The page broke off before its end.', { cause });
  }
}

const ANSWER_BYTES = 4096;

/** The beginning of an answer as text; null when it can't be read. */
async function beginningOf(response: IncomingMessage, signal: AbortSignal): Promise<string | null> {
  const encoding = response.headers['content-encoding'] ?? null;
  const kept: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of unpacked(chunksOf(response, signal), encoding, MAX_BYTES)) {
      kept.push(Buffer.from(chunk));
      size += chunk.length;
      if (size >= ANSWER_BYTES) break;
    }
  } catch (error) {
    if (!(error instanceof WebFetchError)) throw error;
  }
  return size === 0 ? null : Buffer.concat(kept).subarray(0, ANSWER_BYTES).toString();
}

async function follow(page: PageRequest, signal: AbortSignal, ended: Promise<never>): Promise<FetchedPage> {
  const conditional = page.etag != null || page.lastModified != null;
  const start = parseUrl(page.url);
  let url = start;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const headers = {
      'user-agent': 'LotWatch/1.0',
      accept: 'application/json, application/x-ndjson, text/*;q=0.9, */*;q=0.5',
      'accept-encoding': 'gzip, br, deflate',
      ...(page.etag != null && { 'if-none-match': page.etag }),
      ...(page.lastModified != null && { 'if-modified-since': page.lastModified }),
      ...(url.origin === start.origin && page.headers),
    };
    const response = await Promise.race([open(url, headers, page, signal), ended]);
    const status = response.statusCode ?? 0;
    const retryAfter = retryAfterSeconds(response.headers['retry-after'], new Date());
    const location = response.headers.location;
    if (redirects.has(status) && location !== undefined && page.method !== 'POST') {
      response.destroy();
      if (page.redirect === 'manual') {
        throw new WebFetchError('REDIRECT', `${url.host} redirects.`, { status, location });
      }
      url = parseUrl(location, url);
      continue;
    }
    if (status === 304 && conditional) {
      response.destroy();
      return { status: 'unchanged', retryAfterSeconds: retryAfter };
    }
    if (status !== 200) {
      const answer = page.keepsAnswer ? await beginningOf(response, signal) : null;
      response.destroy();
      const options = { status, retryAfterSeconds: retryAfter, answer };
      throw new WebFetchError('HTTP_STATUS', `${url.host} answered ${status}.`, options);
    }
    try {
      const encoding = response.headers['content-encoding'] ?? null;
      return {
        status: 'ok',
        body: await spool(unpacked(chunksOf(response, signal), encoding, page.maxBytes ?? MAX_BYTES), page.signal),
        contentType: response.headers['content-type'] ?? null,
        etag: response.headers.etag ?? null,
        lastModified: response.headers['last-modified'] ?? null,
        retryAfterSeconds: retryAfter,
      };
    } finally {
      response.destroy();
    }
  }
  throw new WebFetchError('REDIRECT_LOOP', `${start.host} redirects more than ${MAX_REDIRECTS} times.`);
}

/**
 * Fetches one page by http or https. Every address, also after a redirect, is checked, and the connection goes to a
 * checked one. gzip, br and deflate are unpacked, and so is a gzip file. A page that breaks off is returned as far as it
 * was received, with the fault in its body.
 * @throws WebFetchError when there is no body at all
 */
export function fetchPage(page: PageRequest): Promise<FetchedPage> {
  const { timeoutMs = TIMEOUT_MS, signal } = page;
  const late = new WebFetchError('SLOW', `No whole answer within ${timeoutMs / 1000} s.`);
  return withDeadline({ timeoutMs, late, signal }, (ending, ended) => follow(page, ending, ended));
}
