import { graphql } from '../../gql/gql.ts';

/** How much each tab holds; refetched after what changes it. */
export const AdminCountsDocument = graphql(`
  query AdminCounts {
    adminCounts {
      pending
      approved
      rejected
      completed
      sources
      quarantine
      unknownTexts
      auditEntries
    }
  }
`);
