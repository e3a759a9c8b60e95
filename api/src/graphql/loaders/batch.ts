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

/** Something as one user may see it: buyers share a batch, and each reads what is his. */
export interface OwnKey {
  userId: number;
  id: number;
}

export const ownText = ({ userId, id }: OwnKey): string => `${userId}/${id}`;

/** The keys as two columns, for `unnest`. */
export const ownColumns = (keys: readonly OwnKey[]): [number[], number[]] => [
  keys.map(({ userId }) => userId),
  keys.map(({ id }) => id),
];
