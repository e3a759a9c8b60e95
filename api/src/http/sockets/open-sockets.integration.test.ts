import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { setUpDatabase } from '../../../test/database.ts';
import { channels } from '../../base/channels.ts';
import { type Listener, startListener } from '../../base/listener.ts';
import { silentLog } from '../../base/log.ts';
import { watchOpenSockets } from './open-sockets.ts';

let listener: Listener;
let server: WebSocketServer;
const db = setUpDatabase(async () => {
  listener = await startListener(db.url, silentLog);
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  server.close();
  await listener.close();
});

it('closes a socket whose session ended after it was read and before the socket was registered', async () => {
  const keys = { endedOf: async () => new Set<number>() };
  const open = await watchOpenSockets({ pool: db.pool, listener, keys, log: silentLog });
  const received = Promise.withResolvers<void>();
  await listener.on(channels.sessions, () => received.resolve());
  await db.pool.query('select pg_notify($1, $2)', [channels.sessions, 'a-session-that-ended']);
  await received.promise;
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [socket] = (await once(server, 'connection')) as [WebSocket];
  const closed = once(client, 'close');
  expect(open.admit(socket, { id: 1, sessionId: 'a-session-that-ended' })).toBe(false);
  expect((await closed)[0]).toBe(4401);
  open.close();
});
