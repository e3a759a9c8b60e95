import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';

/** What the client of `pg` has and its types leave out. */
interface ClientParts {
  /** Not there before the server is first ready. */
  readyForQuery?: boolean;
  /** Emits what the server sends, by the names of the protocol's messages. */
  connection: EventEmitter & { stream: Socket };
  end(): Promise<void>;
}

const hasParts = (client: object): client is ClientParts => 'connection' in client;

export function partsOf(client: object): ClientParts {
  if (hasParts(client)) return client;
  throw new Error('The client of pg has other parts than we know.');
}
