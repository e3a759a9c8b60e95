import { AppError } from '../base/errors.ts';
import type { KeyRights } from '../domain/api-key.ts';
import { restrictionTexts, type SessionRestriction } from '../domain/session-restriction.ts';
import { requireAdmin, requireViewer } from './admin.ts';
import { type Access, type Operation, type OperationKind, operationOf } from './operations.ts';

/** How long a confirmed password is valid for a session; signing in confirms it as well. */
export const PASSWORD_VALID_MS = 10 * 60_000;

/** The viewer, and when their session last confirmed the password. */
interface PasswordHolder {
  key?: object | null | undefined;
  passwordGivenAt?: Date | null | undefined;
}

const ASK = 'Please enter your current password to go on.';

/**
 * API keys can't confirm a password: the table of operations decides what they may do.
 * @throws AppError PASSWORD_NEEDED
 */
export function requirePassword({ key, passwordGivenAt }: PasswordHolder, now = Date.now()): void {
  if (key || (passwordGivenAt && now - passwordGivenAt.getTime() < PASSWORD_VALID_MS)) return;
  throw new AppError('PASSWORD_NEEDED', ASK);
}

/** The caller of an operation. */
export interface OperationCaller extends PasswordHolder {
  id: number;
  key?: KeyRights | null | undefined;
  restrictedTo?: SessionRestriction | null | undefined;
}

const accessChecks: Record<Access, (viewer: OperationCaller | null) => unknown> = {
  anyone: () => undefined,
  user: (viewer) => requireViewer({ viewer }),
  admin: (viewer) => requireAdmin({ viewer }),
};

/** @throws AppError UNAUTHENTICATED, FORBIDDEN */
export const requireAccess = (viewer: OperationCaller | null, access: Access): void => {
  accessChecks[access](viewer);
};

/** Introspection fields are always allowed here: `makeGraphql` decides who may introspect. */
const isOfSchema = (field: string): boolean => field.startsWith('__');

/**
 * Checks that a caller may use a root field.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN, PASSWORD_NEEDED
 */
export function requireOperation(viewer: OperationCaller | null, kind: OperationKind, field: string): void {
  if (isOfSchema(field)) return;
  requireSessionFor(viewer, kind, field);
  requireAccess(viewer, rowOf(kind, field).access);
}

/**
 * The part of `requireOperation` that concerns the key or session, not the user: it is checked for a whole operation
 * before any of it runs.
 * @throws AppError FORBIDDEN, PASSWORD_NEEDED
 */
export function requireSessionFor(viewer: OperationCaller | null, kind: OperationKind, field: string): void {
  if (isOfSchema(field)) return;
  requireUnrestricted(viewer, kind, field);
  requireKeyAccess(viewer, kind, field);
  // Visitors get UNAUTHENTICATED instead.
  if (viewer && rowOf(kind, field).password === 'always') requirePassword(viewer);
}

/**
 * Checks that a restricted session may use a root field.
 * @throws AppError FORBIDDEN
 */
export function requireUnrestricted(
  viewer: Pick<OperationCaller, 'restrictedTo'> | null,
  kind: OperationKind,
  field: string,
): void {
  const restriction = viewer?.restrictedTo;
  if (!restriction || operationOf(kind, field)?.openUnder?.includes(restriction)) return;
  throw new AppError('FORBIDDEN', restrictionTexts[restriction]);
}

/**
 * Checks that a caller's API key, if any, may be used for an operation.
 * @param field the operation's root field
 * @throws AppError FORBIDDEN
 */
export function requireKeyAccess(
  viewer: Pick<OperationCaller, 'key'> | null,
  kind: OperationKind,
  field: string,
): void {
  if (!viewer?.key || isOfSchema(field)) return;
  const asked = operationOf(kind, field)?.keys ?? 'never';
  if (asked === 'never') {
    throw new AppError('FORBIDDEN', `API keys are not accepted for ${field}, which requires a signed-in user.`);
  }
  if (viewer.key.scopes.includes(asked)) return;
  throw new AppError('FORBIDDEN', `This API key may only read. ${field} needs a key with the scope "write".`);
}

/** @throws AppError FORBIDDEN where there is none */
function rowOf(kind: OperationKind, field: string): Operation {
  const row = operationOf(kind, field);
  if (!row) throw new AppError('FORBIDDEN', 'Access Denied');
  return row;
}
