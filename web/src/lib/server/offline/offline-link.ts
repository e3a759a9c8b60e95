import { ApolloLink, Observable } from '@apollo/client';
import { canReadOffline, noteAnswer } from '../../state/offline.ts';

/** Deletes what is stored, as its user is no longer signed in here. */
export async function forgetOffline(): Promise<void> {
  try {
    if (!(await navigator.serviceWorker?.getRegistration('/'))) return;
    const { forget } = await import('./offline-answers.ts');
    await forget();
  } catch {
    // A browser that forbids storage has stored nothing.
  }
}

/**
 * Answers a call that doesn't reach the server with what its page showed last, where that is stored; some changes wait. The
 * code of it is loaded with the first such call.
 */
export const offlineLink = new ApolloLink(
  (operation, forward) =>
    new Observable((observer) => {
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
                if ('refusal' in answered) return observer.error(answered.refusal);
                observer.next(answered);
                observer.complete();
              },
              () => observer.error(cause),
            );
        },
        complete: () => observer.complete(),
      });
      return () => subscription.unsubscribe();
    }),
);
