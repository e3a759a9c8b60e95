/**
 * Who may do what, written down by hand from what LotWatch promises. Nothing here comes from `src`: the access matrix
 * holds every answer of the product against it.
 */

/** What an operation names, and whose it can be. `token` and `account` are proof themselves, whoever holds them. */
export type Thing =
  | 'alert'
  | 'listing'
  | 'webhook'
  | 'delivery'
  | 'key'
  | 'session'
  | 'checkout'
  | 'user'
  | 'request'
  | 'token'
  | 'account';
export type Relation = 'own' | 'foreign' | 'missing' | 'none';
export type Surface = 'graphql' | 'rest' | 'socket';

interface Rule {
  for: 'all' | 'users' | 'admin';
  /** The least that an API key needs; without it no key will do. */
  key?: 'read' | 'write';
  plan?: 'paid' | 'elite';
  /** Takes one more of the plan's alerts. */
  room?: true;
  /** Asks for the password where it was given too long ago. */
  password?: true;
  about?: Thing;
  /** What is said of another's, which is the same as of what never was: NOT_FOUND unless said. */
  otherwise?: 'nothing' | 'VALIDATION' | 'UNAUTHENTICATED';
  /** What it answers to whoever may call it, where that is no success. */
  says?: 'CONFLICT';
  /** Changes the browser's session. */
  cookie?: true;
  /** Goes on and on, over sockets alone. */
  live?: true;
}

const all = (more: Partial<Rule> = {}): Rule => ({ for: 'all', ...more });
const users = (more: Partial<Rule> = {}): Rule => ({ for: 'users', ...more });
const admin = (more: Partial<Rule> = {}): Rule => ({ for: 'admin', ...more });
const read = 'read';
const write = 'write';
const elite = 'elite';

export const rules: Readonly<Record<string, Rule>> = {
  catalogue: all({ key: read }),
  locationSuggestions: all({ key: read }),
  me: all({ key: read }),
  plans: all({ key: read }),
  site: all({ key: read }),
  siteChanged: users({ key: read, live: true }),
  sendContactMessage: all({ key: write }),

  register: all({ cookie: true }),
  login: all({ cookie: true, about: 'account', otherwise: 'UNAUTHENTICATED' }),
  logout: all({ cookie: true }),
  requestPasswordReset: all(),
  resetAccess: all({ about: 'token', otherwise: 'VALIDATION' }),
  resetPassword: all({ about: 'token', otherwise: 'VALIDATION' }),
  confirmEmail: all({ about: 'token', otherwise: 'VALIDATION' }),

  alert: users({ key: read, about: 'alert', otherwise: 'nothing' }),
  alerts: users({ key: read, about: 'alert', otherwise: 'nothing' }),
  canCreateAlert: users({ key: read }),
  currentSubscription: users({ key: read }),
  listing: users({ key: read, about: 'listing', otherwise: 'nothing' }),
  matches: users({ key: read, about: 'alert' }),
  matchAdded: users({ key: read, about: 'alert', live: true }),
  matchLog: users({ key: read, plan: elite, about: 'alert' }),
  recentListings: users({ key: read }),
  createAlert: users({ key: write, room: true }),
  createAlerts: users({ key: write, plan: elite }),
  updateAlert: users({ key: write, about: 'alert' }),
  updateAlerts: users({ key: write, plan: elite, about: 'alert' }),
  deleteAlert: users({ key: write, about: 'alert' }),
  renewAlert: users({ key: write, about: 'alert' }),
  resumeAlerts: users({ key: write }),
  sendTestNotification: users({ key: write, about: 'alert' }),
  markListingViewed: users({ key: write, about: 'listing' }),

  webhook: users({ key: read, plan: elite, about: 'webhook' }),
  webhooks: users({ key: read, plan: elite }),
  createWebhook: users({ plan: elite, password: true }),
  updateWebhook: users({ key: write, plan: elite, password: true, about: 'webhook' }),
  deleteWebhook: users({ plan: elite, password: true, about: 'webhook' }),
  pauseWebhook: users({ key: write, plan: elite, about: 'webhook' }),
  resumeWebhook: users({ key: write, plan: elite, about: 'webhook' }),
  rotateWebhookSecret: users({ plan: elite, password: true, about: 'webhook' }),
  sendTestEvent: users({ key: write, plan: elite, about: 'webhook' }),
  replayDelivery: users({ plan: elite, password: true, about: 'delivery' }),
  replayEvents: users({ plan: elite, password: true, about: 'webhook' }),

  apiKeys: users({ plan: elite }),
  apiUsage: users({ plan: elite }),
  createApiKey: users({ plan: elite, password: true }),
  rotateApiKey: users({ plan: elite, password: true, about: 'key' }),
  // On any plan: whoever left Elite must be able to end what they made there.
  revokeApiKey: users({ password: true, about: 'key' }),

  sessions: users(),
  endSession: users({ about: 'session' }),
  endOtherSessions: users(),
  changePassword: users({ cookie: true }),
  confirmPassword: users({ cookie: true }),
  updateProfile: users({ password: true }),
  startSecondFactor: users({ password: true }),
  // Nobody here has begun with one, or has one.
  confirmSecondFactor: users({ password: true, cookie: true, says: 'CONFLICT' }),
  renewRecoveryCodes: users({ password: true, says: 'CONFLICT' }),
  endSecondFactor: users({ password: true, says: 'CONFLICT' }),
  cancelEmailChange: users(),
  resendConfirmation: users(),
  sendPhoneCode: users({ plan: 'paid', password: true }),
  confirmPhone: users({ plan: 'paid', password: true }),

  checkoutSession: users({ about: 'checkout' }),
  verifySubscription: users({ about: 'checkout' }),
  subscribe: users(),
  openBillingPortal: users(),
  exportMyData: users({ password: true }),
  requestDeletion: users({ password: true }),
  myDeletionRequests: users(),

  auditLog: admin(),
  deletionRequests: admin(),
  quarantine: admin(),
  sourceHealth: admin(),
  unknownTexts: admin(),
  dismissQuarantined: admin(),
  retryQuarantined: admin(),
  executeDeletion: admin({ password: true, about: 'user' }),
  updateDeletionRequest: admin({ about: 'request' }),
};

