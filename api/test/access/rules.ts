/**
 * Who may do what, written by hand from the specification. Nothing here comes from `src`: the access matrix compares
 * every answer of the product with these rules.
 */

/** A kind of resource that an operation names. `token` and `account` are credentials: they work for anyone who holds them. */
export type Resource =
  | 'alert'
  | 'listing'
  | 'notification'
  | 'webhook'
  | 'delivery'
  | 'key'
  | 'session'
  | 'device'
  | 'link'
  | 'checkout'
  | 'user'
  | 'request'
  | 'token'
  | 'account';
export type Relation = 'own' | 'foreign' | 'missing' | 'none';
export type Surface = 'graphql' | 'rest' | 'socket';

interface Rule {
  for: 'all' | 'users' | 'admin';
  /** The scope that an API key needs; where absent, no key may call. */
  key?: 'read' | 'write';
  plan?: 'paid' | 'elite';
  /** Uses one more of the plan's alerts. */
  usesQuota?: true;
  /** Needs a recently given password. */
  password?: true;
  resource?: Resource;
  /** The answer for another user's resource, which is the same as for a missing one; NOT_FOUND where absent. */
  ifNotOwned?: 'nothing' | 'VALIDATION' | 'UNAUTHENTICATED';
  /** The refusal that even a permitted caller gets, because of the state the actors are in. */
  always?: 'CONFLICT';
  /** Changes the browser's session. */
  changesSession?: true;
  /** A subscription, which only sockets carry. */
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
  readWish: all({ key: read }),
  me: all({ key: read }),
  plans: all({ key: read }),
  site: all({ key: read }),
  status: all({ key: read }),
  siteChanged: users({ key: read, live: true }),
  sendContactMessage: all({ key: write }),

  register: all({ changesSession: true }),
  login: all({ changesSession: true, resource: 'account', ifNotOwned: 'UNAUTHENTICATED' }),
  logout: all({ changesSession: true }),
  requestPasswordReset: all(),
  resetAccess: all({ resource: 'token', ifNotOwned: 'VALIDATION' }),
  shared: all({ key: read, resource: 'token', ifNotOwned: 'nothing' }),
  resetPassword: all({ resource: 'token', ifNotOwned: 'VALIDATION' }),
  confirmEmail: all({ resource: 'token', ifNotOwned: 'VALIDATION' }),

  alert: users({ key: read, resource: 'alert', ifNotOwned: 'nothing' }),
  alerts: users({ key: read, resource: 'alert', ifNotOwned: 'nothing' }),
  canCreateAlert: users({ key: read }),
  carHistory: users({ key: read, resource: 'listing' }),
  comparableCars: users({ key: read, resource: 'listing' }),
  currentSubscription: users({ key: read }),
  explainListing: users({ key: read, resource: 'alert' }),
  listing: users({ key: read, resource: 'listing', ifNotOwned: 'nothing' }),
  matches: users({ key: read, resource: 'alert' }),
  matchAdded: users({ key: read, resource: 'alert', live: true }),
  matchLog: users({ key: read, plan: elite, resource: 'alert' }),
  matchMap: users({ key: read, resource: 'alert' }),
  notificationLog: users({ key: read }),
  previewAlert: users({ key: read }),
  recentListings: users({ key: read }),
  savedListings: users({ key: read }),
  sellerText: users({ key: read, resource: 'listing' }),
  createAlert: users({ key: write, usesQuota: true }),
  createAlerts: users({ key: write, plan: elite }),
  updateAlert: users({ key: write, resource: 'alert' }),
  updateAlerts: users({ key: write, plan: elite, resource: 'alert' }),
  deleteAlert: users({ key: write, resource: 'alert' }),
  renewAlert: users({ key: write, resource: 'alert' }),
  snoozeAlert: users({ key: write, resource: 'alert' }),
  pauseAll: users({ key: write }),
  updateAlertDefaults: users({ key: write }),
  markNotificationsRead: users({ key: write }),
  resendNotification: users({ key: write, resource: 'notification' }),
  resumeAlerts: users({ key: write }),
  sendTestNotification: users({ key: write, resource: 'alert' }),
  markListingViewed: users({ key: write, resource: 'listing' }),
  saveListing: users({ key: write, resource: 'listing' }),
  noteOnListing: users({ key: write, resource: 'listing' }),
  hideCar: users({ key: write, resource: 'listing' }),

