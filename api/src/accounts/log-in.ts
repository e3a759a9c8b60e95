import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import { writeAuditLogWith } from '../entities/shared/write-audit-log.ts';
import { User } from '../entities/user.ts';
import { isAdmin } from '../policies/admin.ts';
import { checkLogin } from './account-input.ts';
import { passwordFits } from './passwords.ts';

/**
 * The account behind a username (in any case) and password; an unknown name takes as long as a wrong password. Whoever
 * signs in as the admin, or fails to, stands in the audit log: where that can't be written nobody gets in.
 * @throws AppError VALIDATION for empty fields, UNAUTHENTICATED otherwise
 */
export async function logIn(em: EntityManager, username: string, password: string): Promise<User> {
  checkLogin(username, password);
  // PostgreSQL takes no NUL in texts; such a name can't exist.
  const name = username.trim().replaceAll('\0', '\u{fffd}');
  const rows = await em.execute<{ id: number | string }[]>(
    'select id from users where username_key = lower(btrim(?::text))',
    [name],
  );
  const id = rows[0]?.id;
  const user = id === undefined ? null : await em.findOne(User, { id: Number(id) });
  const fits = await passwordFits(user?.passwordHash ?? null, password.slice(0, 1000));
  if (user && isAdmin(user)) {
    const entry = { action: 'admin.login', subject: `user ${user.id}` } as const;
    if (fits) await writeAuditLogWith(em, { ...entry, actor: 'admin', outcome: 'done' });
    else await writeAuditLogWith(em, { ...entry, actor: 'visitor', outcome: 'UNAUTHENTICATED' });
  }
  if (!user || !fits) throw new AppError('UNAUTHENTICATED', 'Invalid username or password');
  return user;
}

/**
 * Whether the password is still the one that let the user in. Asked once the session is there: a password change ends
 * the sessions it finds, and one that was being made meanwhile it could not find.
 */
export async function stillHolds(em: EntityManager, userId: number, passwordHash: string): Promise<boolean> {
  const rows = await em.execute<{ hash: string }[]>('select password_hash as hash from users where id = ? for share', [
    userId,
  ]);
  return rows[0]?.hash === passwordHash;
}
