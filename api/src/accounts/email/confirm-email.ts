import type { EntityManager } from '@mikro-orm/postgresql';
import { isUniqueViolation } from '../../base/database-fault.ts';
import { AppError } from '../../base/errors.ts';
import { requestSync } from '../../billing/customer.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import type { User } from '../../entities/user.ts';
import { enqueueMail, type NewMail } from '../../notify/enqueue-mail.ts';
import { releaseUser } from '../../notify/release-waiting.ts';
import {
  auditAddressChange,
  type ConfirmationParts,
  findEmailOwner,
  isSameAddress,
  type LockedAccount,
  lockAccount,
  recordFormerAddress,
} from './addresses.ts';

/** The address to confirm: the pending one, else an unconfirmed one; null when there is none. */
export function addressToConfirm(user: Pick<User, 'email' | 'emailConfirmedAt' | 'pendingEmail'>): string | null {
  return user.pendingEmail ?? (user.emailConfirmedAt ? null : (user.email ?? null));
}

/**
 * Makes the mail with the link that confirms the address, or a mail to the owner when another account has confirmed it.
 * A pending address always needs the confirmation, since only that makes the change effective. null when nothing is to
 * be mailed.
 */
export async function confirmationMail(
  em: EntityManager,
  parts: ConfirmationParts,
  user: User,
): Promise<NewMail | null> {
  const address = addressToConfirm(user);
  if (address === null) return null;
  const owner = await findEmailOwner(em, address, user.id);
  if (owner) return { kind: 'address_taken', userId: owner.id, to: owner.email };
  if (!parts.confirmEmail && !user.pendingEmail) return null;
  return { kind: 'confirm', userId: user.id, to: address };
}

/** Queues the confirmation mail. */
export async function requestConfirmation(em: EntityManager, parts: ConfirmationParts, user: User): Promise<void> {
  const mail = await confirmationMail(em, parts, user);
  if (mail) await enqueueMail(sqlOf(em), mail);
}

/**
 * Marks the account's address as confirmed, or replaces it by the pending one and queues a mail to the old one. Mails
 * that waited for the confirmation are released.
 * @returns whether the address has changed
 * @throws AppError NOT_FOUND when the link's address is no longer the account's, CONFLICT when another account confirmed it
 */
export async function confirmEmail(
  em: EntityManager,
  parts: ConfirmationParts,
  { userId, email }: { userId: number; email: string },
): Promise<boolean> {
  try {
    return await em.transactional(async (tx) => {
      const account = await lockAccount(tx, userId);
      if (!account) refuse();
      let mailToOld: NewMail | null = null;
      const isChange = account.pendingEmail !== null && isSameAddress(account.pendingEmail, email);
      if (isChange && account.pendingEmail !== null) {
        mailToOld = await applyPendingAddress(tx, parts, account, account.pendingEmail);
      } else {
        if (!isSameAddress(account.email, email)) refuse();
        // A change to another address replaces one that was never confirmed.
        if (!account.isConfirmed && account.pendingEmail !== null) refuse();
        // A link that is used again does nothing more.
        if (account.isConfirmed) return false;
        await sqlOf(tx).query('update users set email_confirmed_at = now() where id = $1', [userId]);
      }
      await releaseUser(sqlOf(tx), userId);
      await requestSync(sqlOf(tx), userId);
      if (mailToOld) await enqueueMail(sqlOf(tx), mailToOld);
      return isChange;
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('CONFLICT', 'This address belongs to another account.', { cause: error });
  }
}

/** @returns the mail to the old address, if it gets one */
async function applyPendingAddress(
  em: EntityManager,
  parts: ConfirmationParts,
  account: LockedAccount,
  address: string,
) {
  const mailToOld = await recordFormerAddress(em, parts, account, address);
  await sqlOf(em).query('update users set email = $1, email_confirmed_at = now(), pending_email = null where id = $2', [
    address,
    account.id,
  ]);
  await auditAddressChange(em, account.id, 'address confirmed');
  return mailToOld;
}

function refuse(): never {
  throw new AppError('NOT_FOUND', 'This link is no longer valid.');
}
