import { type ApolloClient, ApolloLink, Observable } from '@apollo/client';
import { isServerFailure, isTemporary } from '../faults/errors.ts';
import { isReachable } from './chunk-errors.ts';

const firstDelayMs = 5000;
const maxDelayMs = 15_000;

type QuerySource = Pick<ApolloClient, 'getObservableQueries'>;

/** Queries on screen that failed with a temporary fault. */
function failingQueries(client: QuerySource) {
  return [...client.getObservableQueries()].filter((query) => {
    const { error } = query.getCurrentResult();
    return error !== undefined && isTemporary(error);
  });
}

export interface Recovery {
  /** Reports a failed call, after which data on screen may have to be fetched again. */
  reportFault(): void;
  /** Probes now, because the connection may be back. */
  probe(): Promise<void>;
}

/**
 * Fetches failed queries on screen again once the server answers. Probing starts with a fault and ends when no query is
 * failing.
 */
export function makeRecovery(client: QuerySource, isUp = isReachable, isHidden = () => document.hidden): Recovery {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let delayMs = firstDelayMs;

  function reportFault(): void {
    // Jitter keeps browsers from probing all at the same time.
    timer ??= setTimeout(() => void probe(), delayMs * (0.75 + Math.random() / 2));
  }

  async function probe(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (failingQueries(client).length === 0) {
      delayMs = firstDelayMs;
      return;
    }
    // A hidden page probes when it is shown again.
    if (isHidden()) return;
    delayMs = Math.min(maxDelayMs, delayMs * 2);
    if (!(await isUp())) return reportFault();
    // A query that fails again reports its fault itself.
    await Promise.allSettled(failingQueries(client).map((query) => query.refetch()));
  }

  return { reportFault, probe };
}

/** Calls `onFault` for each call that fails with a temporary fault. */
export function makeFaultLink(onFault: () => void): ApolloLink {
  return new ApolloLink(
    (operation, forward) =>
      new Observable((observer) => {
        const subscription = forward(operation).subscribe({
          next(result) {
            if (result.errors?.some(({ extensions }) => isServerFailure(extensions?.code))) onFault();
            observer.next(result);
          },
          error(cause: unknown) {
            if (isTemporary(cause)) onFault();
            observer.error(cause);
          },
          complete: () => observer.complete(),
        });
        return () => subscription.unsubscribe();
      }),
  );
}

/** Probes immediately when the browser is online again or the page is shown again. */
export function watchForReturn(recovery: Recovery): void {
  const probe = () => void recovery.probe();
  addEventListener('online', probe);
  document.addEventListener('visibilitychange', () => !document.hidden && probe());
}
