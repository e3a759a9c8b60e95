import { graphql } from '../../../gql/gql.ts';
import type { MatchMapQuery } from '../../../gql/graphql.ts';

export const MatchMapDocument = graphql(`
  query MatchMap($alertId: ID!, $only: [ListFilter!]) {
    matchMap(alertId: $alertId, only: $only) {
      latitude
      longitude
      points { listingId carId title price status marketplaceUrl place distance latitude longitude }
    }
  }
`);

/** A matching listing with its coordinates. */
export type MapPoint = MatchMapQuery['matchMap']['points'][number];
