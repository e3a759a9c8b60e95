import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { retryAfterSeconds } from './web-fetch.ts';
import {
  checkedAddresses,
  pinnedLookup,
  type Resolve,
  resolveByDns,
  WebFetchError,
  withDeadline,
} from './web-fetch-guard.ts';

export interface GuardedPost {
  url: string;
  headers: Record<string, string>;
  body: string | Buffer;
  /** For name, connection and answer together; 10 s by default. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Allows addresses of private networks, for trials; never in production. */
  allowPrivateNetwork?: boolean;
  allowHttp?: boolean;
  resolve?: Resolve;
  /** Which addresses are public; only tests pass their own. */
  isPublic?: (address: string) => boolean;
}

interface PostAnswer {
  status: number;
  /** Its beginning, of at most 16 KB. */
  text: string;
  retryAfterSeconds: number | null;
}

/** How webhook messages and push messages are delivered; tests pass their own. */
export type PostGuarded = (post: GuardedPost) => Promise<PostAnswer>;

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 16 * 1024;

/**
 * The address that a message may go to.
 * @throws WebFetchError BAD_URL
 */
export function readTarget(text: string, allowHttp: boolean): URL {
  const url = URL.parse(text);
  if (!url) throw new WebFetchError('BAD_URL', 'The address can not be read.');
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:'))
    throw new WebFetchError('BAD_URL', 'The address must start with https://');
  if (url.username !== '' || url.password !== '')
    throw new WebFetchError('BAD_URL', 'The address must not hold a username or password.');
  return url;
}

/** Reads an answer until its end, the limit or the deadline. Errors are ignored, since the status is known already. */
async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let left = MAX_ANSWER_BYTES;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) break;
    }
  } catch {
    // Slow or cut.
  }
  response.destroy();
  return Buffer.concat(chunks).toString('utf8');
}

async function send(url: URL, post: GuardedPost, signal: AbortSignal): Promise<IncomingMessage> {
  const { allowPrivateNetwork = false, resolve = resolveByDns, isPublic } = post;
  const addresses = await checkedAddresses(url, { allowPrivateNetwork, resolve, ...(isPublic && { isPublic }) });
  signal.throwIfAborted();
  const headers = {
    'user-agent': 'LotWatch-Webhooks/1.0',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(post.body)),
    accept: '*/*',
    'accept-encoding': 'identity',
    ...post.headers,
  };
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise<IncomingMessage>((onResponse, reject) => {
    // No agent: a kept connection would outlive the check of its address.
    const options = { method: 'POST', headers, signal, agent: false, lookup: pinnedLookup(addresses) };
    const sent = request(url, options, onResponse);
    sent.on('error', (cause) => reject(signal.aborted ? signal.reason : unreachable(cause)));
    sent.end(post.body);
  });
}

function unreachable(cause: Error): WebFetchError {
  const code = 'code' in cause ? String(cause.code) : '';
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return new WebFetchError('RESET', 'The connection was closed without an answer.', { cause });
  if (code.startsWith('HPE_')) return new WebFetchError('CUT', 'The answer is not HTTP.', { cause });
  if (/CERT|TLS|SSL|SIGNATURE/.test(code))
    return new WebFetchError('UNREACHABLE', `The certificate was not accepted (${code}).`, { cause });
  return new WebFetchError('UNREACHABLE', `The address can't be reached${code ? ` (${code})` : ''}.`, { cause });
}

/**
 * Posts to an address that a user gave, JSON unless the headers say otherwise: its IP addresses are checked, the connection goes to a checked one, and no
 * redirect is followed. Any status is an answer.
 * @throws WebFetchError when there is no answer
 */
export async function postGuarded(post: GuardedPost): Promise<PostAnswer> {
  const url = readTarget(post.url, post.allowHttp ?? false);
  const { timeoutMs = TIMEOUT_MS, signal } = post;
  const late = new WebFetchError('SLOW', `No answer within ${timeoutMs / 1000} s.`);
  return withDeadline({ timeoutMs, late, signal }, async (ending, ended) => {
    const response = await Promise.race([send(url, post, ending), ended]);
    return {
      status: response.statusCode ?? 0,
      retryAfterSeconds: retryAfterSeconds(response.headers['retry-after'], new Date()),
      text: await readStart(response),
    };
  });
}
