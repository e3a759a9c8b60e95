import { AppError } from '../base/errors.ts';
import { ApiScope, type KeyRights } from '../domain/api-scope.ts';

/** The scope that an operation asks of an API key; never: only for people who are signed in. */
export type KeyAccess = ApiScope | 'never';
export type OperationKind = 'query' | 'mutation' | 'subscription';

const { read, write } = ApiScope;
const never = 'never';

/** Every field that an operation can begin with. What does not stand here is never for keys; a test wants it placed. */
export const keyOperations: Record<OperationKind, Readonly<Record<string, KeyAccess>>> = {
  query: {
    alert: read,
    alerts: read,
    canCreateAlert: read,
    catalogue: read,
    currentSubscription: read,
    listing: read,
    locationSuggestions: read,
    matches: read,
    matchLog: read,
    me: read,
    plans: read,
    recentListings: read,
    site: read,
    webhook: read,
    webhooks: read,
    // Sessions, keys, payments, rights and the admin's.
    apiKeys: never,
    apiUsage: never,
    auditLog: never,
    checkoutSession: never,
    deletionRequests: never,
    myDeletionRequests: never,
    quarantine: never,
    resetAccess: never,
    sessions: never,
    sourceHealth: never,
    unknownTexts: never,
  },
  mutation: {
    createAlert: write,
    createAlerts: write,
    deleteAlert: write,
    markListingViewed: write,
    renewAlert: write,
    resumeAlerts: write,
    sendContactMessage: write,
    sendTestNotification: write,
    updateAlert: write,
    updateAlerts: write,
    // A program may let webhooks rest and choose their events; where they lead, their secrets, what is sent once more
    // and their end are decided by people.
    createWebhook: never,
    deleteWebhook: never,
    pauseWebhook: write,
    replayDelivery: never,
    replayEvents: never,
    resumeWebhook: write,
    rotateWebhookSecret: never,
    sendTestEvent: write,
    updateWebhook: write,
    // Who one is: sessions, password, address, phone and keys.
    cancelEmailChange: never,
    changePassword: never,
    confirmEmail: never,
    confirmPassword: never,
    confirmPhone: never,
    createApiKey: never,
    endOtherSessions: never,
    endSession: never,
    login: never,
    logout: never,
    register: never,
    requestPasswordReset: never,
    resendConfirmation: never,
    resetPassword: never,
    revokeApiKey: never,
    rotateApiKey: never,
    sendPhoneCode: never,
    updateProfile: never,
    // Payments, rights and the admin's.
    dismissQuarantined: never,
    executeDeletion: never,
    exportMyData: never,
    openBillingPortal: never,
    requestDeletion: never,
    retryQuarantined: never,
    subscribe: never,
    updateDeletionRequest: never,
    verifySubscription: never,
  },
  subscription: {
    matchAdded: read,
    siteChanged: read,
  },
};

/** The scope that a key needs for an operation. */
export const keyAccessTo = (kind: OperationKind, field: string): KeyAccess =>
  (Object.hasOwn(keyOperations[kind], field) ? keyOperations[kind][field] : undefined) ?? never;

/**
 * Whether a caller's key, if they came with one, is taken for an operation.
 * @param field the one that the operation begins with
 * @throws AppError FORBIDDEN
 */
export function requireKeyAccess(
  viewer: { key?: KeyRights | null | undefined } | null,
  kind: OperationKind,
  field: string,
): void {
  if (!viewer?.key || field.startsWith('__')) return;
  const asked = keyAccessTo(kind, field);
  if (asked === never) {
    throw new AppError('FORBIDDEN', `API keys are not taken for ${field}: it is only for people who are signed in.`);
  }
  if (viewer.key.scopes.includes(asked)) return;
  throw new AppError('FORBIDDEN', `This API key may only read. ${field} needs a key with the scope "write".`);
}
