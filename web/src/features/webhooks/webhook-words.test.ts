import { describe, expect, it } from 'vitest';
import { inText, prettyJson, statusStyle, triesText } from './delivery-words.ts';
import { eventLabel, healthOf, lastTryText, shortUrl, stateText } from './webhook-words.ts';

const now = new Date('2026-03-10T12:00:00Z');
const base = { state: 'active', failingSince: null, lastTry: null, pausedBecause: null, pausedAt: null } as const;
const ok = { at: '2026-03-10T11:59:30Z', taken: true, statusCode: 200, error: null };
const bad = { at: '2026-03-10T11:50:00Z', taken: false, statusCode: 500, error: 'It answered 500.' };

describe('a webhook in words', () => {
  it.each([
    [{ ...base }, 'waiting', 'Active, nothing sent yet', ''],
    [{ ...base, lastTry: ok }, 'healthy', 'Active', 'Last delivery 30 s ago'],
    [
      { ...base, lastTry: bad, failingSince: '2026-03-10T09:00:00Z' },
      'failing',
      'Failing for 3 h',
      'Last try 10 min ago: It answered 500.',
    ],
    [
      { ...base, state: 'paused', pausedBecause: 'owner', pausedAt: '2026-03-08T12:00:00Z', lastTry: ok },
      'paused',
      'Paused since Mar 8',
      'Last delivery 30 s ago',
    ],
    [{ ...base, state: 'paused', pausedBecause: 'failures' }, 'paused', 'Paused: every delivery failed for a day', ''],
    [{ ...base, state: 'paused', pausedBecause: 'gone' }, 'paused', 'Paused: it answered 410 Gone', ''],
  ] as const)('%j', (webhook, health, state, last) => {
    expect([healthOf(webhook), stateText(webhook, now), lastTryText(webhook, now)]).toEqual([health, state, last]);
  });

  it('has a short address and names for its events', () => {
    expect(shortUrl('https://dealer.example/')).toBe('dealer.example');
    expect(shortUrl('http://dealer.example:8080/a/b')).toBe('dealer.example:8080/a/b');
    expect(['match.created', 'webhook.test', 'other'].map(eventLabel)).toEqual(['New match', 'Test', 'other']);
  });
});

describe('a delivery in words', () => {
  it('shows its outcome', () => {
    const failed = { at: '', statusCode: 500, ms: 1, error: 'It answered 500.', answer: null };
    expect(statusStyle({ status: 'waiting', attempts: [] }).text).toBe('Waiting');
    expect(statusStyle({ status: 'waiting', attempts: [failed] })).toEqual({ text: 'Retrying', tone: 'bad' });
    expect(statusStyle({ status: 'delivered', attempts: [failed] }).text).toBe('Delivered');
    expect([[], [failed], [failed, failed]].map((attempts) => triesText({ attempts }))).toEqual([
      'Not tried yet',
      '1 try',
      '2 tries',
    ]);
  });

  it('shows the time of the next attempt', () => {
    const after = (seconds: number) => inText(new Date(now.getTime() + seconds * 1000), now);
    expect([-5, 3, 20, 320, 20_480].map(after)).toEqual([
      'in a moment',
      'in a moment',
      'in 20 s',
      'in 5 min',
      'in 6 h',
    ]);
  });

  it('indents JSON, and leaves other texts unchanged', () => {
    expect(prettyJson('{"a":1}')).toBe('{\n  "a": 1\n}');
    expect(prettyJson('<p>')).toBe('<p>');
  });
});
