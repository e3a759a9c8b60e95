import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { clientAddress } from './client-address.ts';

const PROXY = '10.0.0.1';

it.each([
  [0, undefined, PROXY],
  [0, '192.0.2.1', PROXY],
  [1, undefined, PROXY],
  [1, '192.0.2.1', '192.0.2.1'],
  [1, '9.9.9.9, 192.0.2.1', '192.0.2.1'],
  [1, '9.9.9.9,2001:DB8::1', '2001:db8::1'],
  [1, '192.0.2.1:5678', '192.0.2.1'],
  [1, '[2001:db8::1]:5678', '2001:db8::1'],
  [1, '9.9.9.9, unknown', PROXY],
  [1, '', PROXY],
  [2, '192.0.2.1', '192.0.2.1'],
  [2, '9.9.9.9, 192.0.2.1, 10.0.0.2', '192.0.2.1'],
  [2, '9.9.9.9, nobody, 10.0.0.2', '10.0.0.2'],
])('behind %i proxies X-Forwarded-For %j leads to %s', (proxies, forwarded, address) => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const request = { headers, socket: { remoteAddress: `::ffff:${PROXY}` } } as unknown as IncomingMessage;
  expect(clientAddress(proxies)(request)).toBe(address);
});
