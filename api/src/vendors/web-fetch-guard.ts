import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { WebFetchError } from './web-fetch-error.ts';

export interface Address {
  address: string;
  family: number;
}

/** All addresses of a name; the system's resolver unless a test brings its own. */
export type Resolve = (hostname: string) => Promise<Address[]>;

export const resolveByDns: Resolve = (hostname) => systemLookup(hostname, { all: true, verbatim: true });

/** IPv6 that is routed at all; tunnels and translations into IPv4 are ranges of their own in ipaddr.js. */
const routedIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Where clouds tell a machine who it is and give it keys; whoever reads that has the machine. Some lie in public ranges.
 * All link-local addresses, where most of them are, are refused as a range.
 */
const metadata = new Set(
  ['168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254'].map((address) =>
    ipaddr.parse(address).toNormalizedString(),
  ),
);
/** What IPv6 writes at the end of an address for IPv4 behind a translation, whatever prefix an operator has chosen. */
const METADATA_IPV4 = ['169.254.169.254', ...[...metadata].filter((address) => !address.includes(':'))];
const translated = new Set(METADATA_IPV4.map((address) => ipaddr.IPv4.parse(address).octets.join()));

/** What leave to read the own network means: nobody's feed lies on a link, in a tunnel or at 0.0.0.0. */
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

/** True for what may be read where an operator has allowed the own network. Metadata of clouds never may. */
export function isOwnOrPublicAddress(address: string): boolean {
  const parsed = parse(address);
  if (!parsed || isMetadata(parsed)) return false;
  return ownNetwork.has(parsed.range()) || isPublicAddress(address);
}

/**
 * The addresses that may be connected to. One inside address among them refuses the whole name.
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

/** A lookup that answers what was checked and never asks again: a name can't move between check and connect. */
export function pinnedLookup(addresses: readonly Address[]): LookupFunction {
  return (_hostname, options, callback) => {
    const first = addresses[0];
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}
