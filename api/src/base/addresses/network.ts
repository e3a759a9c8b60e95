import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The groups of an IPv6 address that name the network, its /64, of which a client can use every address. */
const NETWORK_GROUPS = 4;

/**
 * Normalizes an address: without port, brackets and zone, and IPv4-mapped IPv6 as IPv4.
 * @returns null for a text that is not an address
 */
export function plainAddress(text: string): string | null {
  const [, inBrackets, withPort] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text.trim()) ?? [];
  const [address = ''] = (inBrackets ?? withPort ?? text.trim()).split('%');
  return isIP(address) === 0 ? null : ipaddr.process(address).toString();
}

/**
 * The network by which requests are counted: an IPv4 address, or the /64 of an IPv6 address.
 * @returns the text itself when it is not an address
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (plain === null) return address;
  const parsed = ipaddr.parse(plain);
  if (!(parsed instanceof ipaddr.IPv6)) return plain;
  const groups = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
