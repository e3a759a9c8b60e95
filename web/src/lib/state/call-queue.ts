interface Queue<State> {
  last: Promise<unknown>;
  /** What the server is known to hold. */
  held: State;
}

/** What became of a call: the state that the server holds since, as far as is known, and why the call failed. */
export interface Called<State> {
  held: State;
  error: unknown;
  /** Whether no later call waits, so that the page shows the state now. */
  isLast: boolean;
}

/**
 * Makes a function that sets the state of a thing at the server, each call about it after the one before. A call that
 * fails leaves what the last successful one has set.
 */
export function makeCallQueue<State>() {
  const queues = new Map<string, Queue<State>>();

  /** @param before what the server holds while no call about the thing is under way */
  return async (key: string, before: State, wanted: State, send: () => Promise<unknown>): Promise<Called<State>> => {
    const queue = queues.get(key) ?? { last: Promise.resolve(), held: before };
    queues.set(key, queue);
    const call = queue.last.then(send).then(
      () => {
        queue.held = wanted;
        return null;
      },
      (error: unknown) => error ?? new Error('It failed.'),
    );
    queue.last = call;
    const error = await call;
    const isLast = queue.last === call;
    if (isLast) queues.delete(key);
    return { held: queue.held, error, isLast };
  };
}
