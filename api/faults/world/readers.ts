import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { type Received, startReceiver } from '../../test/webhooks/receiver.ts';
import { pairOf } from '../oracle/judge-matches.ts';
import { ask, type Buyer, isPermanent, Refused, type Target } from './buyers.ts';

interface Delivery {
  pair: string;
  /** When it was received, in milliseconds since 1970. */
  at: number;
}

/** A client that reads a buyer's matches by cursor for as long as the run lasts. */
export interface CursorReader {
  name: string;
  /** The buyer's address. */
  owner: string;
  deliveries: Delivery[];
  /** When its cursor was refused, and it started again from the first match. */
  restarts: number[];
  /** How often it had to repeat a request or connect again. */
  disconnects: number;
  stop(): Promise<void>;
}

/** A line of the log of matches, which is also the data of the live feed. */
export interface MatchLine {
  cursor: string;
  match: { alertId: string | number; listing: { url: string } };
}

export const matchLine = 'cursor match { alertId listing { url } }';

/** The car's id in the run, which is the end of its address. */
export const carOf = (url: string): string => url.split('/').at(-1) ?? '';

const pairOfLine = ({ match: { alertId, listing } }: Pick<MatchLine, 'match'>): string =>
  pairOf(carOf(listing.url), Number(alertId));

const RETRY_DELAY_MS = 250;
const KEEP_ALIVE_MS = 4_000;
const pageQuery = `query ($after: String) {
  matches(first: 100, after: $after) { nodes { alertId listing { url } } endCursor hasMore liveCursor } }`;
const query = `subscription ($after: String) { matchAdded(after: $after) { ${matchLine} } }`;

