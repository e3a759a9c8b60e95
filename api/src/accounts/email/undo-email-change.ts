import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { isUniqueViolation } from '../../base/database-fault.ts';
import { AppError } from '../../base/errors.ts';
import { requestSync } from '../../billing/customer.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import { User } from '../../entities/user.ts';
import { enqueueMails, type NewMail } from '../../notify/enqueue-mail.ts';
import { releaseUser } from '../../notify/release-waiting.ts';
import { hashPassword, passwordMark } from '../passwords.ts';
import { endSessions } from '../sessions/sessions.ts';
import {
  auditAddressChange,
  deleteFormerAddresses,
  isSameAddress,
  type LockedAccount,
  lockAccount,
} from './addresses.ts';

/** `kept`: there was nothing to undo; `cancelled`: the change was pending; `restored`: the account has the address again. */
export type UndoOutcome = 'kept' | 'cancelled' | 'restored';

/**
 * Carries out the link in the mail to the old address: it cancels a pending change, or restores the address after any
 * number of changes. A restore also ends all sessions, replaces the password by a random one and mails a link for a new
 * one, because whoever changed the address knew the password.
 * @throws AppError NOT_FOUND when the address can no longer be restored, CONFLICT when another account confirmed it
 */
export async function undoEmailChange(
  em: EntityManager,
  { userId, email }: { userId: number; email: string },
): Promise<UndoOutcome> {
  // Hashing takes a while, so it is done before the row is locked.
  const passwordHash = await hashPassword(randomBytes(32).toString('base64url'));
  try {
    return await em.transactional(async (tx) => {
      const account = await lockAccount(tx, userId);
      if (!account) refuse();
      if (isSameAddress(account.email, email)) {
        if (account.pendingEmail === null) return 'kept';
        await sqlOf(tx).query('update users set pending_email = null where id = $1', [userId]);
        return 'cancelled';
      }
      if (!(await deleteFormerAddresses(tx, userId, email))) refuse();
      await restoreAddress(tx, account, email, passwordHash);
      return 'restored';
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('CONFLICT', 'This address belongs to another account now.', { cause: error });
  }
}

async function restoreAddress(
  em: EntityManager,
  account: LockedAccount,
  email: string,
  passwordHash: string,
): Promise<void> {
  const userId = account.id;
  // The link came through the address, so it is confirmed.
  await sqlOf(em).query(
    `update users set email = $1, email_confirmed_at = now(), pending_email = null, password_hash = $2 where id = $3`,
    [email, passwordHash, userId],
  );
  await endSessions(sqlOf(em), userId, null);
  await auditAddressChange(em, userId, 'address put back');
  await releaseUser(sqlOf(em), userId);
  await requestSync(sqlOf(em), userId);
  const mark = passwordMark(passwordHash, email);
  const mails: NewMail[] = [{ kind: 'reset', userId, to: email, data: { passwordMark: mark, isNeeded: true } }];
  if (account.email !== null && account.isConfirmed) {
    const data = { newAddress: email, canUndo: false };
    mails.push({ kind: 'address_changed', userId, to: account.email, data });
  }
  await enqueueMails(sqlOf(em), mails);
}

function refuse(): never {
  throw new AppError('NOT_FOUND', 'This address can no longer be restored.');
}

/** Cancels a pending change of the address, whose confirmation link is void then. @throws AppError UNAUTHENTICATED */
export async function cancelEmailChange(em: EntityManager, userId: number): Promise<User> {
  await em.transactional(async (tx) => {
    await lockAccount(tx, userId);
    await sqlOf(tx).query('update users set pending_email = null where id = $1', [userId]);
  });
  const user = await em.findOne(User, { id: userId }, { refresh: true });
  if (!user) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  return user;
}
