import { graphql } from '../../../gql/gql.ts';

export const DeletionRequestFragment = graphql(`
  fragment DeletionRequest_request on DeletionRequest {
    id
    requestId
    userId
    username
    reason
    status
    notes
    createdAt
    decisions
  }
`);

export const DeletionRequestsDocument = graphql(`
  query DeletionRequests($status: DeletionStatus) {
    deletionRequests(status: $status) { ...DeletionRequest_request }
  }
`);

export const UpdateDeletionRequestDocument = graphql(`
  mutation UpdateDeletionRequest($requestId: ID!, $status: DeletionStatus!, $notes: String) {
    updateDeletionRequest(requestId: $requestId, status: $status, notes: $notes) { ...DeletionRequest_request }
  }
`);

export const ExecuteDeletionDocument = graphql(`
  mutation ExecuteDeletion($userId: ID!) {
    executeDeletion(userId: $userId) { message }
  }
`);
