/** Too many calls are running or waiting; the caller may retry later. */
export class TooManyCalls extends Error {}

export interface HostLimits {
  /** The concurrency in all. */
  atOnce: number;
  /** The concurrency for one host, so that a slow one does not delay the others. */
  perHost: number;
  waiting: number;
  /** How long a call may wait, in milliseconds. */
  timeoutMs: number;
}

/** Runs work for hosts in the order of its arrival, with limits on the concurrency. */
export function makeHostLimiter({ atOnce, perHost, waiting: most, timeoutMs }: HostLimits) {
  const running = new Map<string, number>();
  const waiting: { host: string; start(): void }[] = [];
  let total = 0;

  const hasSlot = (host: string) => total < atOnce && (running.get(host) ?? 0) < perHost;
  function acquire(host: string): void {
    total += 1;
    running.set(host, (running.get(host) ?? 0) + 1);
  }
  function release(host: string): void {
    total -= 1;
    const left = (running.get(host) ?? 1) - 1;
    if (left > 0) running.set(host, left);
    else running.delete(host);
    const next = waiting.findIndex((one) => hasSlot(one.host));
    if (next >= 0) waiting.splice(next, 1)[0]?.start();
  }
  function waitForSlot(host: string): Promise<void> {
    if (waiting.length >= most) throw new TooManyCalls('Too many calls wait.');
    return new Promise((resolve, reject) => {
      const call = {
        host,
        start() {
          clearTimeout(timer);
          acquire(host);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(call), 1);
        reject(new TooManyCalls('No slot became free in time.'));
      }, timeoutMs);
      waiting.push(call);
    });
  }

  /** @throws TooMany when the work is not started */
  return async <T>(host: string, work: () => Promise<T>): Promise<T> => {
    if (hasSlot(host)) acquire(host);
    else await waitForSlot(host);
    try {
      return await work();
    } finally {
      release(host);
    }
  };
}
