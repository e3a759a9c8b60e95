import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import { isSamePhone } from '../domain/phone-number.ts';
import { lookAtPayments } from '../entities/shared/look-at-payments.ts';
import { queueMailWith } from '../entities/shared/queue-mail.ts';
import { writeAuditLogWith } from '../entities/shared/write-audit-log.ts';
import { User } from '../entities/user.ts';
import { isAdmin } from '../policies/admin.ts';
import { requirePassword } from '../policies/password-operations.ts';
import { checkProfile, type ProfileInput } from './account-input.ts';
import { findEmailOwner } from './email-owner.ts';
import { type ConfirmationParts, requestConfirmation } from './resend-confirmation.ts';
import type { Viewer } from './signed-in.ts';

/** Whether it is another address; one that differs in case alone is the same. */
export function isOtherAddress(before: string | null | undefined, after: string | null | undefined): boolean {
  return (before ?? '').trim().toLowerCase() !== (after ?? '').trim().toLowerCase();
}

/**
 * Changes what is given: absent stays, `null` and '' clear. A changed e-mail is unconfirmed and asked to confirm
 * itself, the old one is told; one that another account has confirmed looks the same here and is told by mail. A
 * changed phone is unconfirmed. All under the user's row lock, so that of two calls one sees what the other did.
 * @throws AppError VALIDATION with `fields`, PASSWORD_NEEDED for another e-mail or phone
 */
export async function updateProfile(
  em: EntityManager,
  parts: ConfirmationParts,
  viewer: Viewer,
  input: ProfileInput,
): Promise<User> {
  const userId = viewer.id;
  return em.transactional(async (tx) => {
    await tx.execute('select id from users where id = ? for update', [userId]);
    const user = await tx.findOne(User, { id: userId }, { refresh: true });
    if (!user) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
    const profile = checkProfile(input, {
      email: user.email ?? null,
      phone: user.phone ?? null,
      timeZone: user.timeZone,
    });
    const old = { email: user.email ?? null, wasConfirmed: Boolean(user.emailConfirmedAt) };
    const hasNewAddress = isOtherAddress(old.email, profile.email);
    const hasNewPhone = !isSamePhone(profile.phone, user.phone ?? null);
    if (hasNewAddress || hasNewPhone) requirePassword(viewer);
    if (hasNewAddress) user.emailConfirmedAt = null;
    if (hasNewPhone) user.phoneConfirmedAt = null;
    else profile.phone = user.phone ?? null;
    Object.assign(user, profile);
    await tx.flush();
    if (isAdmin(user)) {
      const subject = `user ${user.id}`;
      await writeAuditLogWith(tx, { actor: 'admin', action: 'admin.profile.change', subject, outcome: 'done' });
    }
    if (hasNewAddress) {
      await lookAtPayments(tx, userId);
      if (old.email) await tellOldAddress(tx, parts, user, { ...old, email: old.email });
      await requestConfirmation(tx, parts, user);
    }
    return user;
  });
}

/** An address that nobody confirmed may be a stranger's: it gets what unconfirmed addresses get. */
async function tellOldAddress(
  em: EntityManager,
  { confirmEmail }: ConfirmationParts,
  user: User,
  old: { email: string; wasConfirmed: boolean },
): Promise<void> {
  if (!old.wasConfirmed && (confirmEmail || (await findEmailOwner(em, old.email, user.id)))) return;
  const data = { newAddress: user.email ?? null };
  await queueMailWith(em, { kind: 'address_changed', userId: user.id, to: old.email, data });
}
