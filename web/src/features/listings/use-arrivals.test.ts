import { expect, it } from 'vitest';
import { newAtHead } from './use-arrivals.ts';

it.each([
  [['c', 'b', 'a'], ['b', 'a'], ['c']],
  [['b', 'a', 'older'], ['b', 'a'], []],
  [
    ['d', 'c', 'a', 'older'],
    ['b', 'a'],
    ['d', 'c'],
  ],
  [['a'], [], ['a']],
  [[], ['a'], []],
])('of %j with %j known, %j is new', (keys, known, fresh) => {
  expect(newAtHead(keys, new Set(known))).toEqual(fresh);
});
