import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Whether a server that listens on this name or address can be reached only from this machine. */
export function isLoopbackHost(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === 'localhost';
  return !host.includes('%') && loopback.check(host, family === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Whether a request's Host header is a loopback name or address. Another site's page can let its own name resolve to this
 * machine (DNS rebinding); the browser then sends that name.
 */
export function namesLoopback(hostHeader: string | undefined): boolean {
  const [, inBrackets, plain] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.]+))(?::\d{1,5})?$/i.exec(hostHeader ?? '') ?? [];
  return isLoopbackHost(inBrackets ?? plain ?? '');
}
