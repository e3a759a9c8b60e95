import { UniqueConstraintViolationException } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import { lookAtPayments } from '../entities/shared/look-at-payments.ts';
import { releaseWaitingMailWith } from '../entities/shared/queue-mail.ts';

/**
 * Marks the address as confirmed and wakes the sender: what waited for it may leave.
 * @throws AppError NOT_FOUND when the account has another address by now, CONFLICT when another account confirmed it
 */
export async function confirmEmail(em: EntityManager, { userId, email }: { userId: number; email: string }) {
  try {
    await em.transactional(async (tx) => {
      const rows = await tx.execute<{ id: unknown }[]>(
        `update users set email_confirmed_at = coalesce(email_confirmed_at, now())
          where id = ? and lower(email) = lower(?) returning id`,
        [userId, email],
      );
      if (rows.length === 0) throw new AppError('NOT_FOUND', 'This link is no longer valid.');
      await releaseWaitingMailWith(tx, userId);
      await lookAtPayments(tx, userId);
    });
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    throw new AppError('CONFLICT', 'This address belongs to another account.', { cause: error });
  }
}
