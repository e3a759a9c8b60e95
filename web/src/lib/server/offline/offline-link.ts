import { ApolloLink, Observable } from '@apollo/client';
import { canReadOffline, noteAnswer, offlineUser } from '../../state/offline.ts';

/**
 * Deletes what is stored, as its user is no longer signed in here.
 * @param isFinal whether the user signed out, so that what waits to be sent is given up
 */
export async function forgetOffline(isFinal = false): Promise<void> {
  offlineUser.set(undefined);
  try {
    if (!(await navigator.serviceWorker?.getRegistration('/'))) return;
    const { forget } = await import('./offline-answers.ts');
    await forget(isFinal);
  } catch {
    // A browser that forbids storage has stored nothing.
  }
}

/** Changes that set one thing, so that they may be sent late, and twice. A later one of another device is lost, as if it was made before. */
const waitOffline: ReadonlySet<string> = new Set(['SaveListing', 'HideCar', 'MarkListingViewed']);

const onlyResult = (results: Observable<ApolloLink.Result>): Promise<ApolloLink.Result> =>
  new Promise((resolve, reject) => results.subscribe({ next: resolve, error: reject }));

/** A change that may wait is sent in the order of the presses. */
async function change(
  operation: ApolloLink.Operation,
  forward: ApolloLink.ForwardFunction,
): Promise<ApolloLink.Result> {
  const at = Date.now();
  const send = () => onlyResult(forward(operation));
  const loaded = await import('./offline-answers.ts').catch(() => null);
  return loaded ? loaded.answerChange(operation, at, send) : send();
}

/**
 * Answers a call that doesn't reach the server with what its page showed last, where that is stored; some changes wait. The
 * code of it is loaded with the first such call.
 */
export const offlineLink = new ApolloLink((operation, forward) => {
  const mayWait = waitOffline.has(operation.operationName ?? '') && operation.getContext().isSentAgain !== true;
  return new Observable((observer) => {
    if (mayWait && canReadOffline()) {
      change(operation, forward).then(
        (result) => {
          observer.next(result);
          observer.complete();
        },
        (cause: unknown) => observer.error(cause),
      );
      return undefined;
    }
    const subscription = forward(operation).subscribe({
      next(result) {
        if (!result.errors) noteAnswer(operation.operationName ?? '', operation.variables, result.data);
        observer.next(result);
      },
      error(cause: unknown) {
        // Browsers throw it for a call without an answer, and so do we after a time.
        if (!(cause instanceof TypeError) || !canReadOffline()) return observer.error(cause);
        import('./offline-answers.ts')
          .then(({ answer }) => answer(operation))
          .then(
            (answered) => {
              if (!answered) return observer.error(cause);
              observer.next(answered);
              observer.complete();
            },
            () => observer.error(cause),
          );
      },
      complete: () => observer.complete(),
    });
    return () => subscription.unsubscribe();
  });
});
