import { expect, it } from 'vitest';
import {
  addToIndex,
  cutLists,
  MAX_AGE_MS,
  MAX_ANSWERS,
  MAX_LENGTH,
  MAX_TOTAL_LENGTH,
  type StoredIndex,
} from './stored-answers.ts';

const NOW = 1_800_000_000_000;
const kept = (keys: readonly string[], length = 10, at = NOW): StoredIndex => ({
  userId: '7',
  entries: keys.map((key) => ({ key, length, at })),
});
const keysOf = ({ entries }: StoredIndex) => entries.map(({ key }) => key);

it('a new answer replaces the former one of the same call, and is the newest', () => {
  const index = addToIndex(kept(['a', 'b'], 10, NOW - 5), '7', [{ key: 'a', length: 20 }], NOW);
  expect(index.entries).toEqual([
    { key: 'b', length: 10, at: NOW - 5 },
    { key: 'a', length: 20, at: NOW },
  ]);
});

it('another user’s answers are dropped', () => {
  expect(addToIndex(kept(['a']), '8', [], NOW)).toEqual({ userId: '8', entries: [] });
});

it('the oldest answers are dropped above the number', () => {
  const many = Array.from({ length: MAX_ANSWERS }, (_, at) => `key ${at}`);
  const index = addToIndex(kept(many), '7', [{ key: 'new', length: 10 }], NOW);
  expect(index.entries).toHaveLength(MAX_ANSWERS);
  expect(keysOf(index)).not.toContain('key 0');
  expect(keysOf(index).at(-1)).toBe('new');
});

it('the oldest answers are dropped above the size of all', () => {
  const large = Array.from({ length: 10 }, (_, at) => `key ${at}`);
  const index = addToIndex(kept(large, MAX_TOTAL_LENGTH / 10), '7', [{ key: 'new', length: 10 }], NOW);
  expect(keysOf(index)).toEqual([...large.slice(1), 'new']);
});

it('an answer above the size of one is not stored, and its former one is dropped', () => {
  expect(keysOf(addToIndex(kept(['a', 'b']), '7', [{ key: 'a', length: MAX_LENGTH + 1 }], NOW))).toEqual(['b']);
});

it('what is too old is dropped', () => {
  expect(keysOf(addToIndex(kept(['a'], 10, NOW - MAX_AGE_MS - 1), '7', [], NOW))).toEqual([]);
});

it('a long list is cut, and says that the rest can not be joined to it', () => {
  const list = (count: number) => ({
    nodes: Array.from({ length: count }, (_, at) => at),
    endCursor: 'c',
    hasMore: false,
  });
  expect(cutLists({ matches: list(50), me: null })).toEqual({ matches: list(50), me: null });
  const cut = cutLists({ matches: list(51) }) as { matches: ReturnType<typeof list> };
  expect(cut.matches).toEqual({ nodes: list(50).nodes, endCursor: null, hasMore: true });
});
