import type { EntityManager } from '@mikro-orm/postgresql';
import type { User } from '../entities/user.ts';
import type { QueueAccountMail } from './account-mail.ts';
import { findEmailOwner } from './email-owner.ts';

export interface ConfirmationParts {
  queueMail: QueueAccountMail;
  confirmEmail: boolean;
}

/** Mails the link that confirms the address; the owner of a taken address is told instead. */
export async function requestConfirmation(em: EntityManager, parts: ConfirmationParts, user: User): Promise<void> {
  if (!user.email || user.emailConfirmedAt) return;
  const owner = await findEmailOwner(em, user.email, user.id);
  if (owner?.email) await parts.queueMail(em, { kind: 'email-taken', userId: owner.id, to: owner.email });
  else if (parts.confirmEmail) await parts.queueMail(em, { kind: 'confirm', userId: user.id, to: user.email });
}
