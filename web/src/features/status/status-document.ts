import { graphql } from '../../gql/gql.ts';
import type { StatusQuery } from '../../gql/graphql.ts';

export const StatusDocument = graphql(`
  query Status {
    status {
      checkedAt
      sources {
        name
        state
        lastSuccessAt
        lagP50Ms
        lagP95Ms
        lagListings
      }
      channels {
        channel
        lastDay {
          matches
          p50Ms
          p95Ms
        }
        last30Days {
          matches
          p50Ms
          p95Ms
        }
      }
      incidents {
        subject
        message
        since
      }
    }
  }
`);

export type Status = StatusQuery['status'];
