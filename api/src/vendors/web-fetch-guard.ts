import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

interface Address {
  address: string;
  family: number;
}

/** Resolves a name to all its addresses; tests pass their own. */
export type Resolve = (hostname: string) => Promise<Address[]>;

export const resolveByDns: Resolve = (hostname) => systemLookup(hostname, { all: true, verbatim: true });

/** IPv6 that is routed at all; tunnels and translations into IPv4 are ranges of their own in ipaddr.js. */
const routedIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Metadata services of clouds, which give a machine its credentials. Some are in public ranges; the others are
 * link-local, which are refused as a range.
 */
const metadata = new Set(
  ['168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254'].map((address) =>
    ipaddr.parse(address).toNormalizedString(),
  ),
);
/** The last four bytes of IPv6 addresses that are translated to IPv4, whatever prefix an operator has chosen. */
const METADATA_IPV4 = ['169.254.169.254', ...[...metadata].filter((address) => !address.includes(':'))];
const translated = new Set(METADATA_IPV4.map((address) => ipaddr.IPv4.parse(address).octets.join()));

/** The ranges that `allowPrivateNetwork` permits; links, tunnels and 0.0.0.0 are never permitted. */
const ownNetwork = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);

function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = address.replace(/^\[|\]$/g, '').split('%')[0] ?? '';
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null;
}

function isMetadata(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (metadata.has(address.toNormalizedString())) return true;
  return address instanceof ipaddr.IPv6 && translated.has(address.toByteArray().slice(-4).join());
}

/** True for an address of the public internet; false for everything inside, mapped, tunnelled, reserved or unreadable. */
export function isPublicAddress(address: string): boolean {
  const parsed = parse(address);
  if (parsed?.range() !== 'unicast' || isMetadata(parsed)) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(routedIpv6);
}

/** True for addresses that `allowPrivateNetwork` permits; metadata services of clouds are never permitted. */
function isOwnOrPublicAddress(address: string): boolean {
  const parsed = parse(address);
  if (!parsed || isMetadata(parsed)) return false;
  return ownNetwork.has(parsed.range()) || isPublicAddress(address);
}

/**
 * Resolves a URL's host to addresses that may be connected to. One private address refuses the whole name.
 * @throws WebFetchError PRIVATE_ADDRESS, UNREACHABLE
 */
export async function checkedAddresses(
  url: URL,
  options: { allowPrivateNetwork: boolean; resolve: Resolve; isPublic?: (address: string) => boolean },
): Promise<Address[]> {
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const literal = ipaddr.isValid(hostname);
  let addresses: Address[];
  try {
    addresses = literal
      ? [{ address: hostname, family: hostname.includes(':') ? 6 : 4 }]
      : await options.resolve(hostname);
  } catch (cause) {
    throw new WebFetchError('UNREACHABLE', `The name ${hostname} does not resolve.`, { cause });
  }
  if (addresses.length === 0) throw new WebFetchError('UNREACHABLE', `The name ${hostname} has no address.`);
  const isPublic = options.isPublic ?? isPublicAddress;
  const mayBe = options.allowPrivateNetwork ? isOwnOrPublicAddress : isPublic;
  if (!addresses.every(({ address }) => mayBe(address))) {
    throw new WebFetchError('PRIVATE_ADDRESS', `${hostname} is an address inside the own network.`);
  }
  return addresses;
}

/** A lookup that returns the checked addresses, so that a name can't change between check and connect. */
export function pinnedLookup(addresses: readonly Address[]): LookupFunction {
  return (_hostname, options, callback) => {
    const first = addresses[0];
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

/**
 * Runs a network call that ends after a time, or when the caller's signal aborts. `ended` rejects then, to race steps that
 * can't be aborted, such as a resolver's.
 * @param late what is thrown after `timeoutMs`
 */
export async function withDeadline<T>(
  { timeoutMs, late, signal }: { timeoutMs: number; late: WebFetchError; signal: AbortSignal | undefined },
  work: (signal: AbortSignal, ended: Promise<never>) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const ended = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason));
  });
  ended.catch(() => {});
  const end = () => ending.abort(signal?.reason);
  const timer = setTimeout(() => ending.abort(late), timeoutMs);
  signal?.addEventListener('abort', end);
  try {
    signal?.throwIfAborted();
    return await work(ending.signal, ended);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** Why a page could not be read. */
type WebFetchCode =
  | 'BAD_URL'
  | 'PRIVATE_ADDRESS'
  | 'UNREACHABLE'
  | 'SLOW'
  | 'RESET'
  | 'HTTP_STATUS'
  | 'TOO_LARGE'
  | 'REDIRECT'
  | 'REDIRECT_LOOP'
  | 'CUT'
  | 'NO_SECRET'
  | 'QUOTA';

/** A page that could not be read whole. The message is safe to show: no address's query, no header. */
export class WebFetchError extends Error {
  readonly code: WebFetchCode;
  /** The HTTP status, where there was an answer. */
  readonly status: number | null;
  /** What the server's Retry-After asks for, in seconds. */
  readonly retryAfterSeconds: number | null;
  /** The beginning of the answer's body, where the request asked for it. It is the server's, so it may hold anything. */
  readonly answer: string | null;
  /** Where a redirect that was not followed leads, as the server wrote it. */
  readonly location: string | null;

  constructor(
    code: WebFetchCode,
    message: string,
    options: {
      status?: number;
      retryAfterSeconds?: number | null;
      answer?: string | null;
      location?: string;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'WebFetchError';
    this.code = code;
    this.status = options.status ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.answer = options.answer ?? null;
    this.location = options.location ?? null;
  }
}
