import { graphql } from '../../gql/gql.ts';

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
