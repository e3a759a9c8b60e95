import { WebSocket } from 'ws';

/** What sockets may take of one process. */
export interface SocketBounds {
  /** Open at a time, of all together and of one user. */
  sockets: number;
  socketsOfUser: number;
  /** Open at a time from one network: an IPv4 address, or an IPv6 /64. */
  socketsOfNetwork: number;
  /** Open without having sent `connection_init`, of all together and from one network. */
  uninitialised: number;
  uninitialisedOfNetwork: number;
  /** A socket that has not sent `connection_init` by then is closed. */
  initialiseWithinMs: number;
  /** Written and not yet taken by the client, of one socket. */
  waitingBytes: number;
  /** A ping goes out this often, and is answered before the next or the line is dead. */
  pingEveryMs: number;
}

/** A socket that follows costs about 85 kB. */
export const socketBounds: SocketBounds = {
  sockets: 10_000,
  socketsOfUser: 100,
  socketsOfNetwork: 2_000,
  uninitialised: 1_000,
  uninitialisedOfNetwork: 100,
  initialiseWithinMs: 3_000,
  waitingBytes: 1024 * 1024,
  pingEveryMs: 12_000,
};

/** "Try again later": our client comes back, more slowly each time. */
const TRY_AGAIN_LATER = 1013;
/** How long a client has to answer a close. */
export const CLOSE_PATIENCE_MS = 500;

/** Closes a socket, and reads nothing of what still comes. */
export function end(socket: WebSocket, code: number, reason: string): void {
  socket.removeAllListeners('message');
  socket.close(code, reason);
}

/** Why there is no room for one more socket; undefined when there is. @param open those of all, and of this user */
export function whyNoRoom(bounds: SocketBounds, open: { all: number; ofUser: number }): string | undefined {
  if (open.all >= bounds.sockets) return 'Too many connections at the moment';
  return open.ofUser >= bounds.socketsOfUser ? 'Too many connections of one user' : undefined;
}

export const sendAway = (socket: WebSocket, reason: string): void => end(socket, TRY_AGAIN_LATER, reason);

/**
 * Ends a socket whose client asks and does not read the answers. What we send by ourselves waits for the client
 * anyway, so only what it asks for can pile up.
 */
export function endWhenSlow(socket: WebSocket, bounds: SocketBounds, onEnd: () => void): void {
  socket.on('message', () => {
    if (socket.bufferedAmount <= bounds.waitingBytes) return;
    onEnd();
    sendAway(socket, 'Too slow');
  });
}

/** What can't be written any more is no fault of ours: graphql-ws would print a stack for each. The close tells all. */
export function forgetFailedSends(socket: WebSocket): void {
  const send = (data: string, settled?: () => void) =>
    WebSocket.prototype.send.call(socket, data, {}, () => settled?.());
  Object.assign(socket, { send });
}
