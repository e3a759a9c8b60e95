import { field } from './answers.ts';
import type { Call } from './call.ts';
import { deletionRequest } from './selections.ts';

/** What the admin decides about people's data. */
export const rightsCalls: readonly Call[] = [
  {
    method: 'GET',
    path: '/admin/deletion-requests',
    summary: 'Deletion requests, the newest first',
    tag: 'Admin',
    operation: `query ($status: DeletionStatus) { deletionRequests(status: $status) { ${deletionRequest} } }`,
    query: { status: 'status' },
    answer: field('deletionRequests'),
  },
  {
    method: 'PATCH',
    path: '/admin/deletion-requests/{requestId}',
    summary: 'Approve or reject a pending request, or change the notes of an open one',
    tag: 'Admin',
    operation: `mutation ($requestId: ID!, $status: DeletionStatus!, $notes: String) {
      updateDeletionRequest(requestId: $requestId, status: $status, notes: $notes) { ${deletionRequest} }
    }`,
    answer: field('updateDeletionRequest'),
    failures: ['CONFLICT'],
  },
  {
    method: 'POST',
    path: '/admin/execute-deletion/{userId}',
    summary: 'Erase a user whose deletion request is approved, with all their data, for good',
    tag: 'Admin',
    operation: 'mutation ($userId: ID!) { executeDeletion(userId: $userId) { message } }',
    answer: field('executeDeletion'),
    failures: ['CONFLICT'],
  },
];
