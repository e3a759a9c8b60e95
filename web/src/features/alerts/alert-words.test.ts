import { describe, expect, it } from 'vitest';
import * as words from './alert-words.ts';

describe('a row', () => {
  it.each([
    [{ yearMin: 2015, yearMax: 2020 }, '2015 – 2020'],
    [{ yearMin: 2015, yearMax: null }, '2015 – Current'],
    [{ yearMin: null, yearMax: 2020 }, 'Any – 2020'],
    [{}, 'Any – Current'],
  ])('shows the years %j as %s', (years, text) => {
    expect(words.yearRangeText(years)).toBe(text);
  });

  it.each([
    [{ priceMin: 0, priceMax: 18_000 }, '$0 – $18,000'],
    [{ priceMin: null, priceMax: null }, '$0 – Any'],
    [{ priceMin: 5000, priceMax: 0 }, '$5,000 – $0'],
  ])('shows the prices %j as %s', (prices, text) => {
    expect(words.priceRangeText(prices)).toBe(text);
  });

  it('shows where and how far', () => {
    expect(words.whereText({ place: 'Los Angeles, CA', location: 'la', radius: 50 })).toBe(
      'Los Angeles, CA · 50 miles',
    );
    expect(words.whereText({ place: '', location: '90210', radius: 5 })).toBe('90210 · 5 miles');
  });

  it('counts one day as one', () => {
    expect([0, 1, 42].map(words.daysRemainingText)).toEqual([
      '0 days remaining',
      '1 day remaining',
      '42 days remaining',
    ]);
  });

  it('offers to renew from 7 days before the end', () => {
    expect([8, 7, 1, 0].map((daysRemaining) => words.canRenew({ daysRemaining }))).toEqual([false, true, true, true]);
  });
});

it.each([
  ['04:59', 'Good evening'],
  ['05:00', 'Good morning'],
  ['12:00', 'Good afternoon'],
  ['18:00', 'Good evening'],
])('at %s it greets with %s', (time, text) => {
  expect(words.greeting(new Date(`2026-11-21T${time}:00`))).toBe(text);
});
