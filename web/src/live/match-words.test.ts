import { expect, it } from 'vitest';
import { matchWords } from './match-words.ts';

const camry = { distance: 9.2, listing: { title: '2018 Toyota Camry SE', price: 15_400 } };

it('names the car that arrived', () => {
  expect(matchWords([camry])).toBe('New match: 2018 Toyota Camry SE, $15,400, 9 miles away');
});

it('counts when several arrive together', () => {
  expect(matchWords([camry, camry, camry])).toBe('3 new matches');
});
