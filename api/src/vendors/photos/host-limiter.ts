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

interface Call {
  start(): void;
  refuse(why: string): void;
}

/**
 * Runs work of hosts, or of others that share it such as networks of viewers, with limits on the concurrency. They take turns,
 * each with its calls in the order of their arrival, and when too many wait, those go first of which most wait.
 */
export function makeHostLimiter({ atOnce, perHost, waiting: most, timeoutMs }: HostLimits) {
  const running = new Map<string, number>();
  /** In the order of their turns; none without a call. */
  const waiting = new Map<string, Call[]>();
  let total = 0;

  const hasSlot = (host: string) => total < atOnce && (running.get(host) ?? 0) < perHost;
  const waitingInAll = () => [...waiting.values()].reduce((sum, calls) => sum + calls.length, 0);
  function acquire(host: string): void {
    total += 1;
    running.set(host, (running.get(host) ?? 0) + 1);
  }
  function release(host: string): void {
    total -= 1;
    const left = (running.get(host) ?? 1) - 1;
    if (left > 0) running.set(host, left);
    else running.delete(host);
    const next = [...waiting].find(([one]) => hasSlot(one));
    if (!next) return;
    const [one, calls] = next;
    // Behind the others with what it has left.
    waiting.delete(one);
    waiting.set(one, calls);
    calls[0]?.start();
  }
  /** Refuses the last call of the host with the most, if that has more than this host then. */
  function makeRoom(host: string): void {
    const longest = [...waiting.values()].reduce((one, other) => (other.length > one.length ? other : one));
    if (longest.length <= (waiting.get(host)?.length ?? 0) + 1) throw new TooManyCalls('Too many calls wait.');
    longest.at(-1)?.refuse('Others have fewer calls that wait.');
  }
  function waitForSlot(host: string): Promise<void> {
    if (waitingInAll() >= most) makeRoom(host);
    return new Promise((resolve, reject) => {
      function leave(): void {
        clearTimeout(timer);
        const others = (waiting.get(host) ?? []).filter((one) => one !== call);
        if (others.length > 0) waiting.set(host, others);
        else waiting.delete(host);
      }
      const call: Call = {
        start() {
          leave();
          acquire(host);
          resolve();
        },
        refuse(why) {
          leave();
          reject(new TooManyCalls(why));
        },
      };
      const timer = setTimeout(() => call.refuse('No slot became free in time.'), timeoutMs);
      waiting.set(host, [...(waiting.get(host) ?? []), call]);
    });
  }

  /** @throws TooManyCalls when the work is not started */
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
