/** Lets many go through at a time, or one alone once all others are through. */
export interface Gate {
  pass<T>(work: () => Promise<T>): Promise<T>;
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export function makeGate(): Gate {
  const inside = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;
  return {
    async pass(work) {
      while (closed) await closed;
      const passing = work();
      inside.add(passing);
      try {
        return await passing;
      } finally {
        inside.delete(passing);
      }
    },
    async alone(work) {
      let open = () => {};
      closed = new Promise((settle) => {
        open = settle;
      });
      try {
        await Promise.allSettled(inside);
        return await work();
      } finally {
        closed = undefined;
        open();
      }
    },
  };
}
