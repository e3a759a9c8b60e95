import { expect, it } from 'vitest';
import { memoize } from './memoize.ts';

function counted(options: Parameters<typeof memoize>[1]) {
  const calls: string[] = [];
  const length = memoize<number | undefined>((key) => {
    calls.push(key);
    if (key === 'error') throw new Error('not computed');
    return key === '' ? undefined : key.length;
  }, options);
  return { calls, length };
}

it('computes each result once, undefined included', () => {
  const { calls, length } = counted({ maxEntries: 10 });
  expect(['a', 'bb', 'a', '', ''].map(length)).toEqual([1, 2, 1, undefined, undefined]);
  expect(calls).toEqual(['a', 'bb', '']);
});

it('keeps at most so many results, none of a longer key, and no error', () => {
  const { calls, length } = counted({ maxEntries: 2, maxKeyLength: 5 });
  for (const key of ['a', 'b', 'c', 'c', 'a', 'longer', 'longer']) length(key);
  expect(calls).toEqual(['a', 'b', 'c', 'a', 'longer', 'longer']);
  for (let tries = 0; tries < 2; tries += 1) expect(() => length('error')).toThrow('not computed');
  expect(calls.filter((key) => key === 'error')).toHaveLength(2);
});
