import { randomBytes } from 'node:crypto';
import { channels } from '../base/channels.ts';
import type { Queryable } from '../base/database.ts';
import { writeAuditLog } from '../entities/audit-log.ts';
import { ADMIN_ID } from '../policies/admin.ts';
import { findWeakness, hashPassword } from './passwords.ts';
import { endSessions } from './sessions/sessions.ts';

const ADMIN_USERNAME = 'admin';

/** @throws Error that names the setting */
export async function checkAdminPassword(password: string): Promise<void> {
  const fault = await findWeakness(password, { username: ADMIN_USERNAME, email: null });
  if (fault !== undefined) throw new Error(`ADMIN_PASSWORD: ${fault}`);
}

/**
 * Creates the admin, user 1, unless it exists; the plans must exist. The password must be changed at the first login.
 * @param givenPassword the setting; without it a random password is made
 * @param isStrict true in production, where a weak password is refused
 * @returns the password if the admin was created now, to be shown once; else null
 */
export async function seedAdmin(
  db: Queryable,
  givenPassword: string | undefined,
  isStrict = false,
): Promise<string | null> {
  const known = await db.query('select 1 from users where id = 1');
  if (known.rows.length > 0) return null;
  if (isStrict && givenPassword !== undefined) await checkAdminPassword(givenPassword);
  const password = givenPassword ?? randomBytes(16).toString('base64url');
  const made = await db.query(
    `insert into users (id, username, password_hash, must_change_password) overriding system value values (1, $1, $2, true)
     on conflict do nothing returning id`,
    [ADMIN_USERNAME, await hashPassword(password)],
  );
  // The identity must not generate 1 again.
  await db.query("select setval(pg_get_serial_sequence('users', 'id'), greatest((select max(id) from users), 1))");
  return made.rows.length > 0 ? password : null;
}

/**
 * Sets the admin's password, which must be changed at the next login, ends the admin's sessions and writes to the audit log.
 * @param db a transaction
 * @returns the admin's username; null when there is no admin yet
 */
export async function setAdminPassword(
  db: Queryable,
  { passwordHash, withoutSecondFactor }: { passwordHash: string; withoutSecondFactor: boolean },
): Promise<string | null> {
  const { rows } = await db.query<{ username: string }>(
    'update users set password_hash = $1, must_change_password = true where id = $2 returning username',
    [passwordHash, ADMIN_ID],
  );
  const [admin] = rows;
  if (!admin) return null;
  await endSessions(db, ADMIN_ID, null);
  // Sockets that were opened with an API key belong to no session.
  await db.query('select pg_notify($1, $2)', [channels.sessions, String(ADMIN_ID)]);
  const entry = { actor: 'command', subject: `user ${ADMIN_ID}`, outcome: 'done' } as const;
  await writeAuditLog(db, { ...entry, action: 'admin.password.command' });
  if (withoutSecondFactor) {
    const { rowCount } = await db.query('delete from second_factors where user_id = $1', [ADMIN_ID]);
    if (rowCount) await writeAuditLog(db, { ...entry, action: 'admin.second-factor.command' });
  }
  return admin.username;
}