function connect(target: Target, buyer: Buyer): Client {
  class Socket extends WebSocket {
    constructor(address: string, protocols: string | string[]) {
      super(address, protocols, { headers: { cookie: buyer.cookie, origin: target.url } });
    }
  }
  let silent: NodeJS.Timeout | undefined;
  let socket: WebSocket | undefined;
  return createClient({
    url: `${target.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: Socket,
    retryAttempts: 0,
    keepAlive: KEEP_ALIVE_MS,
    onNonLazyError() {},
    on: {
      opened: (opened) => {
        socket = opened as WebSocket;
      },
      // A page connects again when its server does not answer any more.
      ping: (received) => {
        if (!received) silent = setTimeout(() => socket?.terminate(), KEEP_ALIVE_MS);
      },
      pong: (received) => {
        if (received) clearTimeout(silent);
      },
      closed: () => clearTimeout(silent),
    },
  });
}

interface Page {
  matches: { nodes: MatchLine['match'][]; endCursor: string | null; hasMore: boolean; liveCursor: string };
}

/** What a page loads before it subscribes: all pairs, and the cursor from which to continue. */
export async function loadPages(target: Target, buyer: Buyer): Promise<{ pairs: string[]; liveCursor: string }> {
  const pairs: string[] = [];
  let liveCursor: string | undefined;
  let after: string | null = null;
  do {
    const page: Page = await ask<Page>(target, buyer, pageQuery, { after });
    const { nodes, endCursor, hasMore } = page.matches;
    liveCursor ??= page.matches.liveCursor;
    pairs.push(...nodes.map((match) => pairOfLine({ match })));
    after = hasMore ? endCursor : null;
  } while (after !== null);
  return { pairs, liveCursor };
}

/** Subscribes to `matchAdded` like a live page, and continues from its last cursor after every disconnect. */
export function startLiveReader(target: Target, buyer: Buyer): CursorReader {
  let after: string | undefined;
  let stopped = false;
  let client: Client | undefined;

  const deliver = (pair: string) => reader.deliveries.push({ pair, at: Date.now() });

  async function follow(): Promise<void> {
    while (!stopped) {
      client = connect(target, buyer);
      try {
        if (after === undefined) {
          const { pairs, liveCursor } = await loadPages(target, buyer);
          pairs.forEach(deliver);
          after = liveCursor;
        }
        for await (const { data, errors } of client.iterate<{ matchAdded: MatchLine }>({
          query,
          variables: { after },
        })) {
          if (errors) throw errors;
          if (!data) continue;
          after = data.matchAdded.cursor;
          deliver(pairOfLine(data.matchAdded));
        }
      } catch (error) {
        if (stopped) break;
        if (isStale(error)) {
          after = undefined;
          reader.restarts.push(Date.now());
        }
      } finally {
        client.terminate();
      }
      reader.disconnects += 1;
      await sleep(RETRY_DELAY_MS);
    }
  }

  const reader: CursorReader = {
    name: `matchAdded of ${buyer.email}`,
    owner: buyer.email,
    deliveries: [],
    restarts: [],
    disconnects: 0,
    async stop() {
      stopped = true;
      client?.terminate();
      await following;
    },
  };
  const following = follow();
  return reader;
}

/** The server's error for a cursor from which it can't continue. */
function isStale(error: unknown): boolean {
  const [first] = Array.isArray(error) ? (error as { extensions?: { code?: string } }[]) : [];
  return ['CONFLICT', 'VALIDATION'].includes(first?.extensions?.code ?? '');
}

const EVERY_MS = 600;
const TIMEOUT_MS = 8_000;

/** Reads the matches after a cursor; `more` where there are more. @throws Refused, or any other error for no answer */
type ReadAfter = (after: string | null) => Promise<{ lines: MatchLine[]; more: boolean }>;

const logQuery = `query ($after: String) { matchLog(after: $after) { nodes { ${matchLine} } hasMore } }`;

const throughGraphql =
  (target: Target, buyer: Buyer): ReadAfter =>
  async (after) => {
    const { matchLog } = await ask<{ matchLog: { nodes: MatchLine[]; hasMore: boolean } }>(target, buyer, logQuery, {
      after,
    });
    return { lines: matchLog.nodes, more: matchLog.hasMore };
  };

const throughExport =
  (target: Target, buyer: Buyer): ReadAfter =>
  async (after) => {
    const query = after === null ? '' : `?after=${after}`;
    const response = await fetch(`${target.url}/api/matches/export${query}`, {
      headers: { cookie: buyer.cookie },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    if (response.status !== 200) {
      const { code, message } = JSON.parse(text) as { code: string; message: string };
      throw new Refused(code, message);
    }
    const lines = text.split('\n').filter((line) => line !== '');
    return { lines: lines.map((line) => JSON.parse(line) as MatchLine), more: false };
  };

function startLogReader(name: string, buyer: Buyer, read: ReadAfter): CursorReader {
  const stopping = new AbortController();
  let after: string | null = null;
  async function readOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const { lines, more } = await read(after);
        const at = Date.now();
        reader.deliveries.push(...lines.map((line) => ({ pair: pairOfLine(line), at })));
        after = lines.at(-1)?.cursor ?? after;
        if (more) continue;
      } catch (error) {
        reader.disconnects += 1;
        if (isPermanent(error) && after !== null) {
          after = null;
          reader.restarts.push(Date.now());
        }
      }
      await sleep(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
  const reader: CursorReader = {
    name: `${name} of ${buyer.email}`,
    owner: buyer.email,
    deliveries: [],
    restarts: [],
    disconnects: 0,
    async stop() {
      stopping.abort();
      await reading;
    },
  };
  const reading = readOn();
  return reader;
}

/** Reads GraphQL's `matchLog` again and again from its cursor. */
export const startGraphqlReader = (target: Target, buyer: Buyer): CursorReader =>
  startLogReader('matchLog', buyer, throughGraphql(target, buyer));

/** Reads `GET /api/matches/export` again and again from the cursor of the last line. */
export const startExportReader = (target: Target, buyer: Buyer): CursorReader =>
  startLogReader('export', buyer, throughExport(target, buyer));

/** A dealer's server that receives messages about matches. */
export interface WebhookReader {
  name: string;
  owner: string;
  /** When the webhook had been created, in milliseconds since 1970. */
  since: number;
  /** All received messages, including repeated and not accepted ones. */
  messages: { id: string; pair: string; at: number; accepted: boolean }[];
  /** Ends all faults of the server. */
  recover(): void;
  stop(): void;
}

const createWebhook = `mutation ($url: String!, $events: [String!]!) {
  createWebhook(url: $url, events: $events) { secret } }`;

/** A server that mostly accepts messages, sometimes answers 500, and sometimes accepts one and cuts the connection. */
export async function startWebhookReader(target: Target, buyer: Buyer, random: () => number): Promise<WebhookReader> {
  const receiver = await startReceiver();
  const { createWebhook: webhook } = await ask<{ createWebhook: { secret: string } }>(target, buyer, createWebhook, {
    url: receiver.url,
    events: ['match.created'],
  });
  receiver.secret = webhook.secret;
  const take = ({ id, data }: Received, answer: 200 | 500 | 'cut') => {
    const { alert, listing } = data as { alert: { id: number }; listing: { url: string } };
    const pair = pairOf(carOf(listing.url), alert.id);
    reader.messages.push({ id, pair, at: Date.now(), accepted: answer !== 500 });
    return answer;
  };
  const reader: WebhookReader = {
    name: `webhook of ${buyer.email}`,
    owner: buyer.email,
    since: Date.now(),
    messages: [],
    recover() {
      receiver.answer = (received) => take(received, 200);
    },
    stop: () => receiver.close(),
  };
  receiver.answer = (received) => {
    const luck = random();
    return take(received, luck < 0.04 ? 500 : luck < 0.08 ? 'cut' : 200);
  };
  return reader;
}
