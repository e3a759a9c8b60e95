import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { pairOf } from '../oracle/judge-matches.ts';
import { carOf, type MatchLine, matchLine } from '../world/readers.ts';
import { ownerOf, type Person } from './people.ts';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 5_000;
const PING_EVERY_MS = 10_000;
const ACK_WITHIN_MS = 10_000;
const PONG_WITHIN_MS = 5_000;
const AGAIN_MS = 1_000;
const query = `subscription ($after: String) { matchAdded(after: $after) { ${matchLine} } }`;

/** Many pages and programs that follow their matches live. */
export interface Sockets {
  /** When each pair came, in milliseconds since 1970. */
  deliveries: Map<string, number[]>;
  /** Pairs that came to somebody else than their owner. */
  strangers: string[];
  opened(): number;
  /** Sockets that had to connect again, and how often in all. */
  reconnected: Set<number>;
  reconnects(): number;
  /** How often the server refused a cursor, by its reasons. */
  refusals: string[];
  close(): void;
}

/**
 * Opens a socket for each person, a few at a time, with a session or with a key. They go on by their cursors.
 * @param readCursor says from where a person follows: a cursor is one of the server that has the person's rows
 */
export async function openSockets(
  url: string,
  people: readonly Person[],
  readCursor: (person: Person) => Promise<string>,
): Promise<Sockets> {
  const deliveries = new Map<string, number[]>();
  const strangers: string[] = [];
  const refusals: string[] = [];
  const reconnected = new Set<number>();
  const ends: (() => void)[] = [];
  let opened = 0;
  let reconnects = 0;
  let isOver = false;

  function take({ id }: Person, { alertId, listing }: MatchLine['match']): void {
    const pair = pairOf(carOf(listing.url), Number(alertId));
    if (ownerOf(Number(alertId)) !== id) strangers.push(`${pair} came to user ${id}`);
    const times = deliveries.get(pair);
    if (times) times.push(Date.now());
    else deliveries.set(pair, [Date.now()]);
  }

  /** The rules are those of the web client: live-link.ts and follow-matches.ts. */
  async function follow(person: Person, at: number): Promise<void> {
    let cursor = await readCursor(person);
    let silence: NodeJS.Timeout | undefined;
    let wasOpen = false;
    let stop = () => {};
    let ready = () => {};
    const isOpen = new Promise<void>((resolve) => {
      ready = resolve;
    });
    const headers = at % 2 === 0 ? { cookie: person.cookie, origin: url } : { authorization: person.authorization };
    class Socket extends WebSocket {
      constructor(address: string, protocols: string | string[]) {
        // A network of its own for every few of them.
        super(address, protocols, { headers, localAddress: `127.0.1.${1 + (at % 250)}`, perMessageDeflate: false });
        // One that is ended before it is open says so when nobody listens any more.
        this.on('error', () => {});
      }
    }
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: Socket,
      lazy: true,
      retryAttempts: Number.POSITIVE_INFINITY,
      shouldRetry: () => !isOver,
      retryWait: async (retries) => {
        await sleep(Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** retries) * (0.5 + Math.random() / 2));
      },
      keepAlive: PING_EVERY_MS,
      connectionAckWaitTimeout: ACK_WITHIN_MS,
      on: {
        connected: () => {
          if (wasOpen) {
            reconnects += 1;
            reconnected.add(person.id);
          } else opened += 1;
          wasOpen = true;
          ready();
        },
        closed: () => {
          clearTimeout(silence);
          // Otherwise the client would go on from the cursor with which it began.
          if (wasOpen && !isOver) begin();
        },
        ping: (received) => {
          if (!received) silence = setTimeout(() => client.terminate(), PONG_WITHIN_MS);
        },
        pong: (received) => {
          if (received) clearTimeout(silence);
        },
      },
    });

    function begin(): void {
      stop();
      let isMine = true;
      const again = (reason: string | null) => {
        if (!isMine || isOver) return;
        isMine = false;
        if (reason !== null) refusals.push(reason);
        setTimeout(() => {
          if (!isOver) begin();
        }, AGAIN_MS);
      };
      const dispose = client.subscribe<{ matchAdded: MatchLine }>(
        { query, variables: { after: cursor } },
        {
          next({ data, errors }) {
            if (!isMine) return;
            if (!data) return again(errors?.[0]?.message ?? 'no data');
            cursor = data.matchAdded.cursor;
            take(person, data.matchAdded.match);
          },
          error: (error) => again(Array.isArray(error) ? String(error[0]?.message) : null),
          complete: () => again(null),
        },
      );
      stop = () => {
        isMine = false;
        dispose();
      };
    }
    begin();
    ends.push(() => {
      stop();
      client.terminate();
    });
    return isOpen;
  }

  const AT_ONCE = 25;
  for (let start = 0; start < people.length; start += AT_ONCE)
    await Promise.all(people.slice(start, start + AT_ONCE).map((person, at) => follow(person, start + at)));

  return {
    deliveries,
    strangers,
    opened: () => opened,
    reconnected,
    reconnects: () => reconnects,
    refusals,
    close() {
      isOver = true;
      for (const end of ends) end();
    },
  };
}
