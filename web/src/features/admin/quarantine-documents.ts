import { graphql } from '../../gql/gql.ts';

export const QuarantinedRecordFragment = graphql(`
  fragment QuarantinedRecord_record on QuarantinedRecord {
    id
    source
    externalId
    code
    reason
    record
    whole
    retryable
    times
    firstSeenAt
    lastSeenAt
    retriedAt
  }
`);

export const QuarantineDocument = graphql(`
  query Quarantine($source: String, $code: String, $after: String) {
    quarantine(source: $source, code: $code, first: 20, after: $after) {
      nodes { ...QuarantinedRecord_record }
      endCursor
      hasMore
      total
      retryable
    }
  }
`);

export const SourceHealthDocument = graphql(`
  query SourceHealth {
    sourceHealth { ...SourceCard_source }
  }
`);

export const RetryQuarantinedDocument = graphql(`
  mutation RetryQuarantined($ids: [ID!], $source: String, $code: String, $after: String) {
    retryQuarantined(ids: $ids, source: $source, code: $code, after: $after) {
      tried
      accepted
      updated
      unchanged
      newer
      rejected
      endCursor
    }
  }
`);

export const DismissQuarantinedDocument = graphql(`
  mutation DismissQuarantined($ids: [ID!]!) {
    dismissQuarantined(ids: $ids)
  }
`);
