import { graphql } from '../../gql/gql.ts';

/** Why a listing is, or is not, among the matches of an alert. */
export const ExplainListingDocument = graphql(`
  query ExplainListing($alertId: ID!, $listing: String!) {
    explainListing(alertId: $alertId, listing: $listing) {
      outcome
      message
      listing { id title price place status }
      verdicts { criterion verdict asked found }
      choices { id title price place status }
    }
  }
`);
