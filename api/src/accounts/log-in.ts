import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError, type ErrorCode } from '../base/errors.ts';
import { writeAuditLog } from '../entities/shared/write-audit-log.ts';
import { sqlOf } from '../entities/sql-of.ts';
import { User } from '../entities/user.ts';
import { isAdmin } from '../policies/admin.ts';
import { checkLogin } from './account-input.ts';
import { passwordFits } from './passwords.ts';
import { hasSecondFactor } from './second-factor/prove-code.ts';

/**
 * The account behind a username (in any case) and password; an unknown name takes as long as a wrong password. Whoever
 * fails to sign in as the admin stands in the audit log; `noteLogin` writes of those who give the password.
 * @throws AppError VALIDATION for empty fields, UNAUTHENTICATED otherwise
 */
export async function logIn(em: EntityManager, username: string, password: string): Promise<User> {
  checkLogin(username, password);
  // PostgreSQL takes no NUL in texts; such a name can't exist.
  const name = username.trim().replaceAll('\0', '\u{fffd}');
  // One statement whether there is an account or not: a second one could be told from the time of the answer.
  const { rows } = await sqlOf(em).query<{ id: number; hash: string }>(
    'select id, password_hash as hash from users where username_key = lower(btrim($1::text))',
    [name],
  );
  const [row] = rows;
  const fits = await passwordFits(row?.hash ?? null, password.slice(0, 1000));
  // Another hash than the one that was looked at is another password.
  const user = row && fits ? await em.findOne(User, { id: row.id, passwordHash: row.hash }) : null;
  if (row && !user) await noteLogin(em, { id: row.id }, 'UNAUTHENTICATED');
  if (!user) throw new AppError('UNAUTHENTICATED', 'Invalid username or password');
  return user;
}

/** Writes into the audit log how a sign-in as the admin ended; of others nothing. Where it can't be written nobody gets in. */
export async function noteLogin(em: EntityManager, user: Pick<User, 'id'>, outcome: 'done' | ErrorCode): Promise<void> {
  if (!isAdmin(user)) return;
  const actor = outcome === 'done' ? 'admin' : 'visitor';
  await writeAuditLog(sqlOf(em), { actor, action: 'admin.login', subject: `user ${user.id}`, outcome });
}

/**
 * Whether the password is still the one that let the user in, and no second factor is asked for that was not given.
 * Asked once the session is there: a change of either ends the sessions it finds, and one that was being made meanwhile
 * it could not find.
 */
export async function stillHolds(
  em: EntityManager,
  userId: number,
  passwordHash: string,
  isProven: boolean,
): Promise<boolean> {
  const { rows } = await sqlOf(em).query<{ hash: string }>(
    'select password_hash as hash from users where id = $1 for share',
    [userId],
  );
  return rows[0]?.hash === passwordHash && (isProven || !(await hasSecondFactor(em, userId)));
}
