import { graphql } from '../../gql/gql.ts';
import type { AlertFacts_AlertFragment } from '../../gql/graphql.ts';
import { miles } from '../text/distance.ts';
import { priceRange } from '../text/money.ts';
import { capitalised } from '../text/words.ts';

/** All fields of an alert: its page shows them, its form edits them. */
export const AlertFactsFragment = graphql(`
  fragment AlertFacts_alert on Alert {
    id
    make
    model
    yearMin
    yearMax
    location
    place
    radius
    priceMin
    priceMax
    color
    onlyWithImages
    emailNotifications
    textNotifications
    isActive
    createdAt
    expiresAt
    daysRemaining
    pausedByPlan
    matchCount
  }
`);

type Fact = (alert: AlertFacts_AlertFragment) => string | null;

/** What an alert asks for, as its page says it below its name; null where it asks for nothing that is worth saying. */
const asked: readonly Fact[] = [
  yearsAsked,
  pricesAsked,
  ({ color }) => (color === 'any' ? null : capitalised(color)),
  ({ place, location }) => place || location,
  ({ radius }) => `Within ${miles(radius)}`,
];

export function askedTexts(alert: AlertFacts_AlertFragment): string[] {
  return asked.map((text) => text(alert)).filter((text) => text !== null);
}

/** 'Any' stands for each bound that is missing. */
export function yearsAsked({ yearMin, yearMax }: { yearMin?: number | null; yearMax?: number | null }): string {
  if (yearMin == null && yearMax == null) return 'Any year';
  return `${yearMin ?? 'Any'} – ${yearMax ?? 'Any'}`;
}

/** 'Any' stands for each bound that is missing. */
export function pricesAsked({ priceMin, priceMax }: { priceMin?: number | null; priceMax?: number | null }): string {
  if (priceMin == null && priceMax == null) return 'Any price';
  return priceRange(priceMin, priceMax, 'Any');
}
