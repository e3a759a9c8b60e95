import { type ApolloClient, ApolloLink, Observable } from '@apollo/client';
import { isTemporary, isTemporaryCode } from '../faults/errors.ts';
import { isReachable } from './chunk-errors.ts';

const firstDelayMs = 5000;
const maxDelayMs = 15_000;
/** A server that asks for a longer pause is asked again after this. */
const maxPauseMs = 3_600_000;

type QuerySource = Pick<ApolloClient, 'getObservableQueries'>;

/** A call that failed with a temporary fault. */
export interface FailedCall {
  operation: string | undefined;
  /** How long the server asks to wait before the next try; 0 where it says nothing. */
  pauseMs: number;
}

export interface Recovery {
  /** Reports a failed call, after which data on screen may have to be fetched again. */
  reportFault(call?: FailedCall): void;
  /** Probes now, because the connection may be back. */
  probe(): Promise<void>;
}

/**
 * Fetches failed queries on screen again once the server answers. Probing starts with a fault and ends when no query is
 * failing. A query whose server asked for a pause is left alone until then.
 */
export function makeRecovery(client: QuerySource, isUp = isReachable, isHidden = () => document.hidden): Recovery {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timerAt = Number.POSITIVE_INFINITY;
  let delayMs = firstDelayMs;
  /** By the name of an operation, when it may be tried again. */
  const pausedUntil = new Map<string | undefined, number>();

  /** Queries on screen that failed with a temporary fault, with the milliseconds until they may be tried again. */
  const failingQueries = () =>
    [...client.getObservableQueries()].flatMap((query) => {
      const { error } = query.getCurrentResult();
      if (error === undefined || !isTemporary(error)) return [];
      return [{ query, pauseMs: Math.max(0, (pausedUntil.get(query.queryName) ?? 0) - Date.now()) }];
    });

  /** Jitter keeps browsers from probing all at the same time. */
  function probeIn(pauseMs: number): void {
    const ms = pauseMs > 0 ? pauseMs + Math.random() * firstDelayMs : delayMs * (0.75 + Math.random() / 2);
    if (Date.now() + ms >= timerAt) return;
    clearTimeout(timer);
    timerAt = Date.now() + ms;
    timer = setTimeout(() => void probe(), ms);
  }

  function reportFault({ operation, pauseMs }: FailedCall = { operation: undefined, pauseMs: 0 }): void {
    if (pauseMs > 0) pausedUntil.set(operation, Date.now() + pauseMs);
    probeIn(pauseMs);
  }

  async function probe(): Promise<void> {
    clearTimeout(timer);
    timerAt = Number.POSITIVE_INFINITY;
    const failing = failingQueries();
    if (failing.length === 0) {
      delayMs = firstDelayMs;
      return;
    }
    // A hidden page probes when it is shown again.
    if (isHidden()) return;
    const soonestMs = Math.min(...failing.map(({ pauseMs }) => pauseMs));
    if (soonestMs > 0) return probeIn(soonestMs);
    delayMs = Math.min(maxDelayMs, delayMs * 2);
    if (!(await isUp())) return probeIn(0);
    // A query that fails again reports its fault itself.
    const due = failingQueries().filter(({ pauseMs }) => pauseMs === 0);
    await Promise.allSettled(due.map(({ query }) => query.refetch()));
    const paused = failingQueries().map(({ pauseMs }) => pauseMs);
    if (paused.length > 0) probeIn(Math.min(...paused));
  }

  return { reportFault, probe };
}

/** What the answer to a call asks for with Retry-After, in milliseconds; 0 without one. */
function pauseOf({ getContext }: ApolloLink.Operation): number {
  const { response } = getContext() as { response?: Response };
  const seconds = Number(response?.headers.get('retry-after') ?? 0);
  return seconds > 0 ? Math.min(maxPauseMs, seconds * 1000) : 0;
}

/** Calls `onFault` for each call that fails with a temporary fault. */
export function makeFaultLink(onFault: (call: FailedCall) => void): ApolloLink {
  return new ApolloLink((operation, forward) => {
    const report = () => onFault({ operation: operation.operationName, pauseMs: pauseOf(operation) });
    return new Observable((observer) => {
      const subscription = forward(operation).subscribe({
        next(result) {
          if (result.errors?.some(({ extensions }) => isTemporaryCode(extensions?.code))) report();
          observer.next(result);
        },
        error(cause: unknown) {
          if (isTemporary(cause)) report();
          observer.error(cause);
        },
        complete: () => observer.complete(),
      });
      return () => subscription.unsubscribe();
    });
  });
}

/** Probes immediately when the browser is online again or the page is shown again. */
export function watchForReturn(recovery: Recovery): void {
  const probe = () => void recovery.probe();
  addEventListener('online', probe);
  document.addEventListener('visibilitychange', () => !document.hidden && probe());
}
