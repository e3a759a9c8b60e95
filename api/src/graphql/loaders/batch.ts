import DataLoader from 'dataloader';

/**
 * A loader that asks once for all keys of a moment. Nothing is cached: a subscription lives for hours, and a
 * mutation must be seen by what is read after it.
 */
export function batch<K, V>(
  read: (keys: K[]) => Promise<Map<string, V>>,
  textOf: (key: K) => string = String,
): DataLoader<K, V | undefined> {
  return new DataLoader<K, V | undefined>(
    async (keys) => {
      const unique = new Map(keys.map((key) => [textOf(key), key]));
      const found = await read([...unique.values()]);
      return keys.map((key) => found.get(textOf(key)));
    },
    { cache: false },
  );
}
