import type { EntityManager } from '@mikro-orm/postgresql';
import { queueMailWith } from '../entities/shared/queue-mail.ts';
import type { User } from '../entities/user.ts';
import { findEmailOwner } from './email-owner.ts';

export interface ConfirmationParts {
  confirmEmail: boolean;
}

/** Mails the link that confirms the address; the owner of a taken address is told instead. */
export async function requestConfirmation(em: EntityManager, parts: ConfirmationParts, user: User): Promise<void> {
  if (!user.email || user.emailConfirmedAt) return;
  const owner = await findEmailOwner(em, user.email, user.id);
  if (owner?.email) {
    await queueMailWith(em, { kind: 'address_taken', userId: owner.id, to: owner.email, data: {} });
  } else if (parts.confirmEmail) {
    await queueMailWith(em, { kind: 'confirm', userId: user.id, to: user.email, data: {} });
  }
}
