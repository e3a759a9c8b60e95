/**
 * Returns a function that reads at most once in `maxAgeMs` milliseconds: all calls in that time share one read. A failed
 * read is not kept, so the next call reads again.
 */
export function cached<T>(read: () => Promise<T>, maxAgeMs: number): () => Promise<T> {
  let last: { at: number; value: Promise<T> } | undefined;
  return () => {
    if (!last || performance.now() - last.at > maxAgeMs) {
      const started = { at: performance.now(), value: read() };
      last = started;
      started.value.catch(() => {
        if (last === started) last = undefined;
      });
    }
    return last.value;
  };
}
