import { UniqueConstraintViolationException } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../../base/errors.ts';
import type { Secret } from '../../base/secret.ts';
import { readToken } from '../../domain/action-links.ts';
import { endSessions } from '../../entities/shared/end-sessions.ts';
import { writeAuditLogWith } from '../../entities/shared/write-audit-log.ts';
import { isAdmin } from '../../policies/admin.ts';
import { queueMailWith } from '../../entities/shared/queue-mail.ts';
import { checkNewPassword } from '../account-input.ts';
import { confirmEmail } from '../email/confirm-email.ts';
import { hashPassword } from '../passwords.ts';
import { passwordMark } from './password-mark.ts';
import { refuseWeakPassword } from './weak-passwords.ts';

const refusals = {
  invalid: 'This link is not valid. Please ask for a new one.',
  expired: 'This link has expired. Please ask for a new one.',
  used: 'This link has already been used, or your password or email has changed since. Please ask for a new one.',
} as const;

/** `fields.token` tells a link that can't work from a password that can't be taken. */
function refuseLink(reason: keyof typeof refusals): never {
  throw new AppError('VALIDATION', refusals[reason], { fields: { token: refusals[reason] } });
}

interface Account {
  username: string;
  email: string | null;
  passwordHash: string;
}

/**
 * Sets the password of the account that a mailed link was made for, ends all its sessions, cancels a pending change of
 * its address and confirms the one it has, as the link came through it. Of two calls with one link only one gets through.
 * @returns the account's username
 * @throws AppError VALIDATION with `fields`: `token` where the link is the fault, else `newPassword`
 */
export async function resetPassword(
  em: EntityManager,
  linkSecret: Secret,
  { token, newPassword, now }: { token: string; newPassword: string; now: Date },
): Promise<string> {
  const reading = readToken(linkSecret, token, now);
  if (!reading.ok && reading.action === 'reset') refuseLink('expired');
  if (!reading.ok || reading.claims.action !== 'reset') refuseLink('invalid');
  const { userId, passwordMark: mark } = reading.claims;
  const [account] = await em.execute<Account[]>(
    'select username, email, password_hash as "passwordHash" from users where id = ?',
    [userId],
  );
  const email = account?.email;
  if (!account || !email || passwordMark(account.passwordHash, email) !== mark) refuseLink('used');
  checkNewPassword(newPassword);
  await refuseWeakPassword(newPassword, account, 'newPassword');
  const passwordHash = await hashPassword(newPassword);
  await em.transactional(async (tx) => {
    const changed = await tx.execute<{ id: unknown }[]>(
      `update users set password_hash = ?, must_change_password = false, pending_email = null
        where id = ? and password_hash = ? and lower(email) = lower(?) returning id`,
      [passwordHash, userId, account.passwordHash, email],
    );
    if (changed.length === 0) refuseLink('used');
    await endSessions(tx, userId, null);
    if (isAdmin({ id: userId })) {
      const subject = `user ${userId}`;
      await writeAuditLogWith(tx, { actor: 'admin', action: 'admin.password.reset', subject, outcome: 'done' });
    }
    await confirmUnlessTaken(tx, userId, email);
    // The link came through this address, so that it is one that may be mailed to.
    const data = { at: now.toISOString(), how: 'reset' } as const;
    await queueMailWith(tx, { kind: 'password_changed', userId, to: email, data });
  });
  return account.username;
}

/** Another account may have confirmed the same address: it stays there, and the password is set all the same. */
async function confirmUnlessTaken(em: EntityManager, userId: number, email: string): Promise<void> {
  try {
    await confirmEmail(em, { confirmEmail: true }, { userId, email });
  } catch (error) {
    const isTaken = error instanceof AppError && error.cause instanceof UniqueConstraintViolationException;
    if (!isTaken) throw error;
  }
}
