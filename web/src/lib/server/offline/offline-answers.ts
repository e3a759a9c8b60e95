import type { ApolloLink } from '@apollo/client';
import { callKey, keptShown, onAnswer, VIEWER_KEY } from '../../state/offline.ts';
import { forgetStored, readStored } from './stored-answers.ts';
import { letWait, type Outcome, withWaiting } from './waiting-changes.ts';

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

const idOf = (data: unknown): string | null => (data as { me?: { id: string } | null } | null)?.me?.id ?? null;

/** The user of the stored answers, once it is known. */
let userId: string | undefined;

/** Whose answers may be shown from now on. */
export const setOfflineUser = (id: string): void => {
  userId = id;
};

/** Deletes what is stored. */
export async function forget(): Promise<void> {
  userId = undefined;
  await forgetStored();
}

/** Answers a call without the server. A change is answered once it was sent. @returns null where that can't be */
export async function answer(operation: ApolloLink.Operation): Promise<Outcome | null> {
  const { operationName = '', variables } = operation;
  if (waitOffline.has(operationName)) {
    const mayWait = userId !== undefined && operation.getContext().isSentAgain !== true;
    return mayWait ? letWait(operation, userId ?? '') : null;
  }
  if (!readOffline.has(operationName)) return null;
  const key = callKey(operationName, variables);
  const stored = await readStored(key, userId);
  if (!stored) return null;
  if (key === VIEWER_KEY) userId = idOf(stored.data) ?? undefined;
  keptShown.set(new Map([...keptShown.get(), [key, stored.at]]));
  return { data: (await withWaiting(stored.data)) as Record<string, unknown> };
}

onAnswer((operation, variables, data) => {
  if (!readOffline.has(operation)) return;
  const key = callKey(operation, variables);
  if (keptShown.get().has(key)) keptShown.set(new Map([...keptShown.get()].filter(([shown]) => shown !== key)));
  // Another user signed in here, or nobody is signed in any longer.
  if (key === VIEWER_KEY && userId !== undefined && idOf(data) !== userId) void forget().catch(() => undefined);
});
