import { createStore, delMany, get, keys, promisifyRequest } from 'idb-keyval';
import { DATABASE, PHOTO_CACHE } from './names.ts';

/** An answer as its page last showed it. */
export interface Answer {
  key: string;
  data: unknown;
}

interface Entry {
  key: string;
  /** When the server last said so, in milliseconds. */
  at: number;
  /** Of its text. */
  length: number;
}

/** What is stored, oldest first. It is one user's. */
export interface StoredIndex {
  userId: string;
  entries: readonly Entry[];
}

export const MAX_ANSWERS = 30;
export const MAX_LENGTH = 400_000;
export const MAX_TOTAL_LENGTH = 3_000_000;
export const MAX_AGE_MS = 7 * 86_400_000;
const MAX_NODES = 50;

function isPage(value: unknown): value is { nodes: unknown[]; endCursor: string | null; hasMore: boolean } {
  return typeof value === 'object' && value !== null && 'nodes' in value && Array.isArray(value.nodes);
}

/** Cuts long lists. Without a cursor the rest can't be joined to it, so the cache fetches such a list again. */
export function cutLists(data: object): object {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      isPage(value) && value.nodes.length > MAX_NODES
        ? { ...value, nodes: value.nodes.slice(0, MAX_NODES), endCursor: null, hasMore: true }
        : value,
    ]),
  );
}

/** Adds answers to what is stored, within the bounds of number, size and age. The oldest go first. */
export function addToIndex(
  index: StoredIndex | undefined,
  userId: string,
  fresh: readonly Pick<Entry, 'key' | 'length'>[],
  now: number,
): StoredIndex {
  const small = fresh.filter(({ length }) => length <= MAX_LENGTH).map((entry) => ({ ...entry, at: now }));
  const replaced = new Set(fresh.map(({ key }) => key));
  const before = index?.userId === userId ? index.entries.filter(({ key }) => !replaced.has(key)) : [];
  let total = 0;
  const kept = [...before, ...small]
    .toReversed()
    .filter(({ at, length }, place) => {
      total += length;
      return place < MAX_ANSWERS && total <= MAX_TOTAL_LENGTH && now - at <= MAX_AGE_MS;
    })
    .toReversed();
  return { userId, entries: kept };
}

const INDEX = 'index';
/** Opened when it is first used: a browser may forbid it. */
let opened: ReturnType<typeof createStore> | undefined;
export const answerStore = () => {
  opened ??= createStore(DATABASE, 'answers');
  return opened;
};

/** Counts up with each time that everything is deleted, so that nothing is stored by a call from before. */
let deletions = 0;

/** Stores answers of a user, and deletes those of another. @throws where the browser stores nothing */
export async function storeAnswers(userId: string, answers: readonly Answer[], now = Date.now()): Promise<void> {
  const begun = deletions;
  const texts = new Map(answers.map(({ key, data }) => [key, JSON.stringify(data)]));
  const fresh = [...texts].map(([key, text]) => ({ key, length: text.length }));
  await answerStore()('readwrite', (objects) => {
    if (begun !== deletions) return Promise.resolve();
    const reading: IDBRequest<StoredIndex | undefined> = objects.get(INDEX);
    reading.onsuccess = () => {
      const before = reading.result;
      const index = addToIndex(before, userId, fresh, now);
      const listed = new Set(index.entries.map(({ key }) => key));
      for (const { key } of before?.entries ?? []) if (!listed.has(key)) objects.delete(key);
      for (const [key, text] of texts) if (listed.has(key)) objects.put(text, key);
      objects.put(index, INDEX);
    };
    return promisifyRequest(objects.transaction);
  });
}

/** @param userId whose it must be; any user's unless given @returns null if it isn't stored or too old */
export async function readStored(
  key: string,
  userId?: string,
  now = Date.now(),
): Promise<{ data: unknown; at: number } | null> {
  const index = await get<StoredIndex>(INDEX, answerStore());
  const entry = index?.entries.find((kept) => kept.key === key);
  if (!index || !entry || now - entry.at > MAX_AGE_MS) return null;
  if (userId !== undefined && index.userId !== userId) return null;
  const text = await get<string>(key, answerStore());
  return text === undefined ? null : { data: JSON.parse(text), at: entry.at };
}

/** Deletes everything that is stored of a user, with the photos. @param kept keys of what stays */
export async function forgetStored(kept: readonly string[]): Promise<void> {
  deletions += 1;
  const stored = await keys(answerStore());
  await delMany(
    stored.filter((key) => !kept.includes(String(key))),
    answerStore(),
  );
  await caches.delete(PHOTO_CACHE);
  // The worker keeps a list of their addresses.
  (await navigator.serviceWorker.getRegistration('/'))?.active?.postMessage({ type: 'purge-photos' });
}
