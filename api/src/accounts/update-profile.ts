import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '../base/errors.ts';
import { requestSync } from '../billing/customer.ts';
import { isSamePhone } from '../domain/phone-number.ts';
import { writeAuditLog } from '../entities/audit-log.ts';
import { sqlOf } from '../entities/sql-of.ts';
import { User } from '../entities/user.ts';
import { enqueueMails, type NewMail } from '../notify/enqueue-mail.ts';
import { releaseUser } from '../notify/release-waiting.ts';
import { isAdmin } from '../policies/admin.ts';
import { requirePassword } from '../policies/require-operation.ts';
import { checkProfile, type ProfileInput } from './account-input.ts';
import type { ConfirmationParts } from './email/addresses.ts';
import { isSameAddress, type LockedAccount, lockAccount, ownsAddress, recordFormerAddress } from './email/addresses.ts';
import { confirmationMail } from './email/confirm-email.ts';
import type { Viewer } from './signed-in.ts';

/** Whether a given address is neither the account's nor the one that is pending. */
export function isNewAddress(account: Pick<User, 'email' | 'pendingEmail'>, given: string | null | undefined): boolean {
  return Boolean(given?.trim()) && !isSameAddress(account.email, given) && !isSameAddress(account.pendingEmail, given);
}

/**
 * Changes the given fields: absent ones stay, `null` and '' clear. A changed email is pending until it is confirmed; until
 * then the account keeps the old one, which gets a mail with a link that cancels the change. The answer is the same when
 * another account has confirmed the address, and its owner gets a mail. Without an email before, the new one applies at
 * once, as in a registration. A changed phone is unconfirmed. The user's row is locked, so that concurrent calls run one
 * after another.
 * @throws AppError VALIDATION with `fields`, PASSWORD_NEEDED for another email or phone
 */
export async function updateProfile(
  em: EntityManager,
  parts: ConfirmationParts,
  viewer: Viewer,
  input: ProfileInput,
): Promise<User> {
  const userId = viewer.id;
  return em.transactional(async (tx) => {
    const account = await lockAccount(tx, userId);
    const user = account && (await tx.findOne(User, { id: userId }, { refresh: true }));
    if (!user) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
    const profile = checkProfile(input, { email: account.email, phone: user.phone ?? null, timeZone: user.timeZone });
    const { email, ...rest } = profile;
    const isNew = isNewAddress(user, email);
    const isCleared = email === null && account.email !== null;
    const hasNewPhone = !isSamePhone(profile.phone, user.phone ?? null);
    if (isNew || isCleared || hasNewPhone) requirePassword(viewer);
    if (hasNewPhone) user.phoneConfirmedAt = null;
    else rest.phone = user.phone ?? null;
    const hasNewZone = rest.timeZone !== user.timeZone;
    Object.assign(user, rest, emailAfter(account, email));
    await tx.flush();
    if (hasNewZone) await releaseUser(sqlOf(tx), userId);
    if (isAdmin(user)) {
      const subject = `user ${user.id}`;
      await writeAuditLog(sqlOf(tx), { actor: 'admin', action: 'admin.profile.change', subject, outcome: 'done' });
    }
    if (!isSameAddress(user.email, account.email)) await requestSync(sqlOf(tx), userId);
    const mails = [
      isCleared ? await recordFormerAddress(tx, parts, account, null) : null,
      isNew ? await warningMail(tx, parts, account, email) : null,
      isNew ? await confirmationMail(tx, parts, user) : null,
    ];
    await enqueueMails(
      sqlOf(tx),
      mails.filter((mail) => mail !== null),
    );
    return user;
  });
}

/** The columns of the addresses after `given` is saved. */
function emailAfter(before: LockedAccount, given: string | null): Partial<User> {
  if (given === null || before.email === null) {
    const hasOther = given !== before.email;
    return { email: given, pendingEmail: null, ...(hasOther && { emailConfirmedAt: null }) };
  }
  // An address in another case is not a new one.
  return isSameAddress(before.email, given) ? { email: given } : { pendingEmail: given };
}

/** The mail to the account's current address, when that is the owner's; null otherwise. */
async function warningMail(
  em: EntityManager,
  parts: ConfirmationParts,
  account: LockedAccount,
  newAddress: string | null,
): Promise<NewMail | null> {
  if (account.email === null || newAddress === null || !(await ownsAddress(em, parts, account))) return null;
  return { kind: 'address_change', userId: account.id, to: account.email, data: { newAddress } };
}
