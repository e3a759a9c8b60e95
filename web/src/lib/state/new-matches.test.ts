import { beforeEach, expect, it, vi } from 'vitest';
import {
  addNewMatch,
  markAlertViewed,
  newMatchCount,
  newMatchesByAlert,
  removeNewMatches,
  startNewMatches,
} from './new-matches.ts';

const newOf = (...alertIds: string[]) => alertIds.map((id) => newMatchesByAlert.get().get(id));
const at = (minute: number) => `2026-11-21T10:0${minute}:00.000Z`;
const match = (alertId: string, listingId: string, minute: number) => ({ alertId, listingId, matchedAt: at(minute) });

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  startNewMatches(null);
});

it('counts no match from before the first visit, and all later ones', () => {
  startNewMatches('5', [match('1', '11', 2), match('1', '10', 1)]);
  expect(newMatchCount.get()).toBe(0);
  addNewMatch(match('1', '12', 3));
  addNewMatch(match('2', '13', 4));
  addNewMatch(match('2', '13', 4));
  expect([newMatchCount.get(), ...newOf('1', '2', '3')]).toEqual([2, 1, 1, undefined]);
});

it('counts a car that matches two alerts once', () => {
  startNewMatches('5');
  addNewMatch(match('1', '12', 3));
  addNewMatch(match('2', '12', 3));
  expect([newMatchCount.get(), ...newOf('1', '2')]).toEqual([1, 1, 1]);
});

it('does not count viewed matches, also at the next visit', () => {
  startNewMatches('5');
  const arrived = [match('2', '14', 5), match('1', '13', 4), match('1', '12', 3)];
  for (const one of arrived.toReversed()) addNewMatch(one);
  markAlertViewed('1', at(3));
  expect(newMatchCount.get()).toBe(2);
  markAlertViewed('1', at(4));
  expect([newMatchCount.get(), ...newOf('1')]).toEqual([1, undefined]);
  startNewMatches(null);
  expect(newMatchCount.get()).toBe(0);
  startNewMatches('5', arrived);
  expect([newMatchCount.get(), ...newOf('2')]).toEqual([1, 1]);
  startNewMatches('6', arrived);
  expect(newMatchCount.get()).toBe(0);
});

it('does not count an opened car and a deleted alert', () => {
  startNewMatches('5');
  for (const [alertId, listingId] of [
    ['1', '12'],
    ['2', '12'],
    ['2', '13'],
  ] as const)
    addNewMatch(match(alertId, listingId, 3));
  removeNewMatches({ listingId: '12' });
  expect(newMatchCount.get()).toBe(1);
  removeNewMatches({ alertId: '2' });
  expect(newMatchCount.get()).toBe(0);
});

it('counts without storage, and ignores invalid content in it', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => '{"since":3}',
    setItem: () => {
      throw new Error('full');
    },
  });
  startNewMatches('5', [match('1', '11', 1)]);
  addNewMatch(match('1', '12', 2));
  expect(newMatchCount.get()).toBe(1);
});
