/** The calls of the spec (its section 7), row by row, written down from it by hand: nothing here may come from `src`. */
export interface Row {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** Who may call it. */
  for: 'anyone' | 'user' | 'admin';
  /** Its success. */
  status: 200 | 201;
  /** Names of the body's fields; none where no body is sent. */
  fields: readonly string[];
}

const alertFields = [
  'make',
  'model',
  'yearMin',
  'yearMax',
  'location',
  'radius',
  'priceMin',
  'priceMax',
  'color',
  'onlyWithImages',
  'emailNotifications',
  'textNotifications',
] as const;

const table: [call: string, whose: Row['for'], status: Row['status'], fields?: readonly string[]][] = [
  ['GET /api/user', 'user', 200],
  ['POST /api/login', 'anyone', 200, ['username', 'password']],
  ['POST /api/register', 'anyone', 201, ['username', 'password', 'email', 'phone']],
  ['POST /api/logout', 'anyone', 200],
  ['GET /api/alerts/user', 'user', 200],
  ['GET /api/alerts/{id}', 'user', 200],
  ['POST /api/alerts', 'user', 201, alertFields],
  ['PATCH /api/alerts/{id}', 'user', 200, [...alertFields, 'isActive']],
  ['DELETE /api/alerts/{id}', 'user', 200],
  ['POST /api/alerts/{id}/notify', 'user', 200],
  ['GET /api/listings/recent', 'user', 200],
  ['GET /api/listings', 'user', 200],
  ['PATCH /api/listings/{id}/view', 'user', 200],
  ['GET /api/subscription/current', 'user', 200],
  ['GET /api/subscription/can-create-alert', 'user', 200],
  ['GET /api/subscription/plans', 'anyone', 200],
  ['POST /api/subscription', 'user', 200, ['planId']],
  ['GET /api/subscription/session', 'user', 200],
  ['POST /api/subscription/verify', 'user', 200, ['sessionId', 'planId']],
  ['POST /api/contact', 'anyone', 201, ['name', 'email', 'subject', 'message']],
  ['PATCH /api/user/profile', 'user', 200, ['email', 'phone']],
  ['POST /api/user/change-password', 'user', 200, ['currentPassword', 'newPassword']],
  ['GET /api/admin/deletion-requests', 'admin', 200],
  ['PATCH /api/admin/deletion-requests/{requestId}', 'admin', 200, ['status', 'notes']],
  ['POST /api/admin/execute-deletion/{userId}', 'admin', 200],
  ['GET /api/debug/subscription', 'user', 200],
  ['GET /api/debug/subscription-plans', 'anyone', 200],
  ['GET /api/debug/ensure-subscription-plans', 'anyone', 200],
];

export const rows: Row[] = table.map(([call, whose, status, fields = []]) => {
  const [method = '', path = ''] = call.split(' ');
  return { method: method as Row['method'], path, for: whose, status, fields };
});

export const nameOf = ({ method, path }: Pick<Row, 'method' | 'path'>): string => `${method} ${path}`;

/** Bodies that hold what they should, for rows that take one. */
export const soundBodies: Record<string, Record<string, unknown>> = {
  'POST /api/login': { username: 'ana', password: 'secret-1' },
  'POST /api/register': {
    username: 'somebody',
    password: 'secret-1',
    email: 'somebody@example.test',
    phone: '5125550100',
  },
  'POST /api/alerts': { make: 'toyota', model: 'camry', location: 'Los Angeles, CA', radius: 50 },
  'PATCH /api/alerts/{id}': { make: 'toyota', model: 'camry', priceMax: 50_000 },
  'POST /api/subscription': { planId: 1 },
  'POST /api/subscription/verify': { sessionId: 'cs_test_1', planId: 2 },
  'POST /api/contact': { name: 'Ana', email: 'ana@example.test', subject: 'A question', message: 'How are you?' },
  'PATCH /api/user/profile': { email: 'ben@example.test', phone: '5125550100' },
  'POST /api/user/change-password': { currentPassword: 'secret-1', newPassword: 'secret-2' },
  'PATCH /api/admin/deletion-requests/{requestId}': { status: 'approved', notes: 'Checked' },
};

/** The contract's table of errors. */
export const statusOfCode: Record<string, number> = {
  VALIDATION: 400,
  MALFORMED: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  PLAN_LIMIT: 403,
  PLAN_REQUIRED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  VENDOR: 502,
  NOT_CONFIGURED: 503,
  UNAVAILABLE: 503,
};
