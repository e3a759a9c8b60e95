import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, Response } from 'express';
import type { ServerOptions } from 'graphql-ws';
import { type Extra, useServer as serveGraphql } from 'graphql-ws/use/ws';
import { WebSocket, WebSocketServer } from 'ws';
import { logRefusal } from '../../accounts/log-refusal.ts';
import { networkOf } from '../../base/addresses/network.ts';
import type { Pool } from '../../base/database.ts';
import { AppError } from '../../base/errors.ts';
import type { Listener } from '../../base/listener.ts';
import type { Log } from '../../base/log.ts';
import { newRequestId, withRequestId } from '../../base/request-id.ts';
import type { SecurityLog } from '../../base/security-events.ts';
import type { KeyAuthentication } from '../../keys/key-authentication.ts';
import { refuseUpgrade } from '../answer-error.ts';
import { authorizationOf, type KeyCallers } from '../keys/key-callers.ts';
import { mayUpgrade, type OriginRule } from '../origins.ts';
import { requestIdOf } from '../request-ids.ts';
import type { Sessions } from '../sessions.ts';
import { watchOpenSockets } from './open-sockets.ts';
import {
  CLOSE_TIMEOUT_MS,
  closeForRetry,
  closeSocket,
  closeWhenSlow,
  defaultSocketLimits,
  findReachedLimit,
  ignoreFailedSends,
  makeNetworkLimits,
  type SocketLimits,
} from './socket-limits.ts';

const FORBIDDEN = 4403;
const UNAUTHORIZED = 4401;
const SERVICE_RESTART = 1012;
const TRY_AGAIN_LATER = 1013;
/** All clients at once would be a crowd for the others. */
const DRAIN_STEPS = 20;

/**
 * Reads `Authorization`, in any case, from the connection parameters of graphql-ws; undefined when there is none.
 * @throws AppError UNAUTHENTICATED when it is not a text, or given twice
 */
function authorizationIn(parameters: unknown): string | undefined {
  if (typeof parameters !== 'object' || parameters === null) return undefined;
  const [given, ...more] = Object.entries(parameters).filter(([name]) => name.toLowerCase() === 'authorization');
  if (!given) return undefined;
  const [, value] = given;
  if (more.length > 0 || typeof value !== 'string') {
    throw new AppError('UNAUTHENTICATED', 'Send exactly one Authorization parameter, as a string.');
  }
  return value;
}

/** The close code and reason for a refused key. Clients reconnect only after TRY_AGAIN_LATER. */
function closeReasonOf(error: unknown): { code: number; reason: string } {
  if (!(error instanceof AppError) || error.code === 'RATE_LIMITED') {
    return { code: TRY_AGAIN_LATER, reason: 'Try again later' };
  }
  // A reason may have 123 bytes.
  const reason = `${error.code}: ${error.message}`.slice(0, 123);
  return { code: error.code === 'UNAUTHENTICATED' ? UNAUTHORIZED : FORBIDDEN, reason };
}

const MAX_MESSAGE_BYTES = 64 * 1024;
/** The close code of graphql-ws. */
const INITIALISATION_TIMEOUT = 4408;

interface SocketParts {
  server: Server;
  path: string;
  options: ServerOptions<Record<string, unknown>, Extra>;
  sessions: Pick<Sessions, 'middleware'>;
  callers: KeyCallers;
  keys: Pick<KeyAuthentication, 'endedOf'>;
  rule: OriginRule;
  trustedRequestIds: boolean;
  pool: Pool;
  listener: Pick<Listener, 'on' | 'onReconnect'>;
  log: Log;
  security: SecurityLog;
  /** How often the sessions and keys of open sockets are checked, in milliseconds. */
  checkEveryMs?: number;
  bounds?: Partial<SocketLimits>;
}

interface Sockets {
  /** Closes all sockets within this time, so that their clients connect to another process and go on by their cursors. */
  drain(withinMs: number): Promise<void>;
  close(): Promise<void>;
  count(): number;
}

/** Handles each message of a client, and thus each operation with all its results, under a request id of its own. */
class IdentifiedSocket extends WebSocket {
  override emit(event: string | symbol, ...values: unknown[]): boolean {
    const emit = () => super.emit(event, ...values);
    return event === 'message' ? withRequestId(newRequestId(), emit) : emit();
  }
}

