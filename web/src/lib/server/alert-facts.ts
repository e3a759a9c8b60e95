import { graphql } from '../../gql/gql.ts';
import type { AlertFacts_AlertFragment } from '../../gql/graphql.ts';
import { miles, priceRange } from '../text/amounts.ts';
import { filterTexts } from '../text/filter-texts.ts';
import { capitalised } from '../text/words.ts';

/** All fields of an alert, for its page and its form. */
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
    mileageMax
    models
    transmission
    fuel
    drive
    body
    titleStatus
    seller
    excludeWords
    requireWords
    priceStated
    belowFairPrice
    emailNotifications
    textNotifications
    pushNotifications
    delivery
    digestHour
    quietHours {
      from
      to
      days
    }
    maxMailsPerDay
    priceDrops
    snoozedUntil
    isActive
    createdAt
    expiresAt
    daysRemaining
    pausedByPlan
    matchCount
  }
`);

/** What the line below an alert's name is made of. */
export type StatedCriteria = Pick<
  AlertFacts_AlertFragment,
  'yearMin' | 'yearMax' | 'priceMin' | 'priceMax' | 'color' | 'place' | 'location' | 'radius'
> &
  Parameters<typeof filterTexts>[0];

type Fact = (alert: StatedCriteria) => string | null;

/** The criteria in the line below an alert's name; null for a criterion that is not shown. */
const criteria: readonly Fact[] = [
  yearsText,
  pricesText,
  ({ color }) => (color === 'any' ? null : capitalised(color)),
  ({ place, location }) => place || location,
  ({ radius }) => `Within ${miles(radius)}`,
];

export function criteriaTexts(alert: StatedCriteria): string[] {
  return [...criteria.map((text) => text(alert)).filter((text) => text !== null), ...filterTexts(alert)];
}

/** The range, with 'Any' for a missing limit. */
export function yearsText({ yearMin, yearMax }: { yearMin?: number | null; yearMax?: number | null }): string {
  if (yearMin == null && yearMax == null) return 'Any year';
  return `${yearMin ?? 'Any'} – ${yearMax ?? 'Any'}`;
}

/** The range, with 'Any' for a missing limit. */
export function pricesText({ priceMin, priceMax }: { priceMin?: number | null; priceMax?: number | null }): string {
  if (priceMin == null && priceMax == null) return 'Any price';
  return priceRange(priceMin, priceMax, 'Any');
}
