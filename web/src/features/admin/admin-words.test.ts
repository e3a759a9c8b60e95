import { expect, it, test } from 'vitest';
import { actorWords, addRetried, outcomeWords, prettyRecord, retriedText } from './admin-words.ts';

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
