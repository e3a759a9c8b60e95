import { expect, it } from 'vitest';
import { listName, listTitles } from './link-words.ts';

it.each([
  [1, ['2018 Honda Civic'], '1 car', '2018 Honda Civic'],
  [2, ['2018 Honda Civic', '2016 Honda Accord'], '2 cars', '2018 Honda Civic, 2016 Honda Accord'],
  [5, ['A', 'B', 'C'], '5 cars', 'A, B, C and 2 more'],
  [2, [], '2 cars', 'None of them can be found any more'],
])('names a list of %i cars', (carCount, titles, name, what) => {
  expect(listName({ carCount })).toBe(name);
  expect(listTitles({ carCount, titles })).toBe(what);
});
