import { AppError } from '../base/errors.ts';
import type { KeyRights } from '../domain/api-key.ts';
import { restrictionTexts, type SessionRestriction } from '../domain/session-restriction.ts';
import { requireAdmin, requireViewer } from './admin.ts';
import { type Access, type Operation, type OperationKind, operationOf } from './operations.ts';

/** For how long a session that gave the password is not asked for it again; signing in gives it too. */
export const PASSWORD_HOLDS_MS = 10 * 60_000;

/** Who came, and when their session was last given the password. */
interface PasswordGiver {
  key?: object | null | undefined;
  passwordGivenAt?: Date | null | undefined;
}

const ASK = 'Please enter your current password to go on.';

/**
 * Whoever comes with a key has no password to give: the table of operations decides what keys may do.
 * @throws AppError PASSWORD_NEEDED
 */
export function requirePassword({ key, passwordGivenAt }: PasswordGiver, now = Date.now()): void {
  if (key || (passwordGivenAt && now - passwordGivenAt.getTime() < PASSWORD_HOLDS_MS)) return;
  throw new AppError('PASSWORD_NEEDED', ASK);
}

/** Who calls an operation. */
export interface OperationCaller extends PasswordGiver {
  id: number;
  key?: KeyRights | null | undefined;
  restrictedTo?: SessionRestriction | null | undefined;
}

const whoPasses: Record<Access, (viewer: OperationCaller | null) => unknown> = {
  anyone: () => undefined,
  user: (viewer) => requireViewer({ viewer }),
  admin: (viewer) => requireAdmin({ viewer }),
};

/** @throws AppError UNAUTHENTICATED, FORBIDDEN */
export const requireAccess = (viewer: OperationCaller | null, access: Access): void => {
  whoPasses[access](viewer);
};

/** The schema itself is described to whoever may read it: `makeGraphql` decides about that. */
const isOfSchema = (field: string): boolean => field.startsWith('__');

/**
 * Whether the table lets a caller begin an operation with a field.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN, PASSWORD_NEEDED
 */
export function requireOperation(viewer: OperationCaller | null, kind: OperationKind, field: string): void {
  if (isOfSchema(field)) return;
  requireSessionFor(viewer, kind, field);
  requireAccess(viewer, rowOf(kind, field).access);
}

/**
 * The part of it that depends on how somebody came and not on who they are: what is refused so is refused for a whole
 * operation, before any of it is done.
 * @throws AppError FORBIDDEN, PASSWORD_NEEDED
 */
export function requireSessionFor(viewer: OperationCaller | null, kind: OperationKind, field: string): void {
  if (isOfSchema(field)) return;
  requireUnrestricted(viewer, kind, field);
  requireKeyAccess(viewer, kind, field);
  // Visitors are asked to sign in instead.
  if (viewer && rowOf(kind, field).password === 'always') requirePassword(viewer);
}

/**
 * Whether a session that is restricted to what has to be done first may begin an operation.
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
 * Whether a caller's key, if they came with one, is taken for an operation.
 * @param field the one that the operation begins with
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
    throw new AppError('FORBIDDEN', `API keys are not taken for ${field}: it is only for people who are signed in.`);
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
