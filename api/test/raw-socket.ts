import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import type { TestApi } from './make-app.ts';

export interface RawSocket {
  socket: Socket;
  seen: { received: string; ended: boolean };
}

/** A masked text frame of less than 64 kB, as a client sends it. */
export function frame(message: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  const mask = randomBytes(4);
  const masked = text.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([Buffer.from([0x81, 0xfe, text.length >> 8, text.length & 255]), mask, masked]);
}

/**
 * Opens a WebSocket by hand, without the automatic answers of a browser.
 * @param lines further header lines
 * @param allowHalfOpen keeps its side open after the server has closed the other one
 */
export async function upgradeByHand(
  to: Pick<TestApi, 'port' | 'url'>,
  lines: string[] = [],
  allowHalfOpen = false,
): Promise<RawSocket> {
  const socket = connect({ port: to.port, host: '127.0.0.1', allowHalfOpen });
  const seen = { received: '', ended: false };
  socket.on('data', (data) => {
    seen.received += data.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    seen.ended = true;
  });
  const head = [
    'GET /graphql HTTP/1.1',
    'Host: x',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    'Sec-WebSocket-Protocol: graphql-transport-ws',
    `Origin: ${to.url}`,
    ...lines,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await expect.poll(() => seen.received, { timeout: 10_000, interval: 10 }).toContain('\r\n\r\n');
  return { socket, seen };
}

/** Opens a WebSocket and initialises the GraphQL connection. */
export async function rawSocket(to: Pick<TestApi, 'port' | 'url'>, cookie = ''): Promise<RawSocket> {
  const { socket, seen } = await upgradeByHand(to, [`Cookie: ${cookie}`]);
  expect(seen.received).toContain('101 Switching');
  socket.write(frame({ type: 'connection_init', payload: { padding: 'x'.repeat(200) } }));
  await expect.poll(() => seen.received, { timeout: 10_000 }).toContain('connection_ack');
  return { socket, seen };
}

/** Sends a GraphQL request without the last byte of its body until `finish` is called. `answered` gives the raw answer. */
export function holdBody(port: number, more: Readonly<Record<string, string>>, body: string) {
  const origin = `http://127.0.0.1:${port}`;
  const length = String(Buffer.byteLength(body));
  const headers = { host: `127.0.0.1:${port}`, origin, 'content-type': 'application/json', 'content-length': length };
  const lines = Object.entries({ ...headers, connection: 'close', ...more }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(`POST /graphql HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body.slice(0, -1)}`);
  let text = '';
  socket.on('data', (data) => {
    text += data.toString();
  });
  const answered = new Promise<string>((resolve) => socket.on('close', () => resolve(text)));
  return { answered, finish: () => socket.write(body.slice(-1)) };
}

/** Begins a POST of whose body only the first byte comes. The socket reads the answer. */
export function openPost({ port }: Pick<TestApi, 'port'>, path: string, headers: Record<string, string>): Socket {
  const socket = connect(port, '127.0.0.1');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.write([`POST ${path} HTTP/1.1`, 'Host: localhost', ...lines, '', 'x'].join('\r\n'));
  return socket.on('error', () => {});
}
