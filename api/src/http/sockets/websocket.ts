import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Request, Response } from 'express';
import type { ServerOptions } from 'graphql-ws';
import { type Extra, useServer as serveGraphql } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Viewer } from '../../accounts/signed-in.ts';
import { channels } from '../../base/channels.ts';
import type { Pool } from '../../base/database.ts';
import type { Listener } from '../../base/listener.ts';
import type { Log } from '../../base/log.ts';
import { mayUpgrade, type OriginRule } from '../origin-guard.ts';
import type { Sessions } from '../sessions.ts';
import {
  end,
  endWhenSlow,
  forgetFailedSends,
  type SocketBounds,
  sendAway,
  socketBounds,
  whyNoRoom,
} from './socket-bounds.ts';

const MAX_MESSAGE_BYTES = 64 * 1024;
const LOOK_AT_SESSIONS_MS = 30_000;
/** graphql-ws's close code that its clients don't answer with another try. */
const UNAUTHORIZED = 4401;

export interface SocketParts {
  server: Server;
  path: string;
  options: ServerOptions<Record<string, unknown>, Extra>;
  sessions: Sessions;
  rule: OriginRule;
  pool: Pool;
  listener: Pick<Listener, 'on' | 'onReconnect'>;
  log: Log;
  /** How often the sessions of open sockets are looked at. */
  lookEveryMs?: number;
  bounds?: Partial<SocketBounds>;
}

export interface Sockets {
  close(): Promise<void>;
}

/** graphql-ws on the server's upgrades, with the cookie's session; a socket ends with its session. */
export async function acceptSockets(parts: SocketParts): Promise<Sockets> {
  const { server, sessions, pool, listener, log } = parts;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  const bounds = { ...socketBounds, ...parts.bounds };
  const graphql = serveGraphql(parts.options, sockets, bounds.pingEveryMs);
  const open = new Map<WebSocket, { sessionId: string; userId: number }>();
  const openOf = new Map<number, number>();

  function admit(socket: WebSocket, { id: userId, sessionId }: Viewer): void {
    open.set(socket, { sessionId, userId });
    openOf.set(userId, (openOf.get(userId) ?? 0) + 1);
    socket.once('close', () => {
      open.delete(socket);
      const left = (openOf.get(userId) ?? 1) - 1;
      if (left > 0) openOf.set(userId, left);
      else openOf.delete(userId);
    });
  }

  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    if (request.url?.split('?')[0] !== parts.path) {
      refuse(socket, '404 Not Found');
      return;
    }
    if (!mayUpgrade(request, parts.rule)) {
      refuse(socket, '403 Forbidden');
      return;
    }
    // express-session wants a response; this one is never sent.
    const response = new ServerResponse(request);
    sessions.middleware(request as Request, response as Response, (error?: unknown) => {
      if (error) {
        refuse(socket, '503 Service Unavailable');
        return;
      }
      sockets.handleUpgrade(request, socket, head, (accepted) => {
        const { viewer } = sessions.callerOf(request);
        // It is in `clients` already.
        const noRoom = whyNoRoom(bounds, {
          all: sockets.clients.size - 1,
          ofUser: (viewer && openOf.get(viewer.id)) ?? 0,
        });
        if (noRoom !== undefined) {
          log.warn('socket refused', { reason: noRoom });
          accepted.on('error', () => {});
          sendAway(accepted, noRoom);
          return;
        }
        if (viewer) admit(accepted, viewer);
        forgetFailedSends(accepted);
        endWhenSlow(accepted, bounds, () => log.warn('socket ended', { reason: 'its client does not read' }));
        sockets.emit('connection', accepted, request);
        // graphql-ws would print a stack for each fault of a client's.
        accepted.removeAllListeners('error');
        accepted.on('error', ({ message }) => log.warn('socket failed', { reason: message }));
      });
    });
  }
  server.on('upgrade', onUpgrade);

  function closeWhere(ended: (socket: { sessionId: string; userId: number }) => boolean): void {
    for (const [socket, owner] of open) if (ended(owner)) end(socket, UNAUTHORIZED, 'Session ended');
  }

  /** Sessions also end by themselves, and while nobody could tell us. */
  async function lookAtSessions(): Promise<void> {
    if (open.size === 0) return;
    const ids = [...new Set([...open.values()].map(({ sessionId }) => sessionId))];
    const { rows } = await pool.query<{ sid: string }>(
      'select sid from session where sid = any($1) and expire > now()',
      [ids],
    );
    const alive = new Set(rows.map(({ sid }) => sid));
    const asked = new Set(ids);
    closeWhere(({ sessionId }) => asked.has(sessionId) && !alive.has(sessionId));
  }
  const look = () => {
    lookAtSessions().catch((error: unknown) => log.warn('sessions of sockets not checked', { error }));
  };
  const stopListening = await listener.on(channels.sessions, (ended) =>
    closeWhere(({ sessionId, userId }) => sessionId === ended || String(userId) === ended),
  );
  const stopReconnect = listener.onReconnect(look);
  const timer = setInterval(look, parts.lookEveryMs ?? LOOK_AT_SESSIONS_MS);
  timer.unref();

  return {
    async close() {
      server.off('upgrade', onUpgrade);
      clearInterval(timer);
      stopListening();
      stopReconnect();
      await graphql.dispose();
      sockets.close();
    },
  };
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
