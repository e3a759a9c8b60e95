import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { isUniqueViolation } from '../../base/database-fault.ts';
import { AppError } from '../../base/errors.ts';
import { endSessions } from '../../entities/shared/end-sessions.ts';
import { lookAtPayments } from '../../entities/shared/look-at-payments.ts';
import { type NewMail, queueMails, releaseWaitingMail } from '../../entities/shared/queue-mail.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import { passwordMark } from '../password/password-mark.ts';
import { hashPassword } from '../passwords.ts';
import { type HeldAccount, holdAccount, isSameAddress } from './held-account.ts';
import { forgetFrom, noteChange } from './leave-address.ts';

/** `kept`: nothing was to undo; `cancelled`: a pending change; `put_back`: the address is the account's again. */
export type UndoOutcome = 'kept' | 'cancelled' | 'put_back';

/**
 * What the link in the mail to the old address does: it cancels a change that is pending, and puts the address back
 * where a change took effect, however many followed. Putting it back ends all sessions, makes the password void and
 * mails a link for a new one: whoever changed the address knew the password.
 * @throws AppError NOT_FOUND when the address can't be put back any more, CONFLICT when another account confirmed it
 */
export async function undoEmailChange(
  em: EntityManager,
  { userId, email }: { userId: number; email: string },
): Promise<UndoOutcome> {
  // Nobody knows this password; it is made before the row is locked, as that takes a while.
  const passwordHash = await hashPassword(randomBytes(32).toString('base64url'));
  try {
    return await em.transactional(async (tx) => {
      const account = await holdAccount(tx, userId);
      if (!account) refuse();
      if (isSameAddress(account.email, email)) {
        if (account.pendingEmail === null) return 'kept';
        await sqlOf(tx).query('update users set pending_email = null where id = $1', [userId]);
        return 'cancelled';
      }
      if (!(await forgetFrom(tx, userId, email))) refuse();
      await putBack(tx, account, email, passwordHash);
      return 'put_back';
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('CONFLICT', 'This address belongs to another account by now.', { cause: error });
  }
}

async function putBack(em: EntityManager, account: HeldAccount, email: string, passwordHash: string): Promise<void> {
  const userId = account.id;
  // The link came through the address, so it is confirmed.
  await sqlOf(em).query(
    `update users set email = $1, email_confirmed_at = now(), pending_email = null, password_hash = $2 where id = $3`,
    [email, passwordHash, userId],
  );
  await endSessions(sqlOf(em), userId, null);
  await noteChange(em, userId, 'address put back');
  await releaseWaitingMail(sqlOf(em), userId);
  await lookAtPayments(sqlOf(em), userId);
  const mark = passwordMark(passwordHash, email);
  const mails: NewMail[] = [{ kind: 'reset', userId, to: email, data: { passwordMark: mark, isNeeded: true } }];
  if (account.email !== null && account.isConfirmed) {
    const data = { newAddress: email, canUndo: false };
    mails.push({ kind: 'address_changed', userId, to: account.email, data });
  }
  await queueMails(sqlOf(em), mails);
}

function refuse(): never {
  throw new AppError('NOT_FOUND', 'This address can no longer be put back.');
}
