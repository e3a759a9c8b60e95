import { ApolloClient, ApolloLink, HttpLink, Observable } from '@apollo/client';
import { askForPassword } from '../../state/password-question.ts';
import { fetchReadably } from '../faults/fetch-texts.ts';
import { makeCache } from './cache.ts';
import { makePasswordLink } from './password-link.ts';
import { makeFaultLink, makeRecovery, type Recovery, watchForReturn } from './recover.ts';
import { makeRefusalLink } from './refusals.ts';
import { retryOnce } from './retry-once.ts';

/** Subscriptions go over a websocket whose code is fetched with the first of them. */
function makeLateLiveLink(): ApolloLink {
  let loaded: Promise<ApolloLink> | undefined;
  return new ApolloLink((operation, forward) => {
    loaded ??= import('./live-link.ts').then((module) => module.makeLiveLink());
    // The next try fetches the code again.
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

/** The plan changed elsewhere: data that depends on it is fetched again where it is shown. */
function askPlanAnew(client: ApolloClient): void {
  for (const query of client.getObservableQueries()) {
    // What fails here is shown by the query itself.
    if (query.queryName === 'CurrentSubscription') query.refetch().catch(() => undefined);
  }
}

export function makeApolloClient(onSignedOut: () => void): ApolloClient {
  const http = new HttpLink({ uri: '/graphql', credentials: 'include', fetch: fetchReadably });
  let recovery: Recovery | undefined;
  const refusals = makeRefusalLink({ onSignedOut, onPlanRefused: () => askPlanAnew(client) });
  const client: ApolloClient = new ApolloClient({
    cache: makeCache(),
    link: ApolloLink.split(
      ({ operationType }) => operationType === 'subscription',
      makeLateLiveLink(),
      ApolloLink.from([
        makeFaultLink(() => recovery?.noteFault()),
        refusals,
        makePasswordLink(askForPassword),
        retryOnce,
        http,
      ]),
    ),
  });
  recovery = makeRecovery(client);
  watchForReturn(recovery);
  return client;
}
