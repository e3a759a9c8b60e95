import DataLoader from 'dataloader';

export type MaybePromise<T> = T | Promise<T>;

/** What resolvers ask: an answer that is already there comes at once, without a promise. */
export interface Loader<K, V> {
  load(key: K): MaybePromise<V | undefined>;
}

/** A loader with what it is made of, for those who know all their keys beforehand. */
export interface BatchLoader<K, V> {
  load(key: K): Promise<V | undefined>;
  /** Answers by their key's text; keys must differ. */
  read(keys: K[]): Promise<Map<string, V>>;
  textOf(key: K): string;
}

/**
 * A loader that asks once for all keys of a moment. Nothing is cached: a subscription lives for hours, and a
 * mutation must be seen by what is read after it.
 */
export function batch<K, V>(
  read: (keys: K[]) => Promise<Map<string, V>>,
  textOf: (key: K) => string = String,
): BatchLoader<K, V> {
  const loader = new DataLoader<K, V | undefined>(
    async (keys) => {
      const unique = new Map(keys.map((key) => [textOf(key), key]));
      const found = await read([...unique.values()]);
      return keys.map((key) => found.get(textOf(key)));
    },
    { cache: false },
  );
  return { load: (key) => loader.load(key), read, textOf };
}

/** Goes on with an answer, at once where it is there. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
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
