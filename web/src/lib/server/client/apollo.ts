import { ApolloClient, ApolloLink, HttpLink, type NormalizedCacheObject, Observable } from '@apollo/client';
import { askForPassword } from '../../state/password-question.ts';
import { fetchWithTimeout } from '../faults/fetch-texts.ts';
import { offlineLink } from '../offline/offline-link.ts';
import { makeCache } from './cache.ts';
import { makePasswordLink } from './password-link.ts';
import { makeFaultLink, makeRecovery, type Recovery, watchForReturn } from './recover.ts';
import { makeRefusalLink } from './refusals.ts';
import { retryOnce } from './retry-once.ts';

/** A link for subscriptions over a websocket, whose code is loaded with the first one. */
function makeLazyLiveLink(): ApolloLink {
  let loaded: Promise<ApolloLink> | undefined;
  return new ApolloLink((operation, forward) => {
    loaded ??= import('./live-link.ts').then((module) => module.makeLiveLink());
    // The next subscription loads the code again.
    loaded.catch(() => {
      loaded = undefined;
    });
    const link = loaded;
    return new Observable((observer) => {
      let stop: (() => void) | undefined;
      let stopped = false;
      link.then(
        (live) => {
          if (stopped) return;
          const subscription = live.request(operation, forward).subscribe(observer);
          stop = () => subscription.unsubscribe();
        },
        (cause: unknown) => observer.error(cause),
      );
      return () => {
        stopped = true;
        stop?.();
      };
    });
  });
}

/** Fetches the plan and the data that depends on it again, because it changed elsewhere. */
function refetchPlan(client: ApolloClient): void {
  for (const query of client.getObservableQueries()) {
    // The query itself shows its failure.
    if (query.queryName === 'CurrentSubscription') query.refetch().catch(() => undefined);
  }
}

/** @param drawn the data of a page that the server drew; until `prioritizeCacheValues` is set back, no query asks for it again */
export function makeApolloClient(onSignedOut: () => void, drawn?: NormalizedCacheObject): ApolloClient {
  const http = new HttpLink({ uri: '/graphql', credentials: 'include', fetch: fetchWithTimeout });
  let recovery: Recovery | undefined;
  const refusals = makeRefusalLink({ onSignedOut, onPlanRefused: () => refetchPlan(client) });
  const client: ApolloClient = new ApolloClient({
    cache: drawn ? makeCache().restore(drawn) : makeCache(),
    link: ApolloLink.split(
      ({ operationType }) => operationType === 'subscription',
      makeLazyLiveLink(),
      ApolloLink.from([
        makeFaultLink((call) => recovery?.reportFault(call)),
        refusals,
        makePasswordLink(askForPassword),
        offlineLink,
        retryOnce,
        http,
      ]),
    ),
  });
  client.prioritizeCacheValues = drawn !== undefined;
  recovery = makeRecovery(client);
  watchForReturn(recovery);
  return client;
}
