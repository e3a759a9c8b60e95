import { graphql } from '../../gql/gql.ts';

export const MyDeletionRequestFragment = graphql(`
  fragment MyDeletionRequest_request on DeletionRequest {
    id
    requestId
    status
    notes
    createdAt
  }
`);

export const MyDeletionRequestsDocument = graphql(`
  query MyDeletionRequests {
    myDeletionRequests { ...MyDeletionRequest_request }
  }
`);

export const RequestDeletionDocument = graphql(`
  mutation RequestDeletion($reason: String!) {
    requestDeletion(reason: $reason) { ...MyDeletionRequest_request }
  }
`);

export const ExportMyDataDocument = graphql(`
  mutation ExportMyData {
    exportMyData
  }
`);
