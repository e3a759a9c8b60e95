import type { EntityManager } from '@mikro-orm/postgresql';
import DataLoader from 'dataloader';

export type MaybePromise<T> = T | Promise<T>;

/** What resolvers use. A value that is already loaded is returned directly, without a promise. */
export interface Loader<K, V> {
  load(key: K): MaybePromise<V | undefined>;
}

/** A loader that can also read all keys at once, where they are known beforehand. */
export interface BatchLoader<K, V> {
  load(key: K): Promise<V | undefined>;
  /** Returns values by their key's text; keys must differ. */
  read(keys: K[]): Promise<Map<string, V>>;
  textOf(key: K): string;
}

/**
 * Makes a loader that reads all keys of one tick in one call. It caches nothing, because a subscription lasts for hours
 * and reads after a mutation must see the change.
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

/** Like `then`, but synchronous where the value is already there. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The key of something that depends on the user: several users share one batch. */
export interface UserKey {
  userId: number;
  id: number;
}

export const userKeyText = ({ userId, id }: UserKey): string => `${userId}/${id}`;

/** The columns of an entity's table: `a.user_id as "userId", …`. @param alias of the table in the statement */
export function columnsOf(em: EntityManager, entity: new () => object, alias: string): string {
  return em
    .getMetadata()
    .get(entity)
    .props.flatMap(({ name, fieldNames }) => (fieldNames[0] ? [`${alias}.${fieldNames[0]} as "${name}"`] : []))
    .join(', ');
}

/** Makes rows instances of their class, for reading only: managed entities would cost more memory and time. */
export function asEntities<T extends object>(entity: { prototype: T }, rows: object[]): T[] {
  return rows.map((row) => Object.setPrototypeOf(row, entity.prototype) as T);
}
