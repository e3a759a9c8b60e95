import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../../base/errors.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import { User } from '../../entities/user.ts';
import { readSuppression, resumeAddress, type Suppression } from '../../notify/channels/email/suppress-addresses.ts';
import type { VendorSuppressions } from '../../vendors/mail.ts';
import { type ConfirmationParts, lockAccount, ownsAddress } from './addresses.ts';

export interface ResumeParts extends ConfirmationParts {
  /** null where mails go to the outbox. */
  vendorSuppressions: VendorSuppressions | null;
}

/** A server that returned a mail hardly accepts the next one sooner. */
const RESUMED_AGAIN_MS = 3_600_000;

/** Whether the user's address is theirs. Who only typed another's learns nothing of its suppression, and can't end it. */
const owns = (em: EntityManager, parts: ConfirmationParts, { id, email, pendingEmail, emailConfirmedAt }: User) =>
  ownsAddress(em, parts, {
    id,
    email: email ?? null,
    pendingEmail: pendingEmail ?? null,
    isConfirmed: Boolean(emailConfirmedAt),
  });

/** Reads why no mails about cars go to the user's address; null where they do, or where the address is not theirs. */
export async function readOwnSuppression(
  em: EntityManager,
  parts: ConfirmationParts,
  user: User,
): Promise<Suppression | null> {
  const suppression = user.email ? await readSuppression(sqlOf(em), user.email) : null;
  return suppression && (await owns(em, parts, user)) ? suppression : null;
}

/**
 * Lets mails about cars go to the viewer's address again, also at the vendor; once an hour. The answer is the same for an
 * address that is not suppressed.
 * @throws AppError UNAUTHENTICATED, VALIDATION without an address, CONFLICT, RATE_LIMITED, VENDOR
 */
export async function resumeEmail(em: EntityManager, parts: ResumeParts, userId: number): Promise<User> {
  const user = await em.findOne(User, { id: userId });
  if (!user) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  const { email } = user;
  if (!email) throw new AppError('VALIDATION', 'There is no email address in your settings.');
  if (!(await owns(em, parts, user))) {
    throw new AppError('CONFLICT', 'Please confirm this address first, or use another one.');
  }
  const suppression = await readSuppression(sqlOf(em), email);
  if (!suppression) return user;
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
