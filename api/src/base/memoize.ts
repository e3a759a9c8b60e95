interface MemoOptions {
  /** When this many results are kept, all of them are dropped, so that memory is bounded. */
  maxEntries: number;
  /** The result for a longer key is computed at each call. */
  maxKeyLength?: number;
}

/** Returns the function with its results kept by their key. An error is not kept. */
export function memoize<T>(
  compute: (key: string) => T,
  { maxEntries, maxKeyLength = Number.POSITIVE_INFINITY }: MemoOptions,
): (key: string) => T {
  const results = new Map<string, T>();
  return (key) => {
    const known = results.get(key);
    if (known !== undefined || results.has(key)) return known as T;
    const result = compute(key);
    if (key.length > maxKeyLength) return result;
    if (results.size >= maxEntries) results.clear();
    results.set(key, result);
    return result;
  };
}
