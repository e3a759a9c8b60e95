import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError, type ErrorCode } from '../base/errors.ts';
import { SessionRestriction } from '../domain/session-restriction.ts';
import { writeAuditLog } from '../entities/audit-log.ts';
import { sqlOf } from '../entities/sql-of.ts';
import { User } from '../entities/user.ts';
import { isAdmin } from '../policies/admin.ts';
import { checkLogin } from './account-input.ts';
import { verifyPassword } from './passwords.ts';
import { hasSecondFactor } from './second-factor/verify-code.ts';
import type { SessionControl } from './signed-in.ts';

/**
 * Finds the account of a username (in any case) and password; an unknown name takes as long as a wrong password. A wrong
 * password of the admin's is written to the audit log; the caller writes how a login with the right one ended.
 * @throws AppError VALIDATION for empty fields, UNAUTHENTICATED otherwise
 */
export async function logIn(em: EntityManager, username: string, password: string): Promise<User> {
  checkLogin(username, password);
  // PostgreSQL refuses NUL in texts, so no such name exists.
  const name = username.trim().replaceAll('\0', '\u{fffd}');
  // One statement in either case, since a second one would show in the response time that the account exists.
  const { rows } = await sqlOf(em).query<{ id: number; hash: string }>(
    'select id, password_hash as hash from users where username_key = lower(btrim($1::text))',
    [name],
  );
  const [row] = rows;
  const fits = await verifyPassword(row?.hash ?? null, password.slice(0, 1000));
  // The password may have been changed since it was verified.
  const user = row && fits ? await em.findOne(User, { id: row.id, passwordHash: row.hash }) : null;
  if (row && !user) await auditLogin(em, { id: row.id }, 'UNAUTHENTICATED');
  if (!user) throw new AppError('UNAUTHENTICATED', 'Invalid username or password');
  return user;
}

/** Writes to the audit log how a login as the admin ended. A login that can't be written there fails. */
export async function auditLogin(
  em: EntityManager,
  user: Pick<User, 'id'>,
  outcome: 'done' | ErrorCode,
): Promise<void> {
  if (!isAdmin(user)) return;
  const actor = outcome === 'done' ? 'admin' : 'visitor';
  await writeAuditLog(sqlOf(em), { actor, action: 'admin.login', subject: `user ${user.id}`, outcome });
}

/**
 * Whether the password is still the same, and no second factor was set up that the login did not give. It must be called
 * after the session is stored, because a change of either ends only the sessions that it finds.
 */
export async function isLoginStillValid(
  em: EntityManager,
  userId: number,
  passwordHash: string,
  hasGivenCode: boolean,
): Promise<boolean> {
  const { rows } = await sqlOf(em).query<{ hash: string }>(
    '/* lock-password */ select password_hash as hash from users where id = $1 for share',
    [userId],
  );
  return rows[0]?.hash === passwordHash && (hasGivenCode || !(await hasSecondFactor(em, userId)));
}

/**
 * Signs out again whose login is no longer valid, or can't be checked.
 * @param isValid `isLoginStillValid` @param message of the error
 * @throws AppError UNAUTHENTICATED
 */
export async function requireValidLogin(
  session: Pick<SessionControl, 'signOut' | 'discard'>,
  isValid: Promise<boolean>,
  message: string,
): Promise<void> {
  let fault: unknown = new AppError('UNAUTHENTICATED', message);
  try {
    if (await isValid) return;
  } catch (error) {
    fault = error;
  }
  await session.signOut().catch(() => session.discard());
  throw fault;
}

/**
 * What the admin has to do before anything else; null for other users.
 * @param enforced true in production; elsewhere the pages only show a reminder
 */
export async function restrictionOf(
  em: EntityManager,
  user: Pick<User, 'id' | 'mustChangePassword'>,
  enforced: boolean,
): Promise<SessionRestriction | null> {
  if (!enforced || !isAdmin(user)) return null;
  if (user.mustChangePassword) return SessionRestriction.password;
  return (await hasSecondFactor(em, user.id)) ? null : SessionRestriction.secondFactor;
}
