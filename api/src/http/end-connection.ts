import type { Duplex } from 'node:stream';

const READ_WITHIN_MS = 500;

/** Sends the last words of a connection. A client may leave its half open for ever: it is cut off a moment later. */
export function endConnection(socket: Duplex, head: readonly string[], body: string): void {
  socket.end(`${[...head, `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), READ_WITHIN_MS).unref();
}
