import type { EntityManager } from '@mikro-orm/postgresql';
import { refuseInvalid } from '../../base/errors.ts';
import { endSessions } from '../../entities/shared/end-sessions.ts';
import { holdSession } from '../../entities/shared/hold-session.ts';
import { tellOwner } from '../../entities/shared/tell-owner.ts';
import { writeAuditLog } from '../../entities/shared/write-audit-log.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import { isAdmin } from '../../policies/admin.ts';
import { checkPasswordChange } from '../account-input.ts';
import type { ConfirmationParts } from '../email/request-confirmation.ts';
import { hashPassword } from '../passwords.ts';
import { hasSecondFactor } from '../second-factor/prove-code.ts';
import type { Viewer } from '../signed-in.ts';
import { proveOwnPassword, refuseCurrentPassword } from './own-password.ts';
import { type PasswordOwner, refuseWeakPassword } from './weak-passwords.ts';

/**
 * Sets another password, ends all sessions of the user but the caller's, and tells of it by mail.
 * @returns the new password's hash, and whether the session had given a code of a second factor
 * @throws AppError VALIDATION with `fields`: `currentPassword` where it is wrong or no longer the current one,
 * `newPassword` where it is weak, or the first one that was to be changed
 */
export async function changePassword(
  em: EntityManager,
  { confirmEmail }: ConfirmationParts,
  viewer: Viewer,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<{ hash: string; isProven: boolean }> {
  checkPasswordChange(currentPassword, newPassword);
  const before = await proveOwnPassword(em, viewer.id, currentPassword);
  const { rows } = await sqlOf(em).query<PasswordOwner & { isGiven: boolean }>(
    'select username, email, must_change_password as "isGiven" from users where id = $1',
    [viewer.id],
  );
  const [owner] = rows;
  if (owner?.isGiven && newPassword === currentPassword)
    refuseInvalid({ newPassword: 'Please choose another password than the one you have' });
  if (owner) await refuseWeakPassword(newPassword, owner, 'newPassword');
  const hash = await hashPassword(newPassword);
  const isProven = await em.transactional(async (tx) => {
    // A reset in the meantime has made the given password an old one.
    const { rows: changed } = await sqlOf(tx).query<{ id: unknown }>(
      'update users set password_hash = $1, must_change_password = false where id = $2 and password_hash = $3 returning id',
      [hash, viewer.id, before],
    );
    if (changed.length === 0) refuseCurrentPassword();
    await holdSession(sqlOf(tx), viewer.sessionId);
    await endSessions(sqlOf(tx), viewer.id, viewer.sessionId);
    if (isAdmin(viewer)) {
      const subject = `user ${viewer.id}`;
      await writeAuditLog(sqlOf(tx), { actor: 'admin', action: 'admin.password.change', subject, outcome: 'done' });
    }
    const data = { at: new Date().toISOString(), how: 'changed' } as const;
    await tellOwner(sqlOf(tx), { userId: viewer.id, kind: 'password_changed', data, confirmEmail });
    // Sessions from before there was one have ended with it.
    return hasSecondFactor(tx, viewer.id);
  });
  return { hash, isProven };
}
