import type { Duplex } from 'node:stream';
import { AppError } from '../../base/errors.ts';
import type { SocketBounds } from './socket-bounds.ts';

const RETRY_AFTER_SECONDS = 5;

export interface SocketRoom {
  /**
   * Counts a socket from its upgrade to its end, and as uninitialised until it is initialised.
   * @throws AppError RATE_LIMITED where its network has enough, UNAVAILABLE where all together have
   */
  enter(socket: Duplex, network: string): void;
  initialised(socket: Duplex): void;
}

interface Count {
  open: number;
  uninitialised: number;
}

/** How many sockets each network has: whoever opens many leaves room for others. */
export function makeSocketRoom(bounds: SocketBounds): SocketRoom {
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
    enter(socket, network) {
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
