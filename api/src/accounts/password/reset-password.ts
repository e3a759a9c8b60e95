import type { EntityManager } from '@mikro-orm/postgresql';
import { isUniqueViolation } from '../../base/database-fault.ts';
import { AppError } from '../../base/errors.ts';
import type { Secret } from '../../base/secret.ts';
import { endSessions } from '../../entities/shared/end-sessions.ts';
import { queueMail } from '../../entities/shared/queue-mail.ts';
import { writeAuditLog } from '../../entities/shared/write-audit-log.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import { isAdmin } from '../../policies/admin.ts';
import { checkNewPassword } from '../account-input.ts';
import { confirmEmail } from '../email/confirm-email.ts';
import { hashPassword } from '../passwords.ts';
import { type Ended, endAccess, type ToEnd } from './reset-access.ts';
import { readResetToken, refuseLink } from './reset-token.ts';
import { refuseWeakPassword } from './weak-passwords.ts';

/** Who sets which password, and what else shall end with the old one. */
interface Reset {
  token: string;
  newPassword: string;
  now: Date;
  toEnd: ToEnd;
}

/**
 * Sets the password of the account that a mailed link was made for, ends all its sessions, and the keys and webhooks
 * that were chosen, cancels a pending change of its address and confirms the one it has, as the link came through it.
 * Of two calls with one link only one gets through.
 * @throws AppError VALIDATION with `fields`: `token` where the link is the fault, else `newPassword`
 */
export async function resetPassword(
  em: EntityManager,
  linkSecret: Secret,
  { token, newPassword, now, toEnd }: Reset,
): Promise<{ username: string; ended: Ended }> {
  const account = await readResetToken(em, linkSecret, { token, now });
  const { userId, username, email } = account;
  checkNewPassword(newPassword);
  await refuseWeakPassword(newPassword, account, 'newPassword');
  const passwordHash = await hashPassword(newPassword);
  const ended = await em.transactional(async (tx) => {
    const { rows: changed } = await sqlOf(tx).query<{ id: unknown }>(
      `update users set password_hash = $1, must_change_password = false, pending_email = null
        where id = $2 and password_hash = $3 and lower(email) = lower($4) returning id`,
      [passwordHash, userId, account.passwordHash, email],
    );
    if (changed.length === 0) refuseLink('used');
    await endSessions(sqlOf(tx), userId, null);
    const gone = await endAccess(tx, userId, toEnd);
    if (isAdmin({ id: userId })) {
      const subject = `user ${userId}`;
      await writeAuditLog(sqlOf(tx), { actor: 'admin', action: 'admin.password.reset', subject, outcome: 'done' });
    }
    await confirmUnlessTaken(tx, userId, email);
    // The link came through this address, so that it is one that may be mailed to.
    const data = { at: now.toISOString(), how: 'reset', ended: gone } as const;
    await queueMail(sqlOf(tx), { kind: 'password_changed', userId, to: email, data });
    return gone;
  });
  return { username, ended };
}

/** Another account may have confirmed the same address: it stays there, and the password is set all the same. */
async function confirmUnlessTaken(em: EntityManager, userId: number, email: string): Promise<void> {
  try {
    await confirmEmail(em, { confirmEmail: true }, { userId, email });
  } catch (error) {
    const isTaken = error instanceof AppError && isUniqueViolation(error.cause);
    if (!isTaken) throw error;
  }
}
