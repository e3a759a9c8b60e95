import { setTimeout as sleep } from 'node:timers/promises';

export interface Lanes<T> {
  parallel: number;
  signal: AbortSignal | undefined;
  /** What is due now; may name items that are already in a lane. */
  find(): Promise<T[]>;
  keyOf(item: T): string;
  /** Returns false when the item can't be handled in this run, so that it isn't found again and again. */
  handle(item: T): Promise<boolean>;
}

/** How often idle lanes look for new work while another lane waits for a slow vendor. */
const IDLE_MS = 200;

/** Handles everything that is due, and what falls due meanwhile, several items at once; none in two lanes. */
export async function runLanes<T>(lanes: Lanes<T>): Promise<void> {
  const underWay = new Set<string>();
  const skipped = new Set<string>();
  let queue: T[] = [];
  let finding: Promise<void> | undefined;

  const refill = async () => {
    const found = await lanes.find();
    queue = found.filter((item) => !underWay.has(lanes.keyOf(item)) && !skipped.has(lanes.keyOf(item)));
  };
  const take = async (): Promise<T | undefined> => {
    while (!lanes.signal?.aborted) {
      if (queue.length === 0) {
        finding ??= refill().finally(() => {
          finding = undefined;
        });
        await finding;
      }
      const item = queue.shift();
      if (item !== undefined) {
        underWay.add(lanes.keyOf(item));
        return item;
      }
      if (underWay.size === 0) return undefined;
      await sleep(IDLE_MS);
    }
    return undefined;
  };
  const lane = async () => {
    for (let item = await take(); item !== undefined; item = await take()) {
      const key = lanes.keyOf(item);
      try {
        if (!(await lanes.handle(item))) skipped.add(key);
      } finally {
        underWay.delete(key);
      }
    }
  };
  await Promise.all(Array.from({ length: lanes.parallel }, lane));
}
