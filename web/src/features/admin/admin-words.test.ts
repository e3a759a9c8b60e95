import { sourceFields } from '@lotwatch/api/forms/sources/source-fields';
import { describe, expect, it, test } from 'vitest';
import {
  actorWords,
  addRetried,
  intervalText,
  kindText,
  lagText,
  outcomeWords,
  prettyRecord,
  retriedText,
  untilText,
} from './admin-words.ts';

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

const none = { tried: 0, accepted: 0, updated: 0, unchanged: 0, newer: 0, rejected: 0 };

test.each([
  [{}, 'There were no records left to retry.'],
  [{ tried: 1, accepted: 1 }, '1 record was stored.'],
  [{ tried: 1, rejected: 1 }, '1 record still could not be read.'],
  [{ tried: 1, newer: 1 }, '1 record was out of date.'],
  [
    { tried: 2009, accepted: 1, updated: 2, unchanged: 1, newer: 2, rejected: 2003 },
    '4 records were stored, 2 records were out of date, 2,003 records still could not be read.',
  ],
])('%j: %s', (retried, text) => {
  expect(retriedText({ ...none, ...retried })).toBe(text);
});

test('outcomes add up', () => {
  const one = { tried: 6, accepted: 1, updated: 1, unchanged: 1, newer: 1, rejected: 2 };
  expect(addRetried(one, one)).toEqual({ tried: 12, accepted: 2, updated: 2, unchanged: 2, newer: 2, rejected: 4 });
});

test('a record is shown in a readable form', () => {
  expect(prettyRecord('{"id":1}')).toBe('{\n  "id": 1\n}');
  expect(prettyRecord('{"id":')).toBe('{"id":');
});

it('names the actor', () => {
  expect(['admin', 'command', 'visitor', 'robot'].map(actorWords)).toEqual([
    'The admin',
    'A command on the server',
    'A visitor',
    'robot',
  ]);
});

it('shows the outcome, and nothing if the action succeeded', () => {
  expect(outcomeWords('done')).toBeNull();
  expect(outcomeWords('approved')).toEqual({ text: 'approved', failed: false });
  expect(outcomeWords('NOT_FOUND')).toEqual({ text: 'Refused: not found', failed: true });
});
