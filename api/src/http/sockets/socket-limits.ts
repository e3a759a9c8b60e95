import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { AppError } from '../../base/errors.ts';

/** Limits of the sockets of one process. */
export interface SocketLimits {
  /** Open sockets, in total and of one user. */
  sockets: number;
  socketsOfUser: number;
  /** Open sockets of one network: an IPv4 address, or an IPv6 /64. */
  socketsOfNetwork: number;
  /** Open sockets that have not sent `connection_init`, in total and of one network. */
  uninitialised: number;
  uninitialisedOfNetwork: number;
  /** How long a socket may take to send `connection_init`. */
  initialiseWithinMs: number;
  /** Bytes of one socket that are written and not yet read by the client. */
  waitingBytes: number;
  /** The interval of pings; a socket that has not answered the last one is closed. */
  pingEveryMs: number;
}

/** A socket with a subscription costs about 85 kB. */
export const defaultSocketLimits: SocketLimits = {
  sockets: 10_000,
  socketsOfUser: 100,
  socketsOfNetwork: 2_000,
  uninitialised: 1_000,
  uninitialisedOfNetwork: 100,
  initialiseWithinMs: 3_000,
  waitingBytes: 1024 * 1024,
  pingEveryMs: 12_000,
};

/** The close code after which clients reconnect with a backoff. */
const TRY_AGAIN_LATER = 1013;
/** How long a client may take to answer a close frame. */
export const CLOSE_TIMEOUT_MS = 500;

/** Closes a socket, and ignores the messages that still come. */
export function closeSocket(socket: WebSocket, code: number, reason: string): void {
  socket.removeAllListeners('message');
  socket.close(code, reason);
}

/** The reason why no more sockets are accepted; undefined when they are. @param open the open sockets */
export function findReachedLimit(bounds: SocketLimits, open: { all: number; ofUser: number }): string | undefined {
  if (open.all >= bounds.sockets) return 'Too many connections at the moment';
  return open.ofUser >= bounds.socketsOfUser ? 'Too many connections of one user' : undefined;
}

export const closeForRetry = (socket: WebSocket, reason: string): void => closeSocket(socket, TRY_AGAIN_LATER, reason);

/**
 * Closes a socket whose client sends requests without reading the responses. Events of subscriptions wait for the client,
 * so that only responses can pile up.
 */
export function closeWhenSlow(socket: WebSocket, bounds: SocketLimits, onEnd: () => void): void {
  socket.on('message', () => {
    if (socket.bufferedAmount <= bounds.waitingBytes) return;
    onEnd();
    closeForRetry(socket, 'Too slow');
  });
}

/** Ignores failed writes to a closed socket, for each of which graphql-ws would print a stack. */
export function ignoreFailedSends(socket: WebSocket): void {
  const send = (data: string, onWritten?: () => void) =>
    WebSocket.prototype.send.call(socket, data, {}, () => onWritten?.());
  Object.assign(socket, { send });
}

const RETRY_AFTER_SECONDS = 5;

interface NetworkLimits {
  /**
   * Counts a socket from its upgrade to its end, as uninitialised at first.
   * @throws AppError RATE_LIMITED at the limit of its network, UNAVAILABLE at the total limit
   */
  admit(socket: Duplex, network: string): void;
  initialised(socket: Duplex): void;
}

interface Count {
  open: number;
  uninitialised: number;
}

/** Limits the sockets of each network. */
export function makeNetworkLimits(bounds: SocketLimits): NetworkLimits {
  const ofNetworks = new Map<string, Count>();
  const uninitialised = new Map<Duplex, Count>();

  function initialised(socket: Duplex): void {
    const count = uninitialised.get(socket);
    if (!count) return;
    uninitialised.delete(socket);
    count.uninitialised -= 1;
  }

  const refuse = (code: 'RATE_LIMITED' | 'UNAVAILABLE', message: string): never => {
    throw new AppError(code, message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  };

  return {
    admit(socket, network) {
      const count = ofNetworks.get(network) ?? { open: 0, uninitialised: 0 };
      if (count.open >= bounds.socketsOfNetwork || count.uninitialised >= bounds.uninitialisedOfNetwork)
        refuse('RATE_LIMITED', 'Too many connections from one network.');
      if (uninitialised.size >= bounds.uninitialised) refuse('UNAVAILABLE', 'Too many connections at the moment.');
      count.open += 1;
      count.uninitialised += 1;
      ofNetworks.set(network, count);
      uninitialised.set(socket, count);
      socket.once('close', () => {
        initialised(socket);
        count.open -= 1;
        if (count.open === 0) ofNetworks.delete(network);
      });
    },
    initialised,
  };
}
