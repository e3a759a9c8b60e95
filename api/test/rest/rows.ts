type Leaf =
  | 'id'
  | 'whole'
  | 'number'
  | 'text'
  | 'flag'
  | 'time'
  | 'dollars'
  | `${'whole' | 'number' | 'text' | 'time'}?`;
type Shape = Leaf | readonly string[] | { [name: string]: Shape } | { listOf: Shape } | { orNull: Shape };

const isWhole = (value: unknown) => Number.isSafeInteger(value);
const isText = (value: unknown) => typeof value === 'string';
const leaves: Record<string, (value: unknown) => boolean> = {
  id: (value) => isWhole(value) && Number(value) > 0,
  whole: isWhole,
  number: (value) => typeof value === 'number',
  text: isText,
  flag: (value) => typeof value === 'boolean',
  time: (value) => isText(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(String(value)),
  dollars: (value) => isText(value) && /^(0|\d+\.\d\d)$/.test(String(value)),
};

/** Lists where a value differs from a shape. Every field of the shape must exist, `null` if empty; more are allowed. */
export function shapeErrors(shape: Shape, value: unknown, place = 'the body'): string[] {
  if (typeof shape === 'string') {
    const mayBeNull = shape.endsWith('?');
    const fits = (mayBeNull && value === null) || leaves[shape.replace('?', '')]?.(value);
    return fits ? [] : [`${place} is ${JSON.stringify(value)}, not ${shape}`];
  }
  if (Array.isArray(shape))
    return shape.includes(value) ? [] : [`${place} is ${JSON.stringify(value)}, not one of ${shape}`];
  if ('listOf' in shape) {
    if (!Array.isArray(value)) return [`${place} is no list`];
    return value.flatMap((item, at) => shapeErrors((shape as { listOf: Shape }).listOf, item, `${place}[${at}]`));
  }
  if ('orNull' in shape) return value === null ? [] : shapeErrors((shape as { orNull: Shape }).orNull, value, place);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${place} is no object`];
  const fields = value as Record<string, unknown>;
  return Object.entries(shape).flatMap(([name, part]) => shapeErrors(part, fields[name], `${place}.${name}`));
}

const sellerText = {
  description: 'text?',
  factsRead: { listOf: { fact: 'text', value: 'text', from: 'text', words: 'text?' } },
} as const;
const user = {
  id: 'id',
  username: 'text',
  email: 'text?',
  phone: 'text?',
  emailConfirmed: 'flag',
  phoneConfirmed: 'flag',
} as const;
const alert = {
  id: 'id',
  make: 'text',
  model: 'text?',
  yearMin: 'whole?',
  yearMax: 'whole?',
  location: 'text',
  place: 'text',
  radius: 'whole',
  priceMin: 'whole?',
  priceMax: 'whole?',
  color: 'text',
  onlyWithImages: 'flag',
  emailNotifications: 'flag',
  textNotifications: 'flag',
  pushNotifications: 'flag',
  isActive: 'flag',
  createdAt: 'time',
  expiresAt: 'time',
  daysRemaining: 'whole',
  matchCount: 'whole',
  newCount: 'whole',
} as const;
const listing = {
  id: 'id',
  title: 'text',
  price: 'whole?',
  imageUrl: 'text?',
  mileage: 'whole?',
  transmission: 'text?',
  color: 'text?',
  condition: 'text?',
  location: { orNull: { reverse_geocode: { city: 'text', state: 'text?' } } },
  distance: 'number?',
  year: 'whole?',
  make: 'text',
  model: 'text?',
  isNew: 'flag',
  viewed: 'flag',
  saved: 'flag',
  hidden: 'flag',
  note: 'text?',
  status: ['for_sale', 'pending', 'sold', 'gone'],
  url: 'text?',
  createdAt: 'time',
  alertIds: { listOf: 'id' },
} as const;
const subscription = {
  planId: 'id',
  subscriptionPlanId: 'id',
  planName: 'text',
  status: ['active', 'past_due', 'canceling'],
  currentPeriodEnd: 'time?',
} as const;
const room = { canCreateAlert: 'flag', needsUpgrade: 'flag', alertsUsed: 'whole', alertLimit: 'whole' } as const;
const plan = {
  id: 'id',
  name: 'text',
  description: 'text',
  price: 'dollars',
  monthlyPrice: 'dollars',
  alertLimit: 'whole',
  isPopular: 'flag',
} as const;
const request = {
  id: 'id',
  requestId: 'text',
  userId: 'id',
  username: 'text?',
  reason: 'text?',
  status: ['pending', 'approved', 'rejected', 'completed'],
  notes: 'text?',
  createdAt: 'time',
} as const;
const message = { message: 'text' } as const;
const plans = { count: 'whole', status: 'text', plans: { listOf: plan } } as const;

/** The shape of every call's success, from the contract. */
export const shapes: Record<string, Shape> = {
  'GET /api/user': user,
  'POST /api/login': user,
  'POST /api/register': user,
  'POST /api/logout': message,
  'GET /api/alerts/user': { listOf: alert },
  'GET /api/alerts/{id}': alert,
  'POST /api/alerts': alert,
  'PATCH /api/alerts/{id}': alert,
  'DELETE /api/alerts/{id}': message,
  'POST /api/alerts/{id}/notify': message,
  'GET /api/listings/recent': { listOf: listing },
  'GET /api/listings': { listOf: listing },
  'GET /api/listings/{id}/text': sellerText,
  'PATCH /api/listings/{id}/view': message,
  'GET /api/subscription/current': subscription,
  'GET /api/subscription/can-create-alert': room,
  'GET /api/subscription/plans': { listOf: { ...plan, features: { listOf: 'text' } } },
  'POST /api/subscription': { subscription },
  'GET /api/subscription/session': { id: 'text', status: 'text', metadata: { planId: 'text' } },
  'POST /api/subscription/verify': {
    message: 'text',
    subscription: { planId: 'id', planName: 'text', status: 'text' },
  },
  'POST /api/contact': message,
  'PATCH /api/user/profile': user,
  'POST /api/user/change-password': message,
  'GET /api/admin/deletion-requests': { listOf: request },
  'PATCH /api/admin/deletion-requests/{requestId}': request,
  'POST /api/admin/execute-deletion/{userId}': message,
  'GET /api/debug/subscription': { subscription, canCreateAlert: room },
  'GET /api/debug/subscription-plans': plans,
  'GET /api/debug/ensure-subscription-plans': plans,
};

/** The calls of section 7 of the specification, row by row. Written by hand: nothing here may come from `src`. */
export interface Row {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** Who may call it. */
  for: 'anyone' | 'user' | 'admin';
  /** The status of its success. */
  status: 200 | 201;
  /** Names of the body's fields; empty without a body. */
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
  'pushNotifications',
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
  ['GET /api/listings/{id}/text', 'user', 200],
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

/** Valid bodies of the calls that take one. */
export const validBodies: Record<string, Record<string, unknown>> = {
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
  'POST /api/contact': { name: 'Ana', email: 'ana@example.test', subject: 'A options', message: 'How are you?' },
  'PATCH /api/user/profile': { email: 'ben@example.test', phone: '5125550100' },
  'POST /api/user/change-password': { currentPassword: 'secret-1', newPassword: 'secret-2' },
  'PATCH /api/admin/deletion-requests/{requestId}': { status: 'approved', notes: 'Checked' },
};

/** The status of each error code, from the contract. */
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
