import type { ApolloClient } from '@apollo/client';
import { graphql } from '../gql/gql.ts';
import type { LiveStartQuery, MatchAddedSubscription } from '../gql/graphql.ts';
import { liveConnection } from '../lib/server/client/live-connection.ts';
import { readFault } from '../lib/server/faults/errors.ts';
import { countLiveMatch, readNewCounts } from '../lib/server/new-counts.ts';
import { announce } from '../lib/state/announce.ts';
import { noteArrivals } from '../lib/state/live-arrivals.ts';
import { type EventSink, type Follow, followMatches } from './follow-matches.ts';
import { addToLists, evictListsExcept } from './live-cache.ts';
import { matchWords } from './match-words.ts';
import { showPaced } from './show-paced.ts';

export type LiveStart = LiveStartQuery;

type Arrived = MatchAddedSubscription['matchAdded'];

/** Matches that arrive within this time are announced together. */
const batchMs = 400;
/** After this time the mail has been sent, and lists that were being fetched have arrived. */
const catchUpMs = 8000;
/** A connection that is lost for this long may mean that the session ended. */
const askAfterMs = 2000;
/** Jitter spreads the requests of many browsers that reconnect after an outage. */
const jitterMs = 1000;

/** Whether the server refused the cursor: it is not one of its own, or it is older than a restored backup. */
function isRefused(cause: unknown): boolean {
  const { code, fields } = readFault(cause);
  return code === 'CONFLICT' || (code === 'VALIDATION' && 'after' in fields);
}

function openSubscription(client: ApolloClient) {
  return (after: string | undefined, sink: EventSink<Arrived>): (() => void) => {
    // Written when it is shown, with all that came by then.
    const options = { query: MatchAddedDocument, variables: { after }, fetchPolicy: 'no-cache' } as const;
    const subscription = client.subscribe(options).subscribe({
      next({ data, error }) {
        if (data) sink.next({ cursor: data.matchAdded.cursor, match: data.matchAdded });
        else sink.fail(isRefused(error));
      },
      error: (cause: unknown) => sink.fail(isRefused(cause)),
      complete: () => sink.fail(false),
    });
    return () => subscription.unsubscribe();
  };
}

/** @param alertIds the alerts whose counts changed meanwhile */
async function catchUp(client: ApolloClient, alertIds: readonly string[]): Promise<void> {
  const counts = readNewCounts(client, alertIds);
  const { data } = await client.query({ query: CatchUpMatchesDocument, fetchPolicy: 'network-only' });
  await counts;
  if (data) addToLists(client.cache, data.matches.nodes.toReversed());
}

/** The cursor at which live updates start, and how many cars are new up to it. */
export async function readStart(client: ApolloClient): Promise<LiveStart | undefined> {
  const { data } = await client.query({ query: LiveStartDocument, fetchPolicy: 'no-cache' });
  return data;
}

/** Evicts lists that no page shows, because live updates skip them; a page that shows one fetches it again. */
export function evictHiddenLists(client: ApolloClient): void {
  const shown = new Set<string | null>();
  for (const query of client.getObservableQueries()) {
    const { data } = query.getCurrentResult();
    if (typeof data !== 'object' || data === null || !('matches' in data)) continue;
    const { alertId } = query.variables;
    shown.add(typeof alertId === 'string' ? alertId : null);
  }
  evictListsExcept(client.cache, shown);
}

/** Fetches everything on screen again: all of it may have changed while the connection was lost. */
function refresh(client: ApolloClient): void {
  // The query itself shows its failure.
  client.refetchQueries({ include: 'active' }).catch(() => undefined);
}

/**
 * Keeps the screen up to date: new matches are added, and after a lost connection everything is fetched again.
 * @param onStart receives how many cars are new when live starts over because its cursor was refused
 */
export function startLive(
  client: ApolloClient,
  after: string | undefined,
  onStart: (newCount: number | null) => void,
): Pick<Follow, 'cursor' | 'stop'> {
  const batch: Arrived['match'][] = [];
  type Task = 'announce' | 'catchUp' | 'ask' | 'refresh';
  const timers = new Map<Task, ReturnType<typeof setTimeout>>();
  let wasLost = false;
  let isStopped = false;

  function once(name: Task, delayMs: number, act: () => void): void {
    if (timers.has(name)) return;
    const run = () => {
      timers.delete(name);
      act();
    };
    timers.set(name, setTimeout(run, delayMs));
  }
  const refreshSoon = () => once('refresh', Math.random() * jitterMs, () => refresh(client));
  const touched = new Set<string>();
  const catchUpQuietly = () => {
    const alertIds = [...touched];
    touched.clear();
    catchUp(client, alertIds).catch(() => undefined);
  };

  const paced = showPaced<Arrived>((events) => {
    const matches = events.map(({ match }) => match);
    client.cache.batch({
      update(cache) {
        for (const matchAdded of events)
          cache.write({ query: MatchAddedDocument, dataId: 'ROOT_SUBSCRIPTION', result: { matchAdded } });
        addToLists(cache, matches);
        for (const match of matches) countLiveMatch(cache, match);
      },
    });
    for (const { alert } of matches) touched.add(alert.id);
    noteArrivals(matches.map(({ alert, listing }) => ({ alertId: alert.id, listing })));
    batch.push(...matches);
    once('announce', batchMs, () => announce(matchWords(batch.splice(0))));
    once('catchUp', catchUpMs, catchUpQuietly);
  });

  const live = followMatches<Arrived>({
    after,
    open: openSubscription(client),
    async reload() {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * jitterMs));
      const start = await readStart(client);
      // After signing out nothing is announced and nothing is fetched.
      if (isStopped) return undefined;
      evictHiddenLists(client);
      refreshSoon();
      if (start) onStart(start.me?.newCount ?? null);
      return start?.matches.liveCursor;
    },
    onMatch: paced.add,
  });
  const stopWatching = liveConnection.subscribe(() => {
    const state = liveConnection.get();
    if (state === 'lost' && !wasLost) {
      wasLost = true;
      live.restart();
      // A session that ended also cuts the socket, and only an ordinary call shows that: its refusal signs the viewer out.
      once('ask', askAfterMs, catchUpQuietly);
    } else if (state === 'connected' && wasLost) {
      wasLost = false;
      clearTimeout(timers.get('ask'));
      timers.delete('ask');
      refreshSoon();
    }
  });
  return {
    cursor() {
      // What goes on from there has the lists with all before it.
      paced.showNow();
      return live.cursor();
    },
    stop() {
      paced.showNow();
      paced.stop();
      isStopped = true;
      stopWatching();
      live.stop();
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

const MatchAddedDocument = graphql(`
  subscription MatchAdded($after: String) {
    matchAdded(after: $after) {
      cursor
      match {
        ...MatchCard_match
        # Not with the card: each match would change the cards of all others.
        alert { id matchCount }
      }
    }
  }
`);

/** The start of live updates. It is fetched before any list, so that no match is missed. */
const LiveStartDocument = graphql(`
  query LiveStart {
    matches(first: 1) {
      liveCursor
    }
    me {
      id
      newCount
    }
  }
`);

/** The newest matches of all alerts, to update what changed after they arrived: receipts, and lists fetched since. */
const CatchUpMatchesDocument = graphql(`
  query CatchUpMatches {
    matches(first: 20) {
      nodes { ...MatchCard_match }
      endCursor
      liveCursor
      hasMore
    }
  }
`);
