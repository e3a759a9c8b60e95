export interface Deferred<T> {
  promise: Promise<T>;
  resolve(value: T): void;
}

/** A promise that other code resolves. */
export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((resolvePromise) => {
    resolve = resolvePromise;
  });
  return { promise, resolve };
}
