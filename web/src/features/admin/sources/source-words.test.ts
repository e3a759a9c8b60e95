import { privateNetwork } from '@lotwatch/api/forms/sources/source-field';
import { type FormKind, sourceFields } from '@lotwatch/api/forms/sources/source-fields';
import { describe, expect, test } from 'vitest';
import { intervalText, kindText, lagText, placelessText, trialWords, untilText } from './source-words.ts';

const textOf = (kind: FormKind, fault: string) =>
  trialWords({ accepted: 0, rejected: 0, placeless: 0, hasMore: false, fault }, kind).text;

test.each<[FormKind, number, RegExp]>([
  ['vehicle-feed', 401, /Check the token\.$/],
  ['marketplace-items', 403, /Check the token\.$/],
  ['google-vehicle-feed', 404, /Check the address\.$/],
  ['ebay', 401, /Check both keys/],
  ['ebay', 403, /enabled for Production/],
  ['ebay', 400, /ZIP code/],
  ['vehicle-pages', 403, /ask the dealer/],
  ['json-feed', 401, /Check the key, .* header/],
])('%s: after an answer %d the advice fits the kind', (kind, status, advice) => {
  expect(textOf(kind, `dealer.example answered ${status}.`)).toMatch(advice);
});

test('a fault names the switch of the form, and does not repeat the title', () => {
  expect(textOf('vehicle-feed', 'localhost is an address inside the own network.')).toContain(
    `“${privateNetwork.label}” under More settings`,
  );
  expect(textOf('vehicle-pages', "The source can't be read: none of the first 20 pages has a car.")).toBe(
    'None of the first 20 pages has a car.',
  );
});

test('cars without a place are no success', () => {
  const counts = { rejected: 0, hasMore: false, fault: null };
  expect(trialWords({ ...counts, accepted: 3, placeless: 3 }, 'vehicle-feed').isGood).toBe(false);
  expect(trialWords({ ...counts, accepted: 3, placeless: 1 }, 'vehicle-feed').isGood).toBe(true);
  expect([0, 1, 2, 3].map((placeless) => placelessText({ accepted: 3, placeless }))).toEqual([
    null,
    '1 car has no place that is known, and would match no alert.',
    '2 cars have no place that is known, and would match no alert.',
    'All 3 cars have no place that is known, and would match no alert.',
  ]);
});

test('other faults speak for themselves', () => {
  expect(textOf('ebay', 'dealer.example answered 500.')).toBe('dealer.example answered 500.');
});

test.each([
  [0, '0.0 s'],
  [820, '0.8 s'],
  [9949, '9.9 s'],
  [9950, '10 s'],
  [59_400, '59 s'],
  [59_600, '1 min'],
  [90_000, '1 min'],
  [3_599_999, '59 min'],
  [9_000_000, '2.5 h'],
  [7_200_000, '2 h'],
  [86_400_000, '1 day'],
  [400_000_000, '4 days'],
])('a lag of %d ms is %s', (lagMs, text) => {
  expect(lagText(lagMs)).toBe(text);
});

test.each([
  [2, 'every 2 s'],
  [0.5, 'every 0.5 s'],
  [60, 'every 60 s'],
  [300, 'every 5 min'],
  [3600, 'every 60 min'],
  [43_200, 'every 12 h'],
  [9000, 'every 2.5 h'],
])('%d seconds: %s', (seconds, text) => {
  expect(intervalText(seconds)).toBe(text);
});

test.each([...Object.keys(sourceFields), 'push'])('the kind %s has a name', (kind) => {
  expect(kindText(kind)).toMatch(/^(?:[A-Z]|eBay)/);
});

describe('the next poll', () => {
  const now = new Date('2026-06-01T12:00:00Z');
  test.each([
    ['2026-06-01T11:59:00Z', 'now'],
    ['2026-06-01T12:00:12Z', 'in 12 s'],
    ['2026-06-01T12:03:30Z', 'in 3 min'],
    ['2026-06-01T14:30:00Z', 'in 2 h'],
  ])('%s is %s', (at, text) => {
    expect(untilText(at, now)).toBe(text);
  });
});
