import { graphql } from '../gql/gql.ts';

export const MatchAddedDocument = graphql(`
  subscription MatchAdded($after: String) {
    matchAdded(after: $after) {
      cursor
      match { ...MatchCard_match }
    }
  }
`);

/** Where live begins: asked for before any list is, so that nothing falls between list and live. Tells what is new, too. */
export const LiveStartDocument = graphql(`
  query LiveStart {
    matches(first: 50) {
      nodes {
        matchedAt
        alert { id }
        listing { id viewed }
      }
      liveCursor
    }
  }
`);

/** The newest matches of all alerts, to settle what changed after they arrived: receipts, and lists fetched meanwhile. */
export const SettleMatchesDocument = graphql(`
  query SettleMatches {
    matches(first: 20) {
      nodes { ...MatchCard_match }
      endCursor
      liveCursor
      hasMore
    }
  }
`);
