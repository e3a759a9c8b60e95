import type { ExampleGroup } from './example.ts';

export const adminExamples: ExampleGroup = {
  title: 'The admin',
  about: 'Anyone else gets "Access Denied".',
  examples: [
    {
      name: 'How the sources are doing',
      about: 'State, lags, and what went wrong',
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
      name: 'What was set aside',
      about: 'Records with code and reason',
      query: `query SetAside($source: String, $code: String, $first: Int) {
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
      name: 'Try set-aside records again',
      about: 'With the reader of today',
      query: `# A call ends after some seconds; "endCursor" says where to go on.
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
      about: 'Who asks to be erased',
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
      about: 'Approve, reject, or note something',
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
      variables: { requestId: 'DR-7F3K2Q', status: 'approved', notes: 'Asked by phone as well.' },
    },
  ],
};
