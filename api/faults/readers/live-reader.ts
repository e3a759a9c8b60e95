import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { ask, type Buyer, type Door } from '../world/buyers.ts';
import { type CursorReader, type MatchLine, matchLine, pairOfLine } from './cursor-reader.ts';

const AGAIN_MS = 250;
const KEEP_ALIVE_MS = 4_000;
const pageQuery = `query ($after: String) {
  matches(first: 100, after: $after) { nodes { alertId listing { url } } endCursor hasMore liveCursor } }`;
const query = `subscription ($after: String) { matchAdded(after: $after) { ${matchLine} } }`;

function connect(door: Door, buyer: Buyer): Client {
  class Socket extends WebSocket {
    constructor(address: string, protocols: string | string[]) {
      super(address, protocols, { headers: { cookie: buyer.cookie, origin: door.url } });
    }
  }
  let silent: NodeJS.Timeout | undefined;
  let socket: WebSocket | undefined;
  return createClient({
    url: `${door.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: Socket,
    retryAttempts: 0,
    keepAlive: KEEP_ALIVE_MS,
    onNonLazyError() {},
    on: {
      opened: (opened) => {
        socket = opened as WebSocket;
      },
      // A page whose server says nothing any more connects again.
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

/** What a page loads before it follows: everything that there is, and the cursor from which to go on. */
export async function loadPages(door: Door, buyer: Buyer): Promise<{ pairs: string[]; liveCursor: string }> {
  const pairs: string[] = [];
  let liveCursor: string | undefined;
  let after: string | null = null;
  do {
    const page: Page = await ask<Page>(door, buyer, pageQuery, { after });
    const { nodes, endCursor, hasMore } = page.matches;
    liveCursor ??= page.matches.liveCursor;
    pairs.push(...nodes.map((match) => pairOfLine({ match })));
    after = hasMore ? endCursor : null;
  } while (after !== null);
  return { pairs, liveCursor };
}

/** Follows `matchAdded` as a live page does, and goes on from its last cursor after every disconnect. */
export function startLiveReader(door: Door, buyer: Buyer): CursorReader {
  let after: string | undefined;
  let stopped = false;
  let client: Client | undefined;

  const deliver = (pair: string) => reader.deliveries.push({ pair, at: Date.now() });

  async function follow(): Promise<void> {
    while (!stopped) {
      client = connect(door, buyer);
      try {
        if (after === undefined) {
          const { pairs, liveCursor } = await loadPages(door, buyer);
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
          reader.anew.push(Date.now());
        }
      } finally {
        client.terminate();
      }
      reader.disconnects += 1;
      await sleep(AGAIN_MS);
    }
  }

  const reader: CursorReader = {
    name: `matchAdded of ${buyer.email}`,
    owner: buyer.email,
    deliveries: [],
    anew: [],
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

/** What the server says of a cursor that it can't go on from. */
function isStale(error: unknown): boolean {
  const [first] = Array.isArray(error) ? (error as { extensions?: { code?: string } }[]) : [];
  return ['CONFLICT', 'VALIDATION'].includes(first?.extensions?.code ?? '');
}
