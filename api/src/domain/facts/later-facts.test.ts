import { expect, test } from 'vitest';
import { buildFacts } from '../../../test/factories.ts';
import { isLearned, laterFacts } from './later-facts.ts';
import { factsHash } from './listing-facts.ts';

const car = buildFacts();

test.each([
  ['what was not stated', {}, { fuel: 'gas', seller: 'dealer', prepayment: 'deposit first' }, true],
  ['one more fact', { fuel: 'gas' }, { fuel: 'gas', drive: 'awd' }, true],
  ['another value', { fuel: 'gas' }, { fuel: 'diesel' }, false],
  ['a value that is no longer stated', { body: 'truck' }, {}, false],
  ['other words about payment', { prepayment: 'a|b' }, { prepayment: 'c|d|e' }, true],
])('%s is learned: from %o to %o, %s', (_what, before, now, learned) => {
  expect(isLearned(laterFacts({ ...car, ...before }), laterFacts({ ...car, ...now }))).toBe(learned);
});

test('facts that were not read when listings were stored do not change their hash', () => {
  const now = { fuel: 'gas', drive: 'awd', body: 'suv', titleStatus: 'clean', seller: 'dealer', prepayment: 'Zelle' };
  expect(factsHash({ ...car, ...now })).toBe(factsHash(car));
});
