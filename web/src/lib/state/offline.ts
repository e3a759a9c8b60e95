import { createStore } from './store.ts';

/** The answers on this page that were stored before the connection was lost: each key with when it was last true, in ms. */
export const keptShown = createStore<ReadonlyMap<string, number>>(new Map());

export function noteKept(key: string, at: number): void {
  keptShown.set(new Map([...keptShown.get(), [key, at]]));
}

/** The server has answered the call again. */
export function noteFresh(key: string): void {
  if (!keptShown.get().has(key)) return;
  keptShown.set(new Map([...keptShown.get()].filter(([kept]) => kept !== key)));
}

/** By which stored answers are found: the operation and its variables, whatever their order. */
export function callKey(operation: string, variables: Readonly<Record<string, unknown>> = {}): string {
  const given = Object.entries(variables).filter(([, value]) => value !== undefined);
  return `${operation} ${JSON.stringify(given.toSorted(([a], [b]) => (a < b ? -1 : 1)))}`;
}

/** The key of who is signed in. While it is kept, nothing of the account may be changed. */
export const VIEWER_KEY = callKey('Viewer');

/** How many presses wait until the server can be reached. */
export const waitingChanges = createStore(0);

/** Whether the server has a newer version of the app than this page. */
export const updateReady = createStore(false);
