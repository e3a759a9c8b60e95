import { ApolloLink, Observable } from '@apollo/client';
import { callKey, keptShown, noteFresh, noteKept, VIEWER_KEY } from '../../state/offline.ts';

/** What the pages that can be read offline ask for. None of it is of the admin's pages, or about how one signs in. */
export const readOffline: ReadonlySet<string> = new Set([
  'Viewer',
  'Site',
  'Catalogue',
  'LiveStart',
  'MyAlerts',
  'RecentListings',
  'AlertPage',
  'AlertMatches',
]);

/** Changes that set one thing, so that they may be sent late, and twice. A later one of another device is lost, as if it was made before. */
const waitOffline: ReadonlySet<string> = new Set(['SaveListing', 'HideCar', 'MarkListingViewed']);

/** A service worker that serves the pages offline goes with it: without one, nothing is stored and nothing is read. */
export const canReadOffline = (): boolean => navigator.serviceWorker?.controller != null;

/** Browsers throw it for a call without an answer, and so do we after a time. */
const isUnreachable = (cause: unknown): boolean => cause instanceof TypeError;

const idOf = (data: unknown): string | null => (data as { me?: { id: string } | null } | null)?.me?.id ?? null;

/** The user of the stored answers, once it is known. */
let userId: string | undefined;

/** Whose answers may be shown from now on. */
export const setOfflineUser = (id: string): void => {
  userId = id;
};

/** Deletes what is stored, as its user is no longer signed in here. */
export async function forgetOffline(): Promise<void> {
  userId = undefined;
  try {
    if (!(await navigator.serviceWorker?.getRegistration('/'))) return;
    const { forgetStored } = await import('./stored-answers.ts');
    await forgetStored();
  } catch {
    // A browser that forbids storage has stored nothing.
  }
}

async function answerFromKept(operation: ApolloLink.Operation): Promise<ApolloLink.Result | null> {
  const key = callKey(operation.operationName ?? '', operation.variables);
  const { readStored } = await import('./stored-answers.ts');
  const kept = await readStored(key, userId);
  if (!kept) return null;
  if (key === VIEWER_KEY) userId = idOf(kept.data) ?? undefined;
  noteKept(key, kept.at);
  const { withWaiting } = await import('./waiting-changes.ts');
  return { data: (await withWaiting(kept.data)) as Record<string, unknown> };
}

/** Lets a change wait for the server; answered when it was sent, as the call would have been. */
async function answerLater(operation: ApolloLink.Operation): Promise<ApolloLink.Result | null> {
  if (userId === undefined) return null;
  const { letWait } = await import('./waiting-changes.ts');
  const outcome = await letWait(operation, userId);
  if ('refusal' in outcome) throw new Refused(outcome.refusal);
  return outcome;
}

/** The server, asked late, has refused. */
class Refused extends Error {
  constructor(override readonly cause: Error) {
    super(cause.message);
  }
}

/** Answers a call that doesn't reach the server with what its page showed last, where that is stored; some changes wait. */
export const offlineLink = new ApolloLink((operation, forward) => {
  const { operationName = '', variables } = operation;
  const waits = waitOffline.has(operationName) && operation.getContext().isSentAgain !== true;
  if (!waits && !readOffline.has(operationName)) return forward(operation);
  const key = callKey(operationName, variables);
  return new Observable((observer) => {
    const subscription = forward(operation).subscribe({
      next(result) {
        if (keptShown.get().size > 0 && !result.errors) noteFresh(key);
        // Another user signed in here, or nobody is signed in any longer.
        if (key === VIEWER_KEY && !result.errors && userId !== undefined && idOf(result.data) !== userId)
          void forgetOffline();
        observer.next(result);
      },
      error(cause: unknown) {
        if (!isUnreachable(cause) || !canReadOffline()) return observer.error(cause);
        const answered = waits ? answerLater(operation) : answerFromKept(operation);
        answered.then(
          (result) => {
            if (!result) return observer.error(cause);
            observer.next(result);
            observer.complete();
          },
          (failure: unknown) => observer.error(failure instanceof Refused ? failure.cause : cause),
        );
      },
      complete: () => observer.complete(),
    });
    return () => subscription.unsubscribe();
  });
});
