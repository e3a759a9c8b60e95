import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** How much of an IPv6 address names the network: whoever has one address has all of its /64. */
const NETWORK_GROUPS = 4;

/**
 * An address in its usual spelling, without port, brackets and zone; IPv4 inside IPv6 as IPv4.
 * @returns null for what is no address
 */
export function plainAddress(text: string): string | null {
  const [, inBrackets, withPort] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text.trim()) ?? [];
  const [address = ''] = (inBrackets ?? withPort ?? text.trim()).split('%');
  return isIP(address) === 0 ? null : ipaddr.process(address).toString();
}

/**
 * The network that tries and requests are counted by: an IPv4 address, or the /64 of an IPv6 one.
 * @returns as it stands what is no address
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (plain === null) return address;
  const parsed = ipaddr.parse(plain);
  if (!(parsed instanceof ipaddr.IPv6)) return plain;
  const groups = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
