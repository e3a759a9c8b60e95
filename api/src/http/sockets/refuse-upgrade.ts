import type { Duplex } from 'node:stream';
import { describeError, httpHeadOf } from '../../base/describe-error.ts';
import type { Log } from '../../base/log.ts';
import { CLOSE_PATIENCE_MS } from './socket-bounds.ts';

const reasons: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

/** Answers an upgrade with an error as every other request is answered. */
export function refuseUpgrade(socket: Duplex, error: unknown, log: Log): void {
  const { status, headers } = httpHeadOf(error);
  const body = JSON.stringify(describeError(error, log));
  const lines = [
    `HTTP/1.1 ${status} ${reasons[status] ?? 'Error'}`,
    'Connection: close',
    'Cache-Control: no-store',
    'Content-Type: application/json; charset=utf-8',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  // A client may leave its half open for ever, and nobody else looks at an upgrade's socket.
  setTimeout(() => socket.destroy(), CLOSE_PATIENCE_MS).unref();
}
