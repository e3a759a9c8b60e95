/**
 * Calls `make` at the first use, and keeps its result. Vendor packages are loaded by it, since most runs use few of them and
 * each takes memory from then on.
 */
export function whenUsed<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
