import { graphql } from '../gql/gql.ts';

export const MatchAddedDocument = graphql(`
  subscription MatchAdded($after: String) {
    matchAdded(after: $after) {
      cursor
      match { ...MatchCard_match }
    }
  }
`);

/** Where live begins: asked for before any list is, so that nothing falls between list and live. */
export const LiveStartDocument = graphql(`
  query LiveStart {
    matches(first: 1) { liveCursor }
  }
`);

/** The newest matches of all alerts, to settle what changed after they arrived: receipts, and lists fetched meanwhile. */
export const SettleMatchesDocument = graphql(`
  query SettleMatches {
    matches(first: 20) {
      nodes { ...MatchCard_match }
    }
  }
`);
