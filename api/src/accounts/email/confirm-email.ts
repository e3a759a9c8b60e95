import type { EntityManager } from '@mikro-orm/postgresql';
import { isUniqueViolation } from '../../base/database-fault.ts';
import { AppError } from '../../base/errors.ts';
import { lookAtPayments } from '../../entities/shared/look-at-payments.ts';
import { type NewMail, queueMail, releaseWaitingMail } from '../../entities/shared/queue-mail.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import { type HeldAccount, holdAccount, isSameAddress } from './held-account.ts';
import { leaveAddress, noteChange } from './leave-address.ts';
import type { ConfirmationParts } from './request-confirmation.ts';

/**
 * Marks the account's address as confirmed, or lets a pending one take effect: the account then has it, and the old one
 * is told. Wakes the sender: what waited for it may leave.
 * @returns whether the account has another address now
 * @throws AppError NOT_FOUND when the account has another address by now, CONFLICT when another account confirmed it
 */
export async function confirmEmail(
  em: EntityManager,
  parts: ConfirmationParts,
  { userId, email }: { userId: number; email: string },
): Promise<boolean> {
  try {
    return await em.transactional(async (tx) => {
      const account = await holdAccount(tx, userId);
      if (!account) refuse();
      let told: NewMail | null = null;
      const isChange = account.pendingEmail !== null && isSameAddress(account.pendingEmail, email);
      if (isChange && account.pendingEmail !== null) {
        told = await takeEffect(tx, parts, account, account.pendingEmail);
      } else {
        if (!isSameAddress(account.email, email)) refuse();
        // Whoever asked for another address has given up one that was never confirmed.
        if (!account.isConfirmed && account.pendingEmail !== null) refuse();
        await sqlOf(tx).query(
          'update users set email_confirmed_at = coalesce(email_confirmed_at, now()) where id = $1',
          [userId],
        );
      }
      await releaseWaitingMail(sqlOf(tx), userId);
      await lookAtPayments(sqlOf(tx), userId);
      if (told) await queueMail(sqlOf(tx), told);
      return isChange;
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('CONFLICT', 'This address belongs to another account.', { cause: error });
  }
}

/** @returns the mail to the old address */
async function takeEffect(em: EntityManager, parts: ConfirmationParts, account: HeldAccount, address: string) {
  const told = await leaveAddress(em, parts, account, address);
  await sqlOf(em).query('update users set email = $1, email_confirmed_at = now(), pending_email = null where id = $2', [
    address,
    account.id,
  ]);
  await noteChange(em, account.id, 'address confirmed');
  return told;
}

function refuse(): never {
  throw new AppError('NOT_FOUND', 'This link is no longer valid.');
}
