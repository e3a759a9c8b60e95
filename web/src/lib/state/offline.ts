import { createStore } from './store.ts';

/** The answers on this page that were stored before the connection was lost: each key with when it was last true, in ms. */
export const keptShown = createStore<ReadonlyMap<string, number>>(new Map());

/** By which stored answers are found: the operation and its variables. */
export const callKey = (operation: string, variables: Readonly<Record<string, unknown>> = {}): string =>
  `${operation} ${JSON.stringify(variables)}`;

/** The key of who is signed in. While it is kept, nothing of the account may be changed. */
export const VIEWER_KEY = callKey('Viewer');

/** How many presses wait until the server can be reached. */
export const waitingChanges = createStore(0);

/** Whether the server has a newer version of the app than this page. */
export const updateReady = createStore(false);

type Hear = (operation: string, variables: Readonly<Record<string, unknown>>, data: unknown) => void;

let hear: Hear | undefined;

/** Tells `to` what the server answers from now on. */
export const onAnswer = (to: Hear): void => {
  hear = to;
};

export const noteAnswer: Hear = (operation, variables, data) => hear?.(operation, variables, data);

/** Whose answers may be stored and shown, and whose changes wait; undefined while it isn't known. */
export const offlineUser = createStore<string | undefined>(undefined);

/** On the page's root, by the server or by the worker that stores nothing: nothing may be stored to be read offline. */
const ONLINE_ONLY = 'data-online-only';

export const setOnlineOnly = (): void => document.documentElement.setAttribute(ONLINE_ONLY, '');

/** A service worker that serves the pages offline goes with it: without one, nothing is stored and nothing is read. */
export const canReadOffline = (): boolean =>
  navigator.serviceWorker?.controller != null && !document.documentElement.hasAttribute(ONLINE_ONLY);
