import type { EntityManager } from '@mikro-orm/postgresql';
import { refuseInvalid } from '../../base/errors.ts';
import { writeAuditLog } from '../../entities/audit-log.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import { notifyOwner } from '../../notify/notify-owner.ts';
import { isAdmin } from '../../policies/admin.ts';
import { checkPasswordChange } from '../account-input.ts';
import { type ConfirmationParts, lockAccount } from '../email/addresses.ts';
import {
  hashPassword,
  type PasswordOwner,
  refuseCurrentPassword,
  refuseWeakPassword,
  verifyOwnPassword,
} from '../passwords.ts';
import { hasSecondFactor } from '../second-factor/verify-code.ts';
import { endSessions, holdSession } from '../sessions/sessions.ts';
import type { Viewer } from '../signed-in.ts';

/**
 * Sets another password, ends all sessions of the user except the caller's, and mails the owner.
 * @returns the new password's hash, and whether the account has a second factor, of which the session gave a code
 * @throws AppError VALIDATION with `fields`: `currentPassword` when it is wrong or was changed meanwhile, `newPassword`
 *   when it is weak, or the same as an initial password that must be changed
 */
export async function changePassword(
  em: EntityManager,
  { confirmEmail }: ConfirmationParts,
  viewer: Viewer,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<{ hash: string; hasGivenCode: boolean }> {
  checkPasswordChange(currentPassword, newPassword);
  const before = await verifyOwnPassword(em, viewer.id, currentPassword);
  const { rows } = await sqlOf(em).query<PasswordOwner & { isInitial: boolean }>(
    'select username, email, must_change_password as "isInitial" from users where id = $1',
    [viewer.id],
  );
  const [owner] = rows;
  if (owner?.isInitial && newPassword === currentPassword)
    refuseInvalid({ newPassword: 'Please choose another password than the one you have' });
  if (owner) await refuseWeakPassword(newPassword, owner, 'newPassword');
  const hash = await hashPassword(newPassword);
  const hasGivenCode = await em.transactional(async (tx) => {
    await lockAccount(tx, viewer.id);
    // A password reset may have replaced the given password meanwhile.
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
    await notifyOwner(sqlOf(tx), { userId: viewer.id, kind: 'password_changed', data, confirmEmail });
    // Setting one up ended the sessions that had not given a code.
    return hasSecondFactor(tx, viewer.id);
  });
  return { hash, hasGivenCode };
}
