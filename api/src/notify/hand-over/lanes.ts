export interface Lanes<T> {
  add(items: readonly T[]): void;
  /** Added and in no lane yet. */
  readonly waiting: number;
  /** Added and not done. */
  readonly inHand: number;
  /** Resolves when the next item is done; at once where nothing is in hand. */
  change(): Promise<void>;
  /** Resolves when nothing is in hand. */
  idle(): Promise<void>;
}

/** Handles what is added, the oldest first, several items at once. @param handle must not reject */
export function makeLanes<T>(parallel: number, handle: (item: T) => Promise<void>): Lanes<T> {
  const queue: T[] = [];
  let underWay = 0;
  let waiters: (() => void)[] = [];

  const fill = () => {
    while (underWay < parallel) {
      const item = queue.shift();
      if (item === undefined) return;
      underWay += 1;
      void handle(item).finally(() => {
        underWay -= 1;
        fill();
        const told = waiters;
        waiters = [];
        for (const tell of told) tell();
      });
    }
  };
  const change = () => (underWay === 0 ? Promise.resolve() : new Promise<void>((settle) => waiters.push(settle)));
  return {
    add(items) {
      queue.push(...items);
      fill();
    },
    get waiting() {
      return queue.length;
    },
    get inHand() {
      return queue.length + underWay;
    },
    change,
    async idle() {
      while (underWay > 0) await change();
    },
  };
}
