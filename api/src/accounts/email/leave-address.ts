import type { EntityManager } from '@mikro-orm/postgresql';
import type { NewMail } from '../../entities/shared/queue-mail.ts';
import { writeAuditLog } from '../../entities/shared/write-audit-log.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import { isAdmin } from '../../policies/admin.ts';
import { findEmailOwner } from './email-owner.ts';
import type { HeldAccount } from './held-account.ts';
import type { ConfirmationParts } from './request-confirmation.ts';

/**
 * Whether the account's address may be written to as its owner's. One that nobody confirmed may be a stranger's: it
 * gets what unconfirmed addresses get.
 */
export async function ownsAddress(
  em: EntityManager,
  { confirmEmail }: ConfirmationParts,
  account: HeldAccount,
): Promise<boolean> {
  if (account.email === null) return false;
  if (account.isConfirmed) return true;
  return !confirmEmail && (await findEmailOwner(em, account.email, account.id)) === null;
}

/**
 * Keeps the address that an account is about to leave. Where the account returns to an address that it left, that one
 * and all later ones are no longer kept: whoever used them in between can't put theirs back. Call it under the account's
 * lock.
 * @param newAddress null when there is none any more
 * @returns the mail that tells the address, with a link that puts it back; null where it is not its owner's
 */
export async function leaveAddress(
  em: EntityManager,
  parts: ConfirmationParts,
  account: HeldAccount,
  newAddress: string | null,
): Promise<NewMail | null> {
  const { id: userId, email } = account;
  if (email === null) return null;
  const isOwned = await ownsAddress(em, parts, account);
  const isReturn = newAddress !== null && (await forgetFrom(em, userId, newAddress));
  if (!isOwned) return null;
  if (!isReturn) {
    await sqlOf(em).query(`delete from former_emails where user_id = $1 and lower(address) = lower($2)`, [
      userId,
      email,
    ]);
    await sqlOf(em).query('insert into former_emails (user_id, address) values ($1, $2)', [userId, email]);
  }
  return { kind: 'address_changed', userId, to: email, data: { newAddress, canUndo: !isReturn } };
}

/** Writes down that the account's address is another now, where the account is the admin's. */
export async function noteChange(em: EntityManager, userId: number, outcome: string): Promise<void> {
  if (!isAdmin({ id: userId })) return;
  const subject = `user ${userId}`;
  await writeAuditLog(sqlOf(em), { actor: 'admin', action: 'admin.profile.change', subject, outcome });
}

/** Deletes the kept address and all that were left after it. @returns whether it was kept */
export async function forgetFrom(em: EntityManager, userId: number, address: string): Promise<boolean> {
  const { rows } = await sqlOf(em).query(
    `delete from former_emails where user_id = $1 and id >= (
       select id from former_emails where user_id = $1 and lower(address) = lower($2))
     returning id`,
    [userId, address],
  );
  return rows.length > 0;
}
