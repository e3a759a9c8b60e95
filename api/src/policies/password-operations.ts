import { AppError } from '../base/errors.ts';
import type { OperationKind } from './key-operations.ts';

/** For how long a session that gave the password is not asked for it again; signing in gives it too. */
export const PASSWORD_HOLDS_MS = 10 * 60_000;

/**
 * When a mutation asks for the current password: `always`, or `partly` where it depends on what it is asked to do; then
 * the verb itself calls `requirePassword`.
 */
type AskedWhen = 'always' | 'partly';

/** What a session that was left open or stolen must not do without the password. Others ask for none. */
export const passwordOperations: Readonly<Record<string, AskedWhen>> = {
  // Where mails and texts go: another e-mail or phone, but not another time zone.
  updateProfile: 'partly',
  sendPhoneCode: 'always',
  confirmPhone: 'always',
  // What opens the account without a session, or tells others of it.
  createApiKey: 'always',
  rotateApiKey: 'always',
  revokeApiKey: 'always',
  createWebhook: 'always',
  updateWebhook: 'always',
  deleteWebhook: 'always',
  rotateWebhookSecret: 'always',
  replayDelivery: 'always',
  replayEvents: 'always',
  // Data as a whole, and its end.
  exportMyData: 'always',
  requestDeletion: 'always',
  executeDeletion: 'always',
};

/** Who came, and when their session was last given the password. */
interface PasswordGiver {
  key?: object | null | undefined;
  passwordGivenAt?: Date | null | undefined;
}

const ASK = 'Please enter your current password to go on.';

/**
 * Whoever comes with a key has no password to give: `key-operations` decides what keys may do.
 * @throws AppError PASSWORD_NEEDED
 */
export function requirePassword({ key, passwordGivenAt }: PasswordGiver, now = Date.now()): void {
  if (key || (passwordGivenAt && now - passwordGivenAt.getTime() < PASSWORD_HOLDS_MS)) return;
  throw new AppError('PASSWORD_NEEDED', ASK);
}

/**
 * The same for an operation that always asks. Visitors are left to the operation, which asks them to sign in.
 * @param field the one that the operation begins with
 * @throws AppError PASSWORD_NEEDED
 */
export function requirePasswordFor(viewer: PasswordGiver | null, kind: OperationKind, field: string): void {
  if (viewer && kind === 'mutation' && asksForPassword(field) === 'always') requirePassword(viewer);
}

/** Whether a mutation may ask for the password. */
export const asksForPassword = (field: string): AskedWhen | undefined =>
  Object.hasOwn(passwordOperations, field) ? passwordOperations[field] : undefined;