/** Serves graphql-ws over the server's upgrades, with an API key or a session, with which the socket ends. */
export async function acceptSockets(parts: SocketParts): Promise<Sockets> {
  const { server, sessions, callers, log } = parts;
  // `closeTimeout` terminates clients that don't answer a close frame. The types lack it.
  const own = {
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    closeTimeout: CLOSE_TIMEOUT_MS,
    WebSocket: IdentifiedSocket,
  };
  const sockets = new WebSocketServer(own);
  const bounds = { ...defaultSocketLimits, ...parts.bounds };
  const networks = makeNetworkLimits(bounds);
  const deadlines = new WeakMap<WebSocket, NodeJS.Timeout>();
  const open = await watchOpenSockets(parts);
  const options = { ...parts.options, onConnect: initialise, connectionInitWaitTimeout: 0 };
  const graphql = serveGraphql(options, sockets, bounds.pingEveryMs);

  async function initialise(socket: Parameters<typeof signIn>[0]) {
    const { request, socket: line } = socket.extra;
    clearTimeout(deadlines.get(line));
    const permitted = await signIn(socket);
    if (permitted !== false) networks.initialised(request.socket);
    return permitted;
  }

  const logRefused = (request: IncomingMessage, error: unknown, hasKey = callers.hasKey(request)) =>
    logRefusal(parts.security, error, callers.callerOf(request), 'socket', { hasKey });

  /** A key in the connection parameters takes precedence over the credentials of the upgrade. */
  async function signIn(socket: Parameters<NonNullable<SocketParts['options']['onConnect']>>[0]) {
    const { request, socket: line } = socket.extra;
    try {
      const authorization = authorizationIn(socket.connectionParams);
      if (authorization !== undefined) {
        const viewer = await callers.authenticateSocket(request, authorization);
        const noRoom = findReachedLimit(bounds, { all: 0, ofUser: open.countOf(viewer.id) });
        if (noRoom !== undefined) {
          closeForRetry(line, noRoom);
          return false;
        }
        open.admit(line, viewer);
      }
    } catch (error) {
      if (!(error instanceof AppError)) log.warn('key of a socket could not be checked', { error });
      logRefused(request, error, true);
      const { code, reason } = closeReasonOf(error);
      closeSocket(line, code, reason);
      return false;
    }
    return parts.options.onConnect?.(socket);
  }

  const signByHeader = async (request: IncomingMessage) =>
    callers.authenticateSocket(request, authorizationOf(request));

  function accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    sockets.handleUpgrade(request, socket, head, (accepted) => {
      const { viewer } = callers.callerOf(request);
      // `clients` contains this one already.
      const noRoom = findReachedLimit(bounds, {
        all: sockets.clients.size - 1,
        ofUser: viewer ? open.countOf(viewer.id) : 0,
      });
      if (noRoom !== undefined) {
        log.warn('socket refused', { reason: noRoom });
        accepted.on('error', () => {});
        closeForRetry(accepted, noRoom);
        return;
      }
      if (viewer && !open.admit(accepted, viewer)) {
        accepted.on('error', () => {});
        return;
      }
      const late = () => closeSocket(accepted, INITIALISATION_TIMEOUT, 'Connection initialisation timeout');
      deadlines.set(accepted, setTimeout(late, bounds.initialiseWithinMs).unref());
      ignoreFailedSends(accepted);
      closeWhenSlow(accepted, bounds, () => log.warn('socket ended', { reason: 'slow client' }));
      sockets.emit('connection', accepted, request);
      // graphql-ws would print a stack for each client error.
      accepted.removeAllListeners('error');
      accepted.on('error', ({ message }) => log.warn('socket failed', { reason: message }));
    });
  }

  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const refuse = (error: unknown) => {
      logRefused(request, error);
      refuseUpgrade(socket, error, log);
    };
    if (request.url?.split('?')[0] !== parts.path) {
      refuse(new AppError('NOT_FOUND', 'Not found'));
      return;
    }
    try {
      networks.admit(socket, networkOf(callers.callerOf(request).address));
    } catch (error) {
      refuse(error);
      return;
    }
    if (callers.hasKey(request)) {
      signByHeader(request).then(() => accept(request, socket, head), refuse);
      return;
    }
    if (!mayUpgrade(request, parts.rule)) {
      refuse(new AppError('FORBIDDEN', 'Requests from pages of this origin are not allowed.'));
      return;
    }
    // express-session wants a response; this one is never sent.
    const response = new ServerResponse(request);
    sessions.middleware(request as Request, response as Response, (error?: unknown) => {
      if (error) refuse(new AppError('UNAVAILABLE', 'The session could not be read.', { cause: error }));
      else accept(request, socket, head);
    });
  }
  const identified = (...upgrade: Parameters<typeof onUpgrade>) =>
    withRequestId(requestIdOf(upgrade[0], parts.trustedRequestIds), () => onUpgrade(...upgrade));
  server.on('upgrade', identified);

  return {
    count: () => sockets.clients.size,
    async drain(withinMs) {
      const clients = [...sockets.clients];
      const ofEach = Math.ceil(clients.length / DRAIN_STEPS);
      for (let at = 0; at < clients.length; at += ofEach) {
        for (const client of clients.slice(at, at + ofEach)) closeSocket(client, SERVICE_RESTART, 'Restarting');
        await sleep(withinMs / DRAIN_STEPS);
      }
    },
    async close() {
      server.off('upgrade', identified);
      open.close();
      await graphql.dispose();
      sockets.close();
    },
  };
}
