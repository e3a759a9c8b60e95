import type { ExampleGroup } from './example.ts';

export const adminExamples: ExampleGroup = {
  title: 'The admin',
  about: 'Anyone else gets "Access Denied".',
  examples: [
    {
      name: 'Health of the sources',
      about: 'State, lag and the last error',
      query: `query Sources {
  sourceHealth {
    name
    kind
    state
    lastSuccessAt
    nextPollAt
    lastError
    lagP50Ms # milliseconds from listed to seen
    lagP95Ms
    lastDay {
      accepted
      updated
      unchanged
      rejected
    }
    quarantined {
      code
      count
    }
  }
}
`,
    },
    {
      name: 'Quarantined records',
      about: 'Records with code and reason',
      query: `query QuarantinedRecords($source: String, $code: String, $first: Int) {
  quarantine(source: $source, code: $code, first: $first) {
    total
    retryable
    nodes {
      id
      source
      externalId
      code
      reason
      times
      lastSeenAt
    }
    endCursor
    hasMore
  }
}
`,
      variables: { source: null, code: 'UNKNOWN_MAKE', first: 20 },
    },
    {
      name: 'What the admin did',
      about: 'The audit log, newest first',
      query: `query AuditLog($first: Int, $after: String) {
  auditLog(first: $first, after: $after) {
    nodes {
      at
      actor
      action
      label
      subject
      outcome
    }
    endCursor
    hasMore
  }
}
`,
      variables: { first: 20, after: null },
    },
    {
      name: 'Retry quarantined records',
      about: 'With the current reader',
      query: `# A call ends after some seconds; pass "endCursor" as "after" to continue.
mutation TryAgain($source: String, $after: String) {
  retryQuarantined(source: $source, after: $after) {
    tried
    accepted
    updated
    unchanged
    newer
    rejected
    endCursor
  }
}
`,
      variables: { source: null, after: null },
    },
    {
      name: 'Deletion requests',
      about: 'Requests to delete an account',
      query: `query DeletionRequests($status: DeletionStatus) {
  deletionRequests(status: $status) {
    requestId
    userId
    username
    reason
    status
    decisions
    createdAt
  }
}
`,
      variables: { status: 'pending' },
    },
    {
      name: 'Decide about a request',
      about: 'Approve or reject it, or add a note',
      query: `# Take "requestId" and a status of "decisions" from "Deletion requests".
mutation Decide($requestId: ID!, $status: DeletionStatus!, $notes: String) {
  updateDeletionRequest(requestId: $requestId, status: $status, notes: $notes) {
    requestId
    status
    notes
    decisions
  }
}
`,
      variables: { requestId: 'DR-7F3K2Q', status: 'approved', notes: 'Confirmed by phone.' },
    },
  ],
};
