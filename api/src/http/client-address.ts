import type { IncomingMessage } from 'node:http';
import { plainAddress } from '../base/addresses/network.ts';

/** Finds the IP address of the client of a request or upgrade. */
export type AddressOf = (request: IncomingMessage) => string;

/**
 * Uses as many last entries of X-Forwarded-For as there are proxies of the operator, each of which appends its client.
 * The entries before can be forged.
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
