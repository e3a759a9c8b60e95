import { useSyncExternalStore } from 'react';

/** A value that components can watch and that code outside React can set. */
export interface Store<T> {
  get(): T;
  /** What a page shows that the server draws, which can't know the viewer's value. */
  getDrawn(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

/** @param getDrawn the value on a page that the server draws, where it is another one */
export function createStore<T>(initial: T, getDrawn: () => T = () => initial): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    getDrawn,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.getDrawn);
}

/** Watches what a component needs of a value, so that it is drawn again only when that changes. @param select returns no new object */
export function useStored<T, S>(store: Store<T>, select: (value: T) => S): S {
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.get()),
    () => select(store.getDrawn()),
  );
}
