import { ApiScope } from '../domain/api-key.ts';
import type { AuditAction } from '../domain/audit-actions.ts';
import { sourceName } from '../domain/forms/sources/source.ts';
import { SessionRestriction } from '../domain/session-restriction.ts';

type Args = Readonly<Record<string, unknown>>;

/** Values that are not valid ids are not logged, because they may be personal data. */
const idIn = (value: unknown, pattern: RegExp): string => (pattern.test(String(value)) ? String(value) : 'unknown');
const NUMBER = /^[1-9]\d{0,14}$/;
const REQUEST_ID = /^DR-[A-Z0-9]{6}$/;
const CODE = /^[A-Z_]{1,40}$/;
/** Further ids are only counted. */
const IDS_SHOWN = 20;

/** Names records of the quarantine, as in 'records 3, 4 of source north-lot'. */
export function quarantineSubject(filter: Args): string {
  const { source, code } = filter;
  const ids = Array.isArray(filter.ids) ? filter.ids : null;
  const shown = ids?.slice(0, IDS_SHOWN).map((id) => idIn(id, NUMBER));
  const more = ids && ids.length > IDS_SHOWN ? ` and ${ids.length - IDS_SHOWN} more` : '';
  return [
    shown ? `records ${shown.join(', ')}${more}` : 'all records',
    source ? `of source ${idIn(source, sourceName)}` : '',
    code ? `with ${idIn(code, CODE)}` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Names a source, as in 'source north-lot'. */
export const sourceSubject = ({ name, input }: Args): string =>
  `source ${idIn(name ?? (input as Args | undefined)?.name, sourceName)}`;

const userSubject = ({ userId }: Args): string => `user ${idIn(userId, NUMBER)}`;

const deletionRequestSubject = ({ requestId }: Args): string => `deletion request ${idIn(requestId, REQUEST_ID)}`;

export type OperationKind = 'query' | 'mutation' | 'subscription';
/** Who may call. Which records they may see and change is decided where those are loaded. */
export type Access = 'anyone' | 'user' | 'admin';
/** The scope that an API key needs; `never` if only signed-in users may call. */
export type KeyAccess = ApiScope | 'never';

/** The name of a mutation in the audit log, and the ids that it is about. It is logged when the admin calls it. */
interface LoggedOperation {
  action: AuditAction;
  subject(args: Args): string | null;
}

/** The permissions of one query, mutation or subscription. */
export interface Operation {
  access: Access;
  keys: KeyAccess;
  /** Whether it requires the current password; `partly` depends on the arguments, and the verb calls `requirePassword`. */
  password?: 'always' | 'partly';
  audit?: LoggedOperation;
  /** The session restrictions under which it stays allowed; none if absent. */
  openUnder?: readonly SessionRestriction[];
}

const { read, write } = ApiScope;
const never = 'never';
const anyone = 'anyone';
const user = 'user';
const admin = 'admin';
const always = 'always';
/** For operations such as `me` and `logout`, which every restricted session may call. */
const everyRestriction = Object.values(SessionRestriction);
const ownAccount = () => 'user 1';

/** Every root field. A field without a row is refused to everybody, and a test finds it. */
export const operations: Record<OperationKind, Readonly<Record<string, Operation>>> = {
  query: {
    // Shown to visitors too.
    catalogue: { access: anyone, keys: read },
    locationSuggestions: { access: anyone, keys: read },
    readWish: { access: anyone, keys: read },
    me: { access: anyone, keys: read, openUnder: everyRestriction },
    plans: { access: anyone, keys: read },
    site: { access: anyone, keys: read, openUnder: everyRestriction },
    status: { access: anyone, keys: read },
    // The token of a mailed link authorizes this.
    resetAccess: { access: anyone, keys: never },
    // The token of a shared link authorizes this.
    shared: { access: anyone, keys: read },
    alert: { access: user, keys: read },
    alerts: { access: user, keys: read },
    canCreateAlert: { access: user, keys: read },
    carHistory: { access: user, keys: read },
    comparableCars: { access: user, keys: read },
    currentSubscription: { access: user, keys: read },
    explainListing: { access: user, keys: read },
    listing: { access: user, keys: read },
    matches: { access: user, keys: read },
    matchLog: { access: user, keys: read },
    matchMap: { access: user, keys: read },
    notificationLog: { access: user, keys: read },
    previewAlert: { access: user, keys: read },
    recentListings: { access: user, keys: read },
    savedListings: { access: user, keys: read },
    sellerText: { access: user, keys: read },
    webhook: { access: user, keys: read },
    webhooks: { access: user, keys: read },
    // Sessions, keys, payments and rights.
    apiKeys: { access: user, keys: never },
    apiUsage: { access: user, keys: never },
    checkoutSession: { access: user, keys: never },
    myDeletionRequests: { access: user, keys: never },
    pushKey: { access: user, keys: never },
    pushSubscriptions: { access: user, keys: never },
    sessions: { access: user, keys: never },
    sharedLinks: { access: user, keys: never },
    adminCounts: { access: admin, keys: never },
    auditLog: { access: admin, keys: never },
    deletionRequests: { access: admin, keys: never },
    quarantine: { access: admin, keys: never },
    sourceHealth: { access: admin, keys: never },
    sourceOptions: { access: admin, keys: never },
    sources: { access: admin, keys: never },
    unknownTexts: { access: admin, keys: never },
  },
  mutation: {
    sendContactMessage: { access: anyone, keys: write },
    createAlert: { access: user, keys: write },
    createAlerts: { access: user, keys: write },
    deleteAlert: { access: user, keys: write },
    hideCar: { access: user, keys: write },
    markListingViewed: { access: user, keys: write },
    markNotificationsRead: { access: user, keys: write },
    noteOnListing: { access: user, keys: write },
    renewAlert: { access: user, keys: write },
    resendNotification: { access: user, keys: write },
    resumeAlerts: { access: user, keys: write },
    saveListing: { access: user, keys: write },
    sendTestNotification: { access: user, keys: write },
    snoozeAlert: { access: user, keys: write },
    updateAlert: { access: user, keys: write },
    updateAlertDefaults: { access: user, keys: write },
    updateAlerts: { access: user, keys: write },
    // A link shows to strangers what only a signed-in user may decide to show.
    endSharedLink: { access: user, keys: never },
    shareAlert: { access: user, keys: never },
    shareListings: { access: user, keys: never },
    // Keys may pause webhooks and choose their events; URLs, secrets, replays and deletion need a signed-in user.
    createWebhook: { access: user, keys: never, password: always },
    deleteWebhook: { access: user, keys: never, password: always },
    pauseWebhook: { access: user, keys: write },
    replayDelivery: { access: user, keys: never, password: always },
    replayEvents: { access: user, keys: never, password: always },
    resumeWebhook: { access: user, keys: write },
    rotateWebhookSecret: { access: user, keys: never, password: always },
    sendTestEvent: { access: user, keys: write },
    updateWebhook: { access: user, keys: write, password: always },
    // Signing in and out. The token of a mailed link authorizes confirmEmail and resetPassword.
    confirmEmail: { access: anyone, keys: never },
    login: { access: anyone, keys: never, openUnder: everyRestriction },
    logout: { access: anyone, keys: never, openUnder: everyRestriction },
    register: { access: anyone, keys: never },
    requestPasswordReset: { access: anyone, keys: never, openUnder: everyRestriction },
    resetPassword: { access: anyone, keys: never, openUnder: everyRestriction },
    // The account: sessions, password, address, phone and keys.
    cancelEmailChange: { access: user, keys: never },
    changePassword: {
      access: user,
      keys: never,
      audit: { action: 'admin.password.change', subject: ownAccount },
      openUnder: everyRestriction,
    },
    confirmPassword: { access: user, keys: never, openUnder: everyRestriction },
    confirmPhone: { access: user, keys: never, password: always },
    confirmSecondFactor: {
      access: user,
      keys: never,
      password: always,
      audit: { action: 'admin.second-factor.on', subject: ownAccount },
      openUnder: [SessionRestriction.secondFactor],
    },
    createApiKey: { access: user, keys: never, password: always },
    endSecondFactor: {
      access: user,
      keys: never,
      password: always,
      audit: { action: 'admin.second-factor.off', subject: ownAccount },
    },
    endOtherSessions: { access: user, keys: never },
    endSession: { access: user, keys: never },
    renewRecoveryCodes: {
      access: user,
      keys: never,
      password: always,
      audit: { action: 'admin.recovery-codes.renew', subject: ownAccount },
    },
    pauseAll: { access: user, keys: write },
    addPushSubscription: { access: user, keys: never },
    removePushSubscription: { access: user, keys: never },
    resendConfirmation: { access: user, keys: never },
    resumeEmail: { access: user, keys: never },
    revokeApiKey: { access: user, keys: never, password: always },
    rotateApiKey: { access: user, keys: never, password: always },
    sendPhoneCode: { access: user, keys: never, password: always },
    startSecondFactor: { access: user, keys: never, password: always, openUnder: [SessionRestriction.secondFactor] },
    // A new e-mail address or phone requires the password, a new time zone does not.
    updateProfile: {
      access: user,
      keys: never,
      password: 'partly',
      audit: { action: 'admin.profile.change', subject: ownAccount },
    },
    // Payments and rights.
    exportMyData: { access: user, keys: never, password: always },
    openBillingPortal: { access: user, keys: never },
    requestDeletion: { access: user, keys: never, password: always },
    subscribe: { access: user, keys: never },
    verifySubscription: { access: user, keys: never },
    // Sources have secrets, and decide which servers ours sends requests to.
    createSource: {
      access: admin,
      keys: never,
      password: always,
      audit: { action: 'source.create', subject: sourceSubject },
    },
    endSource: {
      access: admin,
      keys: never,
      password: always,
      audit: { action: 'source.end', subject: sourceSubject },
    },
    resumeSource: {
      access: admin,
      keys: never,
      password: always,
      audit: { action: 'source.resume', subject: sourceSubject },
    },
    trySource: {
      access: admin,
      keys: never,
      password: always,
      audit: { action: 'source.try', subject: sourceSubject },
    },
    updateSource: {
      access: admin,
      keys: never,
      password: always,
      audit: { action: 'source.update', subject: sourceSubject },
    },
    dismissQuarantined: {
      access: admin,
      keys: never,
      audit: { action: 'quarantine.dismiss', subject: quarantineSubject },
    },
    executeDeletion: {
      access: admin,
      keys: never,
      password: always,
      audit: { action: 'deletion-request.execute', subject: userSubject },
    },
    retryQuarantined: {
      access: admin,
      keys: never,
      audit: { action: 'quarantine.retry', subject: quarantineSubject },
    },
    updateDeletionRequest: {
      access: admin,
      keys: never,
      audit: { action: 'deletion-request.update', subject: deletionRequestSubject },
    },
  },
  subscription: {
    matchAdded: { access: user, keys: read },
    siteChanged: { access: user, keys: read },
  },
};

/** Returns the row of a root field. */
export const operationOf = (kind: OperationKind, field: string): Operation | undefined =>
  Object.hasOwn(operations[kind], field) ? operations[kind][field] : undefined;

/** Returns what is logged when the admin calls a mutation. */
export const auditOf = (mutation: string): LoggedOperation | undefined => operationOf('mutation', mutation)?.audit;

/** Lists the root fields of a kind for which `holds` is true. */
export const namesWhere = (kind: OperationKind, holds: (operation: Operation) => boolean): string[] =>
  Object.entries(operations[kind]).flatMap(([field, operation]) => (holds(operation) ? [field] : []));
