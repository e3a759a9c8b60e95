interface Follower<T> {
  /** The newest reading that it has not taken; what came before that is old news. */
  next: T | undefined;
  wake: ((isOver: boolean) => void) | undefined;
}

/**
 * Readings for all who follow, from one clock that runs only while somebody does. Each hears the present reading at
 * once and then every change; a slow one misses what was overtaken. A reading that fails is left out.
 */
export function makeSiteFeed<T>(read: () => Promise<T>, everyMs: number): () => AsyncIterable<T> {
  const followers = new Set<Follower<T>>();
  let clock: NodeJS.Timeout | undefined;
  let told: string | undefined;

  function tell(follower: Follower<T>, reading: T): void {
    follower.next = reading;
    follower.wake?.(false);
  }

  async function tick(): Promise<void> {
    const reading = await read();
    const text = JSON.stringify(reading);
    if (text === told) return;
    told = text;
    for (const follower of followers) tell(follower, reading);
  }

  function enter(follower: Follower<T>): void {
    followers.add(follower);
    clock ??= setInterval(() => void tick().catch(() => undefined), everyMs).unref();
    read().then(
      (reading) => tell(follower, reading),
      () => undefined,
    );
  }

  function leave(follower: Follower<T>): void {
    followers.delete(follower);
    follower.wake?.(true);
    if (followers.size > 0) return;
    clearInterval(clock);
    clock = undefined;
    told = undefined;
  }

  return () => {
    const follower: Follower<T> = { next: undefined, wake: undefined };
    enter(follower);
    const over = { value: undefined, done: true } as const;
    const events: AsyncIterator<T> = {
      async next() {
        if (follower.next === undefined && followers.has(follower)) {
          const isOver = await new Promise<boolean>((settle) => {
            follower.wake = settle;
          });
          if (isOver) return over;
        }
        const value = follower.next;
        follower.next = undefined;
        return value === undefined ? over : { value, done: false };
      },
      async return() {
        leave(follower);
        return over;
      },
    };
    return { [Symbol.asyncIterator]: () => events };
  };
}
