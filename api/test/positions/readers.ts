import type { Browser } from '../browser.ts';
import type { TestApi } from '../make-app.ts';
import { deliverAll, type MadeWebhook, makeTestEngine, matchAndMakeEvents } from '../webhooks/dealer.ts';

/** A client that reads matches and resumes from a cursor, also after the database server was replaced. */
export interface Reader {
  name: string;
  /** Sets the position from which it reads. */
  begin(at: Place): Promise<void>;
  /** Reads on up to the listing `until`. @returns the listings in order, without `until` */
  read(at: Place, until: number): Promise<number[]>;
  end(): Promise<void>;
}

/** An API and a user who is signed in there. */
export interface Place {
  api: TestApi;
  browser: Browser;
}

interface MatchEvent {
  cursor: string;
  match: { listing: { id: string } };
}

const subscription = 'subscription ($after: String) { matchAdded(after: $after) { cursor match { listing { id } } } }';

/** Follows live from a cursor; each event goes to `onEvent` until it returns true. */
async function follow(
  { browser }: Place,
  after: string | null,
  onEvent: (event: MatchEvent) => boolean,
): Promise<void> {
  const client = browser.socket();
  try {
    for await (const { data, errors } of client.iterate<{ matchAdded: MatchEvent }>({
      query: subscription,
      variables: { after },
    })) {
      if (errors) throw new Error(errors[0]?.message);
      if (data && onEvent(data.matchAdded)) return;
    }
  } catch (error) {
    // The errors of an operation arrive as a list.
    throw Array.isArray(error) ? new Error(`${error[0]?.extensions?.code}: ${error[0]?.message}`) : error;
  } finally {
    await client.dispose();
  }
}

const idOf = ({ match }: MatchEvent) => Number(match.listing.id);

async function query({ browser }: Place, document: string, variables: Record<string, unknown> = {}) {
  const { data, errors } = await browser.gql(document, variables);
  if (errors[0]) throw new Error(`${errors[0].extensions.code}: ${errors[0].message}`);
  return data;
}

const liveCursorOf = async (at: Place): Promise<string> =>
  (await query(at, '{ matches { liveCursor } }')).matches.liveCursor;

/** The listings on the buyer's page, newest first. */
export async function readPage(at: Place, alertId: number): Promise<number[]> {
  const document = 'query ($alertId: ID!) { matches(alertId: $alertId, first: 100) { nodes { listing { id } } } }';
  const { matches } = await query(at, document, { alertId });
  return matches.nodes.map(({ listing }: { listing: { id: string } }) => Number(listing.id));
}

/** Subscribes from the cursor of the last event, each time over a new socket. */
export function liveByCursor(): Reader {
  let cursor = '';
  return {
    name: 'matchAdded from the last cursor',
    async begin(at) {
      cursor = await liveCursorOf(at);
    },
    async read(at, until) {
      const got: number[] = [];
      await follow(at, cursor, (event) => {
        cursor = event.cursor;
        got.push(idOf(event));
        return got.at(-1) === until;
      });
      return got.slice(0, -1);
    },
    end: async () => {},
  };
}

/** Subscribes from the page loaded before, and loads the page again. */
export function pageThenLive(): Reader {
  let cursor = '';
  return {
    name: 'matchAdded from the liveCursor of the last page',
    async begin(at) {
      cursor = await liveCursorOf(at);
    },
    async read(at, until) {
      const got: number[] = [];
      await follow(at, cursor, (event) => got.push(idOf(event)) > 0 && got.at(-1) === until);
      cursor = await liveCursorOf(at);
      return got.slice(0, -1);
    },
    end: async () => {},
  };
}

/** Keeps its subscription open, so it is never behind. */
export function liveSubscription(): Reader & { has(listingId: number): Promise<void> } {
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
      follow(at, after, (event) => {
        got.push(idOf(event));
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

/** Reads the match log over GraphQL. */
export function matchLog(): Reader {
  let after: string | null = null;
  const document =
    'query ($after: String) { matchLog(after: $after, first: 2) { nodes { cursor match { listing { id } } } endCursor hasMore } }';
  async function catchUp(at: Place): Promise<number[]> {
    const got: number[] = [];
    for (let hasMore = true; hasMore; ) {
      const { matchLog: part } = await query(at, document, { after });
      got.push(...part.nodes.map(idOf));
      after = part.endCursor;
      hasMore = part.hasMore;
    }
    return got;
  }
  return {
    name: 'matchLog',
    async begin(at) {
      await catchUp(at);
    },
    read: async (at, until) => upTo(await catchUp(at), until),
    end: async () => {},
  };
}

/** Reads the export of matches over REST. */
export function matchExport(): Reader {
  let after = '';
  async function catchUp({ browser }: Place): Promise<number[]> {
    const response = await browser.fetch(`/api/matches/export${after && `?after=${after}`}`);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${JSON.parse(text).code}: ${response.status}`);
    const lines = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as MatchEvent);
    after = lines.at(-1)?.cursor ?? after;
    return lines.map(idOf);
  }
  return {
    name: 'GET /api/matches/export',
    async begin(at) {
      await catchUp(at);
    },
    read: async (at, until) => upTo(await catchUp(at), until),
    end: async () => {},
  };
}

/** A webhook. Its events are made and sent when it reads; each pair has one event at most. */
export function webhookEvents({ receiver }: MadeWebhook): Reader {
  const seen = new Set<string>();
  let last = 0;
  async function catchUp({ api }: Place): Promise<number[]> {
    await matchAndMakeEvents(api);
    const engine = makeTestEngine(api);
    await deliverAll(engine);
    engine.stop();
    const unseen = receiver.accepted.filter(({ id, type }) => type === 'match.created' && !seen.has(id));
    for (const { id, cursor } of unseen) {
      seen.add(id);
      if (cursor <= last) throw new Error(`Event ${cursor} came after event ${last}.`);
    }
    last = Math.max(last, ...unseen.map(({ cursor }) => cursor));
    return unseen.toSorted((a, b) => a.cursor - b.cursor).map(({ data }) => data.listing.id);
  }
  return {
    name: 'a webhook',
    async begin(at) {
      await catchUp(at);
    },
    read: async (at, until) => upTo(await catchUp(at), until),
    end: async () => receiver.close(),
  };
}

function upTo(got: number[], until: number): number[] {
  if (got.at(-1) !== until) throw new Error(`Listing ${until} should be the last of ${got.join(', ')}.`);
  return got.slice(0, -1);
}
