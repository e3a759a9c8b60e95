import type { IncomingMessage } from 'node:http';
import { plainAddress } from '../base/addresses/network.ts';

/** The IP address that a request or an upgrade came from. */
export type AddressOf = (request: IncomingMessage) => string;

/**
 * Looks as many entries of X-Forwarded-For back as there are proxies of the operator's: each of them adds who asked it.
 * What stands before these entries anybody can write.
 */
export function clientAddress(trustedProxies: number): AddressOf {
  return (request) => {
    const header = trustedProxies === 0 ? undefined : request.headers['x-forwarded-for'];
    const forwarded = header === undefined ? [] : String(header).split(',').slice(-trustedProxies);
    for (const entry of [...forwarded, request.socket.remoteAddress ?? '']) {
      const address = plainAddress(entry);
      if (address !== null) return address;
    }
    return '';
  };
}
