import { forkChild } from '../../lab/processes.ts';

/** The messages between the processes of the benchmark. Times are `now()`. */
export interface OpenSockets {
  type: 'open';
  /** Two sets of sockets live in one client process: the product's and the bare server's. */
  set: 'real' | 'bare';
  url: string;
  origin: string;
  /** The cookies of the sockets, one each. */
  cookies: string[];
  query: string;
  after: string | null;
}

export interface TakeDeliveries {
  type: 'take';
  set: 'real' | 'bare';
  /** Waits for so many deliveries, but no longer than the timeout. */
  count: number;
  timeoutMs: number;
}

/** One match delivered to one subscriber. */
export interface Delivery {
  subscriber: number;
  carNumber: number;
  at: number;
}

export type ToClients = OpenSockets | TakeDeliveries | { type: 'report' };

interface Report {
  /** The first message about a match from the product. */
  sample: string;
  /** How many sockets or subscriptions of the product ended and had to be restarted. */
  restarts: number;
}

export type FromClients =
  | { type: 'opened' }
  | { type: 'delivered'; delivered: Delivery[] }
  | ({ type: 'report' } & Report);

/** Milliseconds of a clock that all processes of a machine share. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;

export interface Clients extends AsyncDisposable {
  open(message: Omit<OpenSockets, 'type'>): Promise<unknown>;
  take(message: Omit<TakeDeliveries, 'type'>): Promise<{ delivered: Delivery[] }>;
  report(): Promise<Report>;
}

/** Starts a process with all subscribers' sockets, so that they do not share the server's event loop. */
export async function startClients(): Promise<Clients> {
  const child = await forkChild(new URL('./clients.ts', import.meta.url));
  const ask = <Type extends FromClients['type']>(message: ToClients) =>
    child.ask<Extract<FromClients, { type: Type }>>(message);
  return {
    open: (message) => ask<'opened'>({ type: 'open', ...message }),
    take: (message) => ask<'delivered'>({ type: 'take', ...message }),
    report: () => ask<'report'>({ type: 'report' }),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
