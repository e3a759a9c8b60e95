import type { Duplex } from 'node:stream';
import { describeError, httpHeadOf } from '../../base/describe-error.ts';
import type { Log } from '../../base/log.ts';
import { endConnection } from '../end-connection.ts';

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
  ];
  endConnection(socket, lines, body);
}
