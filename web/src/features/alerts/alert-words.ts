import { miles, priceRange } from '../../lib/text/amounts.ts';
import { hourOf, plural } from '../../lib/text/time.ts';

interface Years {
  yearMin?: number | null;
  yearMax?: number | null;
}

interface Prices {
  priceMin?: number | null;
  priceMax?: number | null;
}

/** A row's years: `2015 – 2020`, with 'Any' and 'Current' for missing limits. */
export function yearRangeText({ yearMin, yearMax }: Years): string {
  return `${yearMin ?? 'Any'} – ${yearMax ?? 'Current'}`;
}

/** A row's prices: `$0 – $18,000`, with $0 and 'Any' for missing limits. */
export function priceRangeText({ priceMin, priceMax }: Prices): string {
  return priceRange(priceMin, priceMax);
}

/** `Los Angeles, CA · 50 miles`; the typed text until the place is known. */
export function whereText({ place, location, radius }: { place: string; location: string; radius: number }): string {
  return `${place || location} · ${miles(radius)}`;
}

export function daysRemainingText(days: number): string {
  return `${plural(days, 'day')} remaining`;
}

/** Renewing is offered in the last 7 days and after the end. */
export function canRenew({ daysRemaining }: { daysRemaining: number }): boolean {
  return daysRemaining <= 7;
}

/** A greeting such as `Good morning`, by the viewer's clock. */
export function greeting(now: Date): string {
  const hour = hourOf(now);
  if (hour >= 5 && hour < 12) return 'Good morning';
  return hour >= 12 && hour < 18 ? 'Good afternoon' : 'Good evening';
}
