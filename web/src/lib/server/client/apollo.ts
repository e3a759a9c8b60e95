import { ApolloClient, ApolloLink, HttpLink, Observable } from '@apollo/client';
import { readFault } from '../faults/errors.ts';
import { fetchReadably } from '../faults/fetch-texts.ts';
import { makeCache } from './cache.ts';
import { makeFaultLink, makeRecovery, type Recovery, watchForReturn } from './recover.ts';
import { retryOnce } from './retry-once.ts';

/** Subscriptions go over a websocket whose code is fetched with the first of them. */
function makeLateLiveLink(): ApolloLink {
  let loaded: Promise<ApolloLink> | undefined;
  return new ApolloLink((operation, forward) => {
    loaded ??= import('./live-link.ts').then((module) => module.makeLiveLink());
    // Code that could not be fetched is fetched anew by the next try.
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

/** A session that ended on the server must end on the screen too; `onSignedOut` is told once per refused call. */
function makeSessionLink(onSignedOut: () => void): ApolloLink {
  return new ApolloLink(
    (operation, forward) =>
      new Observable((observer) => {
        const subscription = forward(operation).subscribe({
          next(result) {
            const refused = result.errors?.some((error) => error.extensions?.code === 'UNAUTHENTICATED');
            if (refused && operation.operationName !== 'Login') onSignedOut();
            observer.next(result);
          },
          error(cause: unknown) {
            if (readFault(cause).code === 'UNAUTHENTICATED' && operation.operationName !== 'Login') onSignedOut();
            observer.error(cause);
          },
          complete: () => observer.complete(),
        });
        return () => subscription.unsubscribe();
      }),
  );
}

export function makeApolloClient(onSignedOut: () => void): ApolloClient {
  const http = new HttpLink({ uri: '/graphql', credentials: 'include', fetch: fetchReadably });
  let recovery: Recovery | undefined;
  const client = new ApolloClient({
    cache: makeCache(),
    link: ApolloLink.split(
      ({ operationType }) => operationType === 'subscription',
      makeLateLiveLink(),
      ApolloLink.from([makeFaultLink(() => recovery?.noteFault()), makeSessionLink(onSignedOut), retryOnce, http]),
    ),
  });
  recovery = makeRecovery(client);
  watchForReturn(recovery);
  return client;
}
