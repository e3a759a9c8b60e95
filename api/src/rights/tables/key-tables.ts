/** API keys and what they asked, in the order in which it can be erased. */
export const keyTables = {
  apiKeys: {
    table: 'api_keys',
    theirs: 'user_id = :user',
    exported: {
      id: true,
      name: true,
      prefix: true,
      scopes: true,
      created_at: true,
      last_used_at: true,
      expires_at: true,
      revoked_at: true,
    },
    leftOut: {
      user_id: 'the same in every row',
      secret_hash: 'made from a secret',
      replaced_by: 'the number of another key in the list',
    },
  },
  apiUsage: {
    table: 'api_usage',
    theirs: 'user_id = :user',
    exported: { hour: true, ok: true, refused: true },
    leftOut: { user_id: 'the same in every row' },
  },
  apiAllowances: {
    table: 'api_allowances',
    theirs: 'user_id = :user',
    exported: {},
    leftOut: Object.fromEntries(
      ['user_id', 'window_ends_at', 'used', 'running', 'granted'].map((column) => [column, 'a counter of the hour']),
    ),
  },
} as const;
