import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeBrowser } from '../../test/browser.ts';
import { makeTestApi, type TestApi } from '../../test/make-app.ts';

let api: TestApi;
beforeAll(async () => {
  api = await makeTestApi();
});
afterAll(() => api.close());

/** A short masked text frame, as a client sends it. */
function frame(message: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  const mask = randomBytes(4);
  const masked = text.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([Buffer.from([0x81, 0xfe, text.length >> 8, text.length & 255]), mask, masked]);
}

it('a client that does not answer the close can do nothing more and is cut off', async () => {
  const ana = makeBrowser(api.url);
  const userId = await ana.register('ana');
  const socket = connect(api.port, '127.0.0.1');
  let received = '';
  let ended = false;
  socket.on('data', (data) => {
    received += data.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    ended = true;
  });
  socket.write(
    `GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\nOrigin: ${api.url}\r\nCookie: ${ana.cookie}\r\n\r\n`,
  );
  await expect.poll(() => received, { timeout: 5000 }).toContain('101 Switching');
  socket.write(frame({ type: 'connection_init', payload: { padding: 'x'.repeat(200) } }));
  await expect.poll(() => received, { timeout: 5000 }).toContain('connection_ack');

  await ana.gql('mutation { logout }');
  await expect.poll(() => received, { timeout: 5000 }).toContain('Session ended');
  const query =
    'mutation { createAlert(input: { make: "toyota", location: "Los Angeles, CA", radius: 50, onlyWithImages: true }) { id } }';
  if (!socket.destroyed) socket.write(frame({ id: '1', type: 'subscribe', payload: { query } }));
  await expect.poll(() => ended, { timeout: 2000 }).toBe(true);
  const { rows } = await api.db.pool.query('select id from alerts where user_id = $1', [userId]);
  expect(rows).toEqual([]);
});
