import type { Browser } from '../browser.ts';
import type { TestApi } from '../make-app.ts';
import { deliverAll, type MadeWebhook, makeTestEngine, matchAndMake } from '../webhooks/dealer.ts';

/** Whoever reads matches on from a cursor, from one server after another. */
export interface Reader {
  name: string;
  /** What it reads from now on is all that comes after this moment. */
  begin(at: Place): Promise<void>;
  /** The listings that it got since it was asked last, in their order; the last of them is `until`, which is left out. */
  read(at: Place, until: number): Promise<number[]>;
  end(): Promise<void>;
}

/** An api and somebody who is signed in there. */
export interface Place {
  api: TestApi;
  browser: Browser;
}

interface Told {
  cursor: string;
  match: { listing: { id: string } };
}

const subscription = 'subscription ($after: String) { matchAdded(after: $after) { cursor match { listing { id } } } }';

/** Follows live from a cursor; each event goes to `onEvent` until it returns true. */
async function follow({ browser }: Place, after: string | null, onEvent: (told: Told) => boolean): Promise<void> {
  const client = browser.socket();
  try {
    for await (const { data, errors } of client.iterate<{ matchAdded: Told }>({
      query: subscription,
      variables: { after },
    })) {
      if (errors) throw new Error(errors[0]?.message);
      if (data && onEvent(data.matchAdded)) return;
    }
  } catch (error) {
    // What an operation fails of comes as a list.
    throw Array.isArray(error) ? new Error(`${error[0]?.extensions?.code}: ${error[0]?.message}`) : error;
  } finally {
    await client.dispose();
  }
}

const idOf = ({ match }: Told) => Number(match.listing.id);

async function ask({ browser }: Place, query: string, variables: Record<string, unknown> = {}) {
  const { data, errors } = await browser.gql(query, variables);
  if (errors[0]) throw new Error(`${errors[0].extensions.code}: ${errors[0].message}`);
  return data;
}

const liveCursorOf = async (at: Place): Promise<string> =>
  (await ask(at, '{ matches { liveCursor } }')).matches.liveCursor;

/** The buyer's page as it is now, newest first. */
export async function readPage(at: Place, alertId: number): Promise<number[]> {
  const query = 'query ($alertId: ID!) { matches(alertId: $alertId, first: 100) { nodes { listing { id } } } }';
  const { matches } = await ask(at, query, { alertId });
  return matches.nodes.map(({ listing }: { listing: { id: string } }) => Number(listing.id));
}

/** Comes back with the cursor of the last event, each time over a socket of its own. */
export function liveByCursor(): Reader {
  let cursor = '';
  return {
    name: 'matchAdded from the last cursor',
    async begin(at) {
      cursor = await liveCursorOf(at);
    },
    async read(at, until) {
      const got: number[] = [];
      await follow(at, cursor, (told) => {
        cursor = told.cursor;
        got.push(idOf(told));
        return got.at(-1) === until;
      });
      return got.slice(0, -1);
    },
    end: async () => {},
  };
}

/** Loads a page anew each time, and follows from the one before. */
export function pageThenLive(): Reader {
  let cursor = '';
  return {
    name: 'matchAdded from the liveCursor of the last page',
    async begin(at) {
      cursor = await liveCursorOf(at);
    },
    async read(at, until) {
      const got: number[] = [];
      await follow(at, cursor, (told) => got.push(idOf(told)) > 0 && got.at(-1) === until);
      cursor = await liveCursorOf(at);
      return got.slice(0, -1);
    },
    end: async () => {},
  };
}

/** Stays open all the time, and so is never behind. */
export function liveOpen(): Reader & { has(listingId: number): Promise<void> } {
  const got: number[] = [];
  let wake = () => {};
  let closed = false;
  let failure: unknown;
  async function has(listingId: number): Promise<void> {
    while (!got.includes(listingId)) {
      if (failure) throw failure;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  return {
    name: 'matchAdded that stays open',
    async begin(at) {
      const after = await liveCursorOf(at);
      follow(at, after, (told) => {
        got.push(idOf(told));
        wake();
        return closed;
      }).catch((error: unknown) => {
        failure = error;
        wake();
      });
    },
    has,
    async read(_at, until) {
      await has(until);
      return got.splice(0, got.indexOf(until) + 1).slice(0, -1);
    },
    async end() {
      closed = true;
    },
  };
}

/** Reads the log in GraphQL. */
export function matchLog(): Reader {
  let after: string | null = null;
  const query =
    'query ($after: String) { matchLog(after: $after, first: 2) { nodes { cursor match { listing { id } } } endCursor hasMore } }';
  async function readOn(at: Place): Promise<number[]> {
    const got: number[] = [];
    for (let hasMore = true; hasMore; ) {
      const { matchLog: part } = await ask(at, query, { after });
      got.push(...part.nodes.map(idOf));
      after = part.endCursor;
      hasMore = part.hasMore;
    }
    return got;
  }
  return {
    name: 'matchLog',
    async begin(at) {
      await readOn(at);
    },
    read: async (at, until) => upTo(await readOn(at), until),
    end: async () => {},
  };
}

/** Reads the log in REST. */
export function matchExport(): Reader {
  let after = '';
  async function readOn({ browser }: Place): Promise<number[]> {
    const response = await browser.fetch(`/api/matches/export${after && `?after=${after}`}`);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${JSON.parse(text).code}: ${response.status}`);
    const lines = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Told);
    after = lines.at(-1)?.cursor ?? after;
    return lines.map(idOf);
  }
  return {
    name: 'GET /api/matches/export',
    async begin(at) {
      await readOn(at);
    },
    read: async (at, until) => upTo(await readOn(at), until),
    end: async () => {},
  };
}

/** A webhook, whose events are made and sent when it is asked; it tells of each pair once ever. */
export function webhookEvents({ receiver }: MadeWebhook): Reader {
  const seen = new Set<string>();
  let last = 0;
  async function readOn({ api }: Place): Promise<number[]> {
    await matchAndMake(api);
    const engine = makeTestEngine(api);
    await deliverAll(engine);
    engine.stop();
    const fresh = receiver.taken.filter(({ id, type }) => type === 'match.created' && !seen.has(id));
    for (const { id, cursor } of fresh) {
      seen.add(id);
      if (cursor <= last) throw new Error(`Event ${cursor} came after event ${last}.`);
    }
    last = Math.max(last, ...fresh.map(({ cursor }) => cursor));
    return fresh.toSorted((a, b) => a.cursor - b.cursor).map(({ data }) => data.listing.id);
  }
  return {
    name: 'a webhook',
    async begin(at) {
      await readOn(at);
    },
    read: async (at, until) => upTo(await readOn(at), until),
    end: async () => receiver.close(),
  };
}

function upTo(got: number[], until: number): number[] {
  if (got.at(-1) !== until) throw new Error(`Listing ${until} should be the last of ${got.join(', ')}.`);
  return got.slice(0, -1);
}