  webhook: users({ key: read, plan: elite, resource: 'webhook' }),
  webhooks: users({ key: read, plan: elite }),
  createWebhook: users({ plan: elite, password: true }),
  updateWebhook: users({ key: write, plan: elite, password: true, resource: 'webhook' }),
  deleteWebhook: users({ plan: elite, password: true, resource: 'webhook' }),
  pauseWebhook: users({ key: write, plan: elite, resource: 'webhook' }),
  resumeWebhook: users({ key: write, plan: elite, resource: 'webhook' }),
  rotateWebhookSecret: users({ plan: elite, password: true, resource: 'webhook' }),
  sendTestEvent: users({ key: write, plan: elite, resource: 'webhook' }),
  replayDelivery: users({ plan: elite, password: true, resource: 'delivery' }),
  replayEvents: users({ plan: elite, password: true, resource: 'webhook' }),

  apiKeys: users({ plan: elite }),
  apiUsage: users({ plan: elite }),
  createApiKey: users({ plan: elite, password: true }),
  rotateApiKey: users({ plan: elite, password: true, resource: 'key' }),
  // On any plan: a user who left Elite must be able to revoke the keys made there.
  revokeApiKey: users({ password: true, resource: 'key' }),

  // Web push.
  pushKey: users(),
  pushSubscriptions: users(),
  addPushSubscription: users(),
  removePushSubscription: users({ resource: 'device' }),

  // A link shows to strangers what only a signed-in user may decide to show.
  sharedLinks: users(),
  shareAlert: users({ resource: 'alert' }),
  shareListings: users({ resource: 'listing' }),
  endSharedLink: users({ resource: 'link' }),

  sessions: users(),
  endSession: users({ resource: 'session' }),
  endOtherSessions: users(),
  changePassword: users({ changesSession: true }),
  confirmPassword: users({ changesSession: true }),
  updateProfile: users({ password: true }),
  startSecondFactor: users({ password: true }),
  // No actor has a second factor or has started to set one up.
  confirmSecondFactor: users({ password: true, changesSession: true, always: 'CONFLICT' }),
  renewRecoveryCodes: users({ password: true, always: 'CONFLICT' }),
  endSecondFactor: users({ password: true, always: 'CONFLICT' }),
  cancelEmailChange: users(),
  resendConfirmation: users(),
  resumeEmail: users(),
  sendPhoneCode: users({ plan: 'paid', password: true }),
  confirmPhone: users({ plan: 'paid', password: true }),

  checkoutSession: users({ resource: 'checkout' }),
  verifySubscription: users({ resource: 'checkout' }),
  subscribe: users(),
  openBillingPortal: users(),
  exportMyData: users({ password: true }),
  requestDeletion: users({ password: true }),
  myDeletionRequests: users(),

  adminCounts: admin(),
  auditLog: admin(),
  deletionRequests: admin(),
  quarantine: admin(),
  sourceHealth: admin(),
  sourceOptions: admin(),
  sources: admin(),
  createSource: admin({ password: true }),
  endSource: admin({ password: true }),
  resumeSource: admin({ password: true }),
  trySource: admin({ password: true }),
  updateSource: admin({ password: true }),
  unknownTexts: admin(),
  dismissQuarantined: admin(),
  retryQuarantined: admin(),
  executeDeletion: admin({ password: true, resource: 'user' }),
  updateDeletionRequest: admin({ resource: 'request' }),
};

