import { expect, it } from 'vitest';
import type { Price } from '../state/objects.ts';
import { periodEnd } from './subscriptions.ts';

const price = (interval: 'week' | 'month' | 'year', interval_count = 1) =>
  ({ recurring: { interval, interval_count } }) as Price;
const at = (day: string): number => Date.parse(`${day}T10:30:00Z`) / 1000;

it.each([
  ['2026-01-15', price('month'), '2026-02-15'],
  ['2026-01-31', price('month'), '2026-02-28'],
  ['2028-01-31', price('month'), '2028-02-29'],
  ['2026-12-31', price('month'), '2027-01-31'],
  ['2028-02-29', price('year'), '2029-02-28'],
  ['2026-11-22', price('week', 2), '2026-12-06'],
])('a period from %s ends as the calendar says', (start, one, end) => {
  expect(periodEnd(at(start), one)).toBe(at(end));
});
