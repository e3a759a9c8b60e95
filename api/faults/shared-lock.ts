/** Makes a lock that is either shared by many or held by one, once all others have finished. */
export interface SharedLock {
  shared<T>(work: () => Promise<T>): Promise<T>;
  exclusive<T>(work: () => Promise<T>): Promise<T>;
}

export function makeSharedLock(): SharedLock {
  const running = new Set<Promise<unknown>>();
  let locked: Promise<void> | undefined;
  return {
    async shared(work) {
      while (locked) await locked;
      const run = work();
      running.add(run);
      try {
        return await run;
      } finally {
        running.delete(run);
      }
    },
    async exclusive(work) {
      const { promise, resolve: unlock } = Promise.withResolvers<void>();
      locked = promise;
      try {
        await Promise.allSettled(running);
        return await work();
      } finally {
        locked = undefined;
        unlock();
      }
    },
  };
}
