import { type ApolloClient, ApolloLink, Observable } from '@apollo/client';
import { isBroken, isPassing } from '../faults/errors.ts';
import { isReachable } from './lost-code.ts';

const firstDelayMs = 5000;
const longestDelayMs = 15_000;

type Failing = Pick<ApolloClient, 'getObservableQueries'>;

/** What is on screen and failed in a way that may pass. */
function failingQueries(client: Failing) {
  return [...client.getObservableQueries()].filter((query) => {
    const { error } = query.getCurrentResult();
    return error !== undefined && isPassing(error);
  });
}

export interface Recovery {
  /** A call failed: the data on screen may have to be fetched again. */
  noteFault(): void;
  /** Probes now, because the connection may be back. */
  look(): Promise<void>;
}

/**
 * Asks again for what is on screen and failed, once the server answers. Nothing runs while all is well: a slow probe
 * begins with a fault and ends with the last of them.
 */
export function makeRecovery(client: Failing, isUp = isReachable, isHidden = () => document.hidden): Recovery {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let delayMs = firstDelayMs;

  function noteFault(): void {
    // Jitter keeps a whole town of browsers from knocking at once.
    timer ??= setTimeout(() => void look(), delayMs * (0.75 + Math.random() / 2));
  }

  async function look(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (failingQueries(client).length === 0) {
      delayMs = firstDelayMs;
      return;
    }
    // A page in the back looks when it comes to the front.
    if (isHidden()) return;
    delayMs = Math.min(longestDelayMs, delayMs * 2);
    if (!(await isUp())) return noteFault();
    // Whatever fails again notes that itself.
    await Promise.allSettled(failingQueries(client).map((query) => query.refetch()));
  }

  return { noteFault, look };
}

/** Tells `onFault` of each query that failed in a way that may pass. */
export function makeFaultLink(onFault: () => void): ApolloLink {
  return new ApolloLink(
    (operation, forward) =>
      new Observable((observer) => {
        const subscription = forward(operation).subscribe({
          next(result) {
            if (result.errors?.some(({ extensions }) => isBroken(extensions?.code))) onFault();
            observer.next(result);
          },
          error(cause: unknown) {
            if (isPassing(cause)) onFault();
            observer.error(cause);
          },
          complete: () => observer.complete(),
        });
        return () => subscription.unsubscribe();
      }),
  );
}

/** Looks at once when the browser is online again or the page comes to the front. */
export function watchForReturn(recovery: Recovery): void {
  const look = () => void recovery.look();
  addEventListener('online', look);
  document.addEventListener('visibilitychange', () => !document.hidden && look());
}
