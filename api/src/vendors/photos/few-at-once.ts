/** Too many calls are running or waiting; the caller may retry later. */
export class TooMany extends Error {}

export interface Bounds {
  /** The concurrency in all. */
  atOnce: number;
  /** The concurrency for one host, so that a slow one does not hold up the others. */
  perHost: number;
  waiting: number;
  /** How long a call may wait, in milliseconds. */
  patienceMs: number;
}

/** Runs work for hosts with bounded concurrency, in the order in which it came. */
export function fewAtOnce({ atOnce, perHost, waiting: most, patienceMs }: Bounds) {
  const running = new Map<string, number>();
  const waiting: { host: string; start(): void }[] = [];
  let total = 0;

  const hasRoom = (host: string) => total < atOnce && (running.get(host) ?? 0) < perHost;
  function enter(host: string): void {
    total += 1;
    running.set(host, (running.get(host) ?? 0) + 1);
  }
  function leave(host: string): void {
    total -= 1;
    const left = (running.get(host) ?? 1) - 1;
    if (left > 0) running.set(host, left);
    else running.delete(host);
    const next = waiting.findIndex((one) => hasRoom(one.host));
    if (next >= 0) waiting.splice(next, 1)[0]?.start();
  }
  function waitForRoom(host: string): Promise<void> {
    if (waiting.length >= most) throw new TooMany('Too many wait already.');
    return new Promise((resolve, reject) => {
      const call = {
        host,
        start() {
          clearTimeout(timer);
          enter(host);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(call), 1);
        reject(new TooMany('It took too long until there was room.'));
      }, patienceMs);
      waiting.push(call);
    });
  }

  /** @throws TooMany when the work is not started */
  return async <T>(host: string, work: () => Promise<T>): Promise<T> => {
    if (hasRoom(host)) enter(host);
    else await waitForRoom(host);
    try {
      return await work();
    } finally {
      leave(host);
    }
  };
}