/** What the admin may do who still has the first password, or has no second factor yet. */
const openWhileRestricted: readonly string[] = [
  'me',
  'site',
  'login',
  'logout',
  'requestPasswordReset',
  'resetPassword',
  'changePassword',
  'confirmPassword',
];
const openWithoutSecondFactor: readonly string[] = [...openWhileRestricted, 'startSecondFactor', 'confirmSecondFactor'];

/** What the rules look at in somebody who calls. */
export interface Standing {
  name: string;
  /** Nobody who is known: without a session, or with one whose account is gone. */
  isVisitor?: true;
  isErased?: true;
  isAdmin?: true;
  plan: 1 | 2 | 3 | 4;
  /** Comes with an API key. */
  scope?: 'read' | 'write';
  /** A key that opens nothing, and what is said then. */
  refused?: 'UNAUTHENTICATED' | 'PLAN_REQUIRED';
  isUnconfirmed?: true;
  /** The password was given more than ten minutes ago. */
  isStale?: true;
  isRestricted?: 'password' | 'secondFactor';
}

export interface Case {
  who: Standing;
  operation: string;
  relation: Relation;
  surface: Surface;
}

/** What must be answered: 'allowed', 'nothing', or a code. */
export function expected({ who, operation, relation, surface }: Case): string {
  const rule = rules[operation];
  if (!rule) return 'a rule';
  const isAdmin = who.isAdmin && !who.scope;
  if (who.refused) return who.refused;
  if (surface === 'socket' && who.isVisitor) return 'UNAUTHENTICATED';
  if (surface === 'graphql' && rule.live) return 'VALIDATION';
  const open = who.isRestricted === 'secondFactor' ? openWithoutSecondFactor : openWhileRestricted;
  if (who.isRestricted && !open.includes(operation)) return 'FORBIDDEN';
  if (who.scope && (!rule.key || (rule.key === 'write' && who.scope === 'read'))) return 'FORBIDDEN';
  if (who.isVisitor && (rule.for !== 'all' || (operation === 'me' && surface === 'rest'))) return 'UNAUTHENTICATED';
  // REST looks at the admin before the body is read, GraphQL at the password before anything is done.
  if (rule.for === 'admin' && !isAdmin && surface === 'rest') return 'FORBIDDEN';
  if (rule.password && who.isStale) return 'PASSWORD_NEEDED';
  if (rule.for === 'admin' && !isAdmin) return 'FORBIDDEN';
  if (rule.cookie && surface === 'socket') return 'FORBIDDEN';
  if ((rule.plan === 'elite' && who.plan < 4) || (rule.plan === 'paid' && who.plan < 2)) return 'PLAN_REQUIRED';
  if (rule.room && who.plan === 1) return 'PLAN_LIMIT';
  return ofTheThing({ who, operation, relation, surface }, rule, isAdmin === true);
}

function ofTheThing({ who, operation, relation, surface }: Case, rule: Rule, isAdmin: boolean): string {
  const hasNone = (who.isErased || (isAdmin && operation === 'updateDeletionRequest')) && relation === 'own';
  const isNobodys = relation === 'missing' || hasNone;
  if (operation === 'me' && who.isVisitor) return 'nothing';
  if (operation === 'sendTestNotification' && relation === 'own' && who.isUnconfirmed) return 'VALIDATION';
  // The account of the admin stays.
  if (operation === 'requestDeletion' && isAdmin) return 'CONFLICT';
  if (operation === 'executeDeletion' && relation === 'own') return 'CONFLICT';
  if (rule.says) return rule.says;
  const mayBeOthers = rule.for === 'admin' || (operation === 'listing' && isAdmin);
  if (!rule.about || relation === 'none' || (relation === 'own' && !isNobodys) || (mayBeOthers && !isNobodys))
    return 'allowed';
  // The token is sound; its account is gone.
  if (operation === 'confirmEmail' && who.isErased && relation === 'own') return 'NOT_FOUND';
  const { otherwise = 'NOT_FOUND' } = rule;
  // REST has no null for one thing, and an empty list for many.
  return otherwise === 'nothing' && surface === 'rest' && operation !== 'alerts' ? 'NOT_FOUND' : otherwise;
}

/** A socket ends with its session: whether the answer comes before that is chance. */
export const endsOwnSocket = ({ who, operation, relation, surface }: Case): boolean =>
  surface === 'socket' && operation === 'resetPassword' && relation === 'own' && !who.scope;

/** Whether the answer may show other people. */
export const mayShowOthers = ({ who, operation }: Case): boolean =>
  Boolean(who.isAdmin && !who.scope && (rules[operation]?.for === 'admin' || operation === 'listing'));