/** Operations of an admin who still has the initial password. */
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
/** Operations of an admin who has no second factor yet. */
const openWithoutSecondFactor: readonly string[] = [...openWhileRestricted, 'startSecondFactor', 'confirmSecondFactor'];

/** What the rules need to know of a caller. */
export interface Role {
  name: string;
  /** Not signed in: without a session, or with one whose account was deleted. */
  isVisitor?: true;
  isErased?: true;
  isAdmin?: true;
  plan: 1 | 2 | 3 | 4;
  /** Calls with an API key of this scope. */
  scope?: 'read' | 'write';
  /** The code with which the key is refused everywhere. */
  refused?: 'UNAUTHENTICATED' | 'PLAN_REQUIRED';
  isUnconfirmed?: true;
  /** The password was given more than ten minutes ago. */
  isStale?: true;
  isRestricted?: 'password' | 'secondFactor';
}

export interface Case {
  who: Role;
  operation: string;
  relation: Relation;
  surface: Surface;
}

/** The expected answer: 'allowed', 'nothing', or an error code. */
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
  // REST checks for the admin before it reads the body; GraphQL checks the password first.
  if (rule.for === 'admin' && !isAdmin && surface === 'rest') return 'FORBIDDEN';
  if (rule.password && who.isStale) return 'PASSWORD_NEEDED';
  if (rule.for === 'admin' && !isAdmin) return 'FORBIDDEN';
  if (rule.changesSession && surface === 'socket') return 'FORBIDDEN';
  if ((rule.plan === 'elite' && who.plan < 4) || (rule.plan === 'paid' && who.plan < 2)) return 'PLAN_REQUIRED';
  if (rule.usesQuota && who.plan === 1) return 'PLAN_LIMIT';
  return expectedForResource({ who, operation, relation, surface }, rule, isAdmin === true);
}

function expectedForResource({ who, operation, relation, surface }: Case, rule: Rule, isAdmin: boolean): string {
  const hasNone = (who.isErased || (isAdmin && operation === 'updateDeletionRequest')) && relation === 'own';
  const isMissing = relation === 'missing' || hasNone;
  if (operation === 'me' && who.isVisitor) return 'nothing';
  const sendsMail = operation === 'sendTestNotification' || operation === 'resendNotification';
  if (sendsMail && relation === 'own' && who.isUnconfirmed) return 'VALIDATION';
  if (operation === 'resumeEmail' && who.isUnconfirmed) return 'CONFLICT';
  // The admin's account can't be deleted.
  if (operation === 'requestDeletion' && isAdmin) return 'CONFLICT';
  if (operation === 'executeDeletion' && relation === 'own') return 'CONFLICT';
  if (rule.always) return rule.always;
  const reachesOthers = rule.for === 'admin' || (operation === 'listing' && isAdmin);
  if (!rule.resource || relation === 'none' || (relation === 'own' && !isMissing) || (reachesOthers && !isMissing))
    return 'allowed';
  // The token is valid, but its account was deleted.
  if (operation === 'confirmEmail' && who.isErased && relation === 'own') return 'NOT_FOUND';
  const { ifNotOwned = 'NOT_FOUND' } = rule;
  // Where GraphQL answers null for one resource, REST answers 404; a list is empty in both.
  return ifNotOwned === 'nothing' && surface === 'rest' && operation !== 'alerts' ? 'NOT_FOUND' : ifNotOwned;
}

/** The operation ends the session and so its socket: the answer may or may not arrive before. */
export const endsOwnSocket = ({ who, operation, relation, surface }: Case): boolean =>
  surface === 'socket' && operation === 'resetPassword' && relation === 'own' && !who.scope;

/** Whether the answer may show other users' data. */
export const mayShowOthers = ({ who, operation }: Case): boolean =>
  Boolean(who.isAdmin && !who.scope && (rules[operation]?.for === 'admin' || operation === 'listing'));
