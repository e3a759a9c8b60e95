import { expect, test } from 'vitest';
import { type Hold, holdWords, releasedWords } from './hold-words.ts';

const now = new Date('2026-11-26T04:00:00Z');
const zone = 'America/Los_Angeles';
const morning: Hold = { reason: 'quiet_hours', dueAt: '2026-11-26T15:00:00Z' };
const evening: Hold = { reason: 'digest', dueAt: '2026-11-26T07:00:00Z' };
const free: Hold = { reason: null, dueAt: '2026-11-26T04:00:01Z' };
const paused: Hold = { reason: 'paused', dueAt: null };

test.each<[Hold, string | null]>([
  [morning, 'until tomorrow at 07:00: quiet hours'],
  [evening, 'until 23:00: the daily digest leaves then'],
  [paused, 'until you resume messages: all messages are paused'],
  [{ reason: 'unconfirmed', dueAt: null }, 'until you confirm your address'],
  [free, null],
  [{ reason: 'quiet_hours', dueAt: '2026-11-26T03:00:00Z' }, null],
  [{ reason: 'the vendor answered 503', dueAt: '2026-11-26T15:00:00Z' }, null],
  [{ reason: 'toString', dueAt: '2026-11-26T15:00:00Z' }, null],
])('%o is held in words', (hold, words) => {
  expect(holdWords(hold, now, zone)).toBe(words);
});

test.each<[string, Hold[][], string]>([
  ['nothing waits', [[]], 'What waited is on its way.'],
  ['nothing is held', [[free], []], 'What waited is on its way.'],
  ['the only alert is held', [[morning]], 'What waited still waits until tomorrow at 07:00: quiet hours.'],
  ['all are paused', [[paused]], 'What waited still waits until you resume messages: all messages are paused.'],
  [
    'all alerts are held',
    [[morning], [evening]],
    'What waited still waits, the first until 23:00: the daily digest leaves then.',
  ],
  [
    'one of two is held',
    [[morning], []],
    '1 alert still waits until tomorrow at 07:00: quiet hours. Everything else is on its way.',
  ],
  [
    'one channel is held',
    [[morning, free]],
    '1 alert still waits until tomorrow at 07:00: quiet hours. Everything else is on its way.',
  ],
])('when %s, it is said', (_what, alerts, words) => {
  expect(releasedWords(alerts, now, zone)).toBe(words);
});
