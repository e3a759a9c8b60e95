import { graphql } from '../../gql/gql.ts';

/** All that an alert says: what its page shows, and what its form edits and writes. */
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
