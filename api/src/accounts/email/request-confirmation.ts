import type { EntityManager } from '@mikro-orm/postgresql';
import { type NewMail, queueMail } from '../../entities/shared/queue-mail.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import type { User } from '../../entities/user.ts';
import { findEmailOwner } from './email-owner.ts';

export interface ConfirmationParts {
  /** Whether addresses must be confirmed before they get anything. */
  confirmEmail: boolean;
}

/** The address that is to be confirmed: the pending one, else an unconfirmed one; null where there is none. */
export function addressToConfirm(user: Pick<User, 'email' | 'emailConfirmedAt' | 'pendingEmail'>): string | null {
  return user.pendingEmail ?? (user.emailConfirmedAt ? null : (user.email ?? null));
}

/**
 * The mail with the link that confirms the address; the owner of a taken address is told instead. A pending address is
 * always asked: only its confirmation lets the change take effect. null where nothing is to be mailed.
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

/** Mails it. */
export async function requestConfirmation(em: EntityManager, parts: ConfirmationParts, user: User): Promise<void> {
  const mail = await confirmationMail(em, parts, user);
  if (mail) await queueMail(sqlOf(em), mail);
}
