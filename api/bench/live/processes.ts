import { forkChild } from '../../lab/processes.ts';

/** What the benchmark's processes say to each other. Times are `now()`. */
export interface OpenSockets {
  type: 'open';
  /** Two sets of sockets live in one client process: the product's and the bare server's. */
  set: 'real' | 'bare';
  url: string;
  origin: string;
  /** One socket each. */
  cookies: string[];
  query: string;
  after: string | null;
}

export interface TakeTold {
  type: 'take';
  set: 'real' | 'bare';
  /** Waits for so many, but no longer than the patience. */
  count: number;
  patienceMs: number;
}

/** One match told to one subscriber. */
export interface Told {
  subscriber: number;
  mark: number;
  at: number;
}

export type ToClients = OpenSockets | TakeTold | { type: 'look' };

interface Look {
  /** The first message of a match that came from the product. */
  sample: string;
  /** Sockets or subscriptions of the product's that ended and had to begin again. */
  begunAgain: number;
}

export type FromClients = { type: 'opened' } | { type: 'told'; told: Told[] } | ({ type: 'look' } & Look);

/** Milliseconds of a clock that all processes of a machine share. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;

export interface Clients extends AsyncDisposable {
  open(message: Omit<OpenSockets, 'type'>): Promise<unknown>;
  take(message: Omit<TakeTold, 'type'>): Promise<{ told: Told[] }>;
  look(): Promise<Look>;
}

/** All subscribers' sockets in a process of their own, so that the server's event loop is its own. */
export async function startClients(): Promise<Clients> {
  const child = await forkChild(new URL('./clients.ts', import.meta.url));
  const ask = <Type extends FromClients['type']>(message: ToClients) =>
    child.ask<Extract<FromClients, { type: Type }>>(message);
  return {
    open: (message) => ask<'opened'>({ type: 'open', ...message }),
    take: (message) => ask<'told'>({ type: 'take', ...message }),
    look: () => ask<'look'>({ type: 'look' }),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
