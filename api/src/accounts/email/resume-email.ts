import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../../base/errors.ts';
import { SuppressionReason } from '../../domain/suppression-reason.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import { User } from '../../entities/user.ts';
import { readSuppression, resumeAddress } from '../../notify/channels/email/suppress-addresses.ts';
import type { VendorSuppressions } from '../../vendors/mail.ts';
import { type ConfirmationParts, lockAccount, ownsAddress } from './addresses.ts';

export interface ResumeParts extends ConfirmationParts {
  /** null where mails go to the outbox. */
  vendorSuppressions: VendorSuppressions | null;
}

/** A server that returned a mail hardly accepts the next one sooner. */
const RESUMED_AGAIN_MS = 3_600_000;

const NOT_YOURS =
  'Somebody who reads mail at this address asked us to stop. Please confirm the address, or use another one.';

/**
 * Lets mails about cars go to the viewer's address again, also at the vendor; once an hour. The answer is the same for an
 * address that is not suppressed. A reader who reported or unsubscribed our mails can't be overruled by an account that has
 * not confirmed the address.
 * @throws AppError UNAUTHENTICATED, VALIDATION without an address, CONFLICT, RATE_LIMITED, VENDOR
 */
export async function resumeEmail(em: EntityManager, parts: ResumeParts, userId: number): Promise<User> {
  const user = await em.findOne(User, { id: userId });
  if (!user) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  const { email } = user;
  if (!email) throw new AppError('VALIDATION', 'There is no email address in your settings.');
  const suppression = await readSuppression(sqlOf(em), email);
  if (!suppression) return user;
  const account = {
    id: userId,
    email,
    pendingEmail: user.pendingEmail ?? null,
    isConfirmed: Boolean(user.emailConfirmedAt),
  };
  const isReadersWish = suppression.reason !== SuppressionReason.bounced;
  if (isReadersWish && !(await ownsAddress(em, parts, account))) throw new AppError('CONFLICT', NOT_YOURS);
  const waitMs = (suppression.resumedAt?.getTime() ?? 0) + RESUMED_AGAIN_MS - Date.now();
  if (waitMs > 0) {
    const message =
      'Mails to this address were tried again a short time ago. Please try later, or use another address.';
    throw new AppError('RATE_LIMITED', message, { retryAfterSeconds: Math.ceil(waitMs / 1000) });
  }
  // Before our own row, as the vendor would drop the next mail and suppress the address again.
  await parts.vendorSuppressions?.remove(email);
  return em.transactional(async (tx) => {
    await lockAccount(tx, userId);
    await resumeAddress(sqlOf(tx), email);
    return user;
  });
}
