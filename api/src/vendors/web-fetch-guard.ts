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

/** True for an address of the public internet; false for everything inside, mapped, tunnelled, reserved or unreadable. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '').split('%')[0] ?? '';
  if (!ipaddr.isValid(bare)) return false;
  const parsed = ipaddr.process(bare);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(routedIpv6);
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
  if (!options.allowPrivateNetwork && !addresses.every(({ address }) => isPublic(address))) {
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
