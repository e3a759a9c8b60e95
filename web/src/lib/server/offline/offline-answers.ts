import type { ApolloLink } from '@apollo/client';
import { callKey, keptShown, offlineUser, onAnswer, VIEWER_KEY } from '../../state/offline.ts';
import { forgetStored, readStored } from './stored-answers.ts';
import { giveUpWaiting, sendOrWait, WAITING_KEY, withWaiting } from './waiting-changes.ts';

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

const idOf = (data: unknown): string | null => (data as { me?: { id: string } | null } | null)?.me?.id ?? null;

/**
 * Deletes what is stored. What waits stays for its user, whose session has ended and who may sign in again.
 * @param isFinal whether the user signed out: then nothing waits any longer
 */
export async function forget(isFinal: boolean): Promise<void> {
  if (isFinal) await giveUpWaiting(() => true, 'You signed out before.');
  await forgetStored(isFinal ? [] : [WAITING_KEY]);
}

/** Sends a change, or lets it wait. @param at when it was pressed, in milliseconds */
export function answerChange(
  operation: ApolloLink.Operation,
  at: number,
  send: () => Promise<ApolloLink.Result>,
): Promise<ApolloLink.Result> {
  const userId = offlineUser.get();
  return userId === undefined ? send() : sendOrWait(operation, userId, at, send);
}

/** Answers a call without the server. @returns null where that can't be */
export async function answer({
  operationName = '',
  variables,
}: ApolloLink.Operation): Promise<ApolloLink.Result | null> {
  if (!readOffline.has(operationName)) return null;
  const key = callKey(operationName, variables);
  const stored = await readStored(key, offlineUser.get());
  if (!stored) return null;
  if (key === VIEWER_KEY) offlineUser.set(idOf(stored.data) ?? undefined);
  keptShown.set(new Map([...keptShown.get(), [key, stored.at]]));
  return { data: (await withWaiting(stored.data, offlineUser.get())) as Record<string, unknown> };
}

onAnswer((operation, variables, data) => {
  if (!readOffline.has(operation)) return;
  const key = callKey(operation, variables);
  if (keptShown.get().has(key)) keptShown.set(new Map([...keptShown.get()].filter(([shown]) => shown !== key)));
  const userId = offlineUser.get();
  if (key !== VIEWER_KEY || userId === undefined || idOf(data) === userId) return;
  // Another user signed in here, or nobody is signed in any longer.
  offlineUser.set(undefined);
  forget(false).catch(() => undefined);
});
