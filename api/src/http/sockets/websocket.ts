import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Request, Response } from 'express';
import type { ServerOptions } from 'graphql-ws';
import { type Extra, useServer as serveGraphql } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { logRefusal } from '../../accounts/log-refusal.ts';
import { networkOf } from '../../base/addresses/network.ts';
import type { Pool } from '../../base/database.ts';
import { AppError } from '../../base/errors.ts';
import type { Listener } from '../../base/listener.ts';
import type { Log } from '../../base/log.ts';
import type { SecurityLog } from '../../base/security-events.ts';
import type { KeyAuthentication } from '../../keys/key-authentication.ts';
import { authorizationOf, type KeyCallers } from '../keys/key-callers.ts';
import { mayUpgrade, type OriginRule } from '../origin-guard.ts';
import type { Sessions } from '../sessions.ts';
import { authorizationIn, closeFor } from './connection-key.ts';
import { watchOpenSockets } from './open-sockets.ts';
import { refuseUpgrade } from './refuse-upgrade.ts';
import {
  CLOSE_PATIENCE_MS,
  end,
  endWhenSlow,
  forgetFailedSends,
  type SocketBounds,
  sendAway,
  socketBounds,
  whyNoRoom,
} from './socket-bounds.ts';
import { makeSocketRoom } from './socket-room.ts';

const MAX_MESSAGE_BYTES = 64 * 1024;
/** graphql-ws's close code. */
const INITIALISATION_TIMEOUT = 4408;

export interface SocketParts {
  server: Server;
  path: string;
  options: ServerOptions<Record<string, unknown>, Extra>;
  sessions: Pick<Sessions, 'middleware'>;
  callers: KeyCallers;
  keys: Pick<KeyAuthentication, 'endedOf'>;
  rule: OriginRule;
  pool: Pool;
  listener: Pick<Listener, 'on' | 'onReconnect'>;
  log: Log;
  security: SecurityLog;
  /** How often the sessions and keys of open sockets are looked at. */
  lookEveryMs?: number;
  bounds?: Partial<SocketBounds>;
}

export interface Sockets {
  close(): Promise<void>;
}

/** graphql-ws on the server's upgrades, with an API key or the cookie's session; a socket ends with it. */
export async function acceptSockets(parts: SocketParts): Promise<Sockets> {
  const { server, sessions, callers, log } = parts;
  // A client that does not answer a close, whoever closes, is cut off. The types don't know this option yet.
  const own = { noServer: true, maxPayload: MAX_MESSAGE_BYTES, closeTimeout: CLOSE_PATIENCE_MS };
  const sockets = new WebSocketServer(own);
  const bounds = { ...socketBounds, ...parts.bounds };
  const room = makeSocketRoom(bounds);
  const deadlines = new WeakMap<WebSocket, NodeJS.Timeout>();
  const open = await watchOpenSockets(parts);
  const options = { ...parts.options, onConnect: initialise, connectionInitWaitTimeout: 0 };
  const graphql = serveGraphql(options, sockets, bounds.pingEveryMs);

  async function initialise(socket: Parameters<typeof signIn>[0]) {
    const { request, socket: line } = socket.extra;
    clearTimeout(deadlines.get(line));
    const permitted = await signIn(socket);
    if (permitted !== false) room.initialised(request.socket);
    return permitted;
  }

  const noteRefused = (request: IncomingMessage, error: unknown, hasKey = callers.hasKey(request)) =>
    logRefusal(parts.security, error, callers.callerOf(request), 'socket', { hasKey });

  /** A key in the connection's parameters counts, whatever the upgrade came with. */
  async function signIn(socket: Parameters<NonNullable<SocketParts['options']['onConnect']>>[0]) {
    const { request, socket: line } = socket.extra;
    try {
      const authorization = authorizationIn(socket.connectionParams);
      if (authorization !== undefined) {
        const viewer = await callers.signSocket(request, authorization);
        const noRoom = whyNoRoom(bounds, { all: 0, ofUser: open.countOf(viewer.id) });
        if (noRoom !== undefined) {
          sendAway(line, noRoom);
          return false;
        }
        open.admit(line, viewer);
      }
    } catch (error) {
      if (!(error instanceof AppError)) log.warn('key of a socket not checked', { error });
      noteRefused(request, error, true);
      const { code, reason } = closeFor(error);
      end(line, code, reason);
      return false;
    }
    return parts.options.onConnect?.(socket);
  }

  const signByHeader = async (request: IncomingMessage) => callers.signSocket(request, authorizationOf(request));

  function accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    sockets.handleUpgrade(request, socket, head, (accepted) => {
      const { viewer } = callers.callerOf(request);
      // It is in `clients` already.
      const noRoom = whyNoRoom(bounds, {
        all: sockets.clients.size - 1,
        ofUser: viewer ? open.countOf(viewer.id) : 0,
      });
      if (noRoom !== undefined) {
        log.warn('socket refused', { reason: noRoom });
        accepted.on('error', () => {});
        sendAway(accepted, noRoom);
        return;
      }
      if (viewer && !open.admit(accepted, viewer)) {
        accepted.on('error', () => {});
        return;
      }
      const late = () => end(accepted, INITIALISATION_TIMEOUT, 'Connection initialisation timeout');
      deadlines.set(accepted, setTimeout(late, bounds.initialiseWithinMs).unref());
      forgetFailedSends(accepted);
      endWhenSlow(accepted, bounds, () => log.warn('socket ended', { reason: 'its client does not read' }));
      sockets.emit('connection', accepted, request);
      // graphql-ws would print a stack for each fault of a client's.
      accepted.removeAllListeners('error');
      accepted.on('error', ({ message }) => log.warn('socket failed', { reason: message }));
    });
  }

  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const refuse = (error: unknown) => {
      noteRefused(request, error);
      refuseUpgrade(socket, error, log);
    };
    if (request.url?.split('?')[0] !== parts.path) {
      refuse(new AppError('NOT_FOUND', 'Not found'));
      return;
    }
    try {
      room.enter(socket, networkOf(callers.callerOf(request).address));
    } catch (error) {
      refuse(error);
      return;
    }
    if (callers.hasKey(request)) {
      signByHeader(request).then(() => accept(request, socket, head), refuse);
      return;
    }
    if (!mayUpgrade(request, parts.rule)) {
      refuse(new AppError('FORBIDDEN', 'This page may not do that: its origin is not ours.'));
      return;
    }
    // express-session wants a response; this one is never sent.
    const response = new ServerResponse(request);
    sessions.middleware(request as Request, response as Response, (error?: unknown) => {
      if (error) refuse(new AppError('UNAVAILABLE', 'The session could not be read.', { cause: error }));
      else accept(request, socket, head);
    });
  }
  server.on('upgrade', onUpgrade);

  return {
    async close() {
      server.off('upgrade', onUpgrade);
      open.close();
      await graphql.dispose();
      sockets.close();
    },
  };
}
