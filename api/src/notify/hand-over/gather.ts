/**
 * Answers single questions in batches: all that are asked while one batch is under way go into the next.
 * @param all answers in the order of the items; what it throws is thrown to each who asked
 */
export function gather<T, R>(all: (items: readonly T[]) => Promise<readonly R[]>): (item: T) => Promise<R> {
  let waiting: T[] = [];
  let next: Promise<readonly R[]> | undefined;
  let current: Promise<unknown> = Promise.resolve();

  return async (item) => {
    const at = waiting.push(item) - 1;
    next ??= current.then(() => {
      const items = waiting;
      waiting = [];
      next = undefined;
      const answering = all(items);
      current = answering.catch(() => {});
      return answering;
    });
    const answers = await next;
    return answers[at] as R;
  };
}
