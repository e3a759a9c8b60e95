import type { EntityManager } from '@mikro-orm/postgresql';
import type { Queryable } from '../../base/database.ts';
import { writeAuditLog } from '../../entities/audit-log.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import type { NewMail } from '../../notify/enqueue-mail.ts';
import { isAdmin } from '../../policies/admin.ts';

export interface ConfirmationParts {
  /** Whether an unconfirmed address gets no mail except its confirmation. */
  confirmEmail: boolean;
}

export interface LockedAccount {
  id: number;
  email: string | null;
  pendingEmail: string | null;
  isConfirmed: boolean;
}

/** Compares two addresses without regard to case. */
export function isSameAddress(one: string | null | undefined, other: string | null | undefined): boolean {
  return (one ?? '').trim().toLowerCase() === (other ?? '').trim().toLowerCase();
}

/**
 * Locks the account's row until the transaction ends and reads its addresses; null when there is no such account. Rows
 * that refer to the account, such as mails, can still be inserted, so that two accounts that change to each other's
 * addresses don't deadlock.
 */
export async function lockAccount(em: EntityManager, userId: number): Promise<LockedAccount | null> {
  const { rows } = await sqlOf(em).query<LockedAccount>(
    `/* lock-addresses */ select id, email, pending_email as "pendingEmail", email_confirmed_at is not null as "isConfirmed"
       from users where id = $1 for no key update`,
    [userId],
  );
  const [row] = rows;
  return row ? { ...row, id: Number(row.id) } : null;
}

interface EmailOwner {
  id: number;
  /** As the account has it. */
  email: string;
}

/**
 * Finds the account, other than `exceptUserId`, that has confirmed this address. It takes one statement in either case,
 * since a second one would show in the response time whether the address is taken.
 */
export async function findEmailOwner(
  em: EntityManager,
  email: string,
  exceptUserId: number,
): Promise<EmailOwner | null> {
  const { rows } = await sqlOf(em).query<EmailOwner>(
    'select id, email from users where lower(email) = lower($1) and email_confirmed_at is not null and id <> $2',
    [email, exceptUserId],
  );
  return rows[0] ?? null;
}

/**
 * Whether mails about the account may go to its address. An unconfirmed address may be a stranger's, so it counts only
 * where addresses need no confirmation and no other account has confirmed it.
 */
export async function ownsAddress(
  em: EntityManager,
  { confirmEmail }: ConfirmationParts,
  account: LockedAccount,
): Promise<boolean> {
  if (account.email === null) return false;
  if (account.isConfirmed) return true;
  return !confirmEmail && (await findEmailOwner(em, account.email, account.id)) === null;
}

/**
 * Records the address that an account is about to replace, so that its owner can restore it. When the account returns to
 * a former address, that one and all later ones are deleted: nobody who used them in between can restore theirs. The
 * account must be locked.
 * @param newAddress null when the account has no address afterwards
 * @returns the mail to the old address, with a link that restores it; null when the address is not the owner's
 */
export async function recordFormerAddress(
  em: EntityManager,
  parts: ConfirmationParts,
  account: LockedAccount,
  newAddress: string | null,
): Promise<NewMail | null> {
  const { id: userId, email } = account;
  if (email === null) return null;
  const isOwned = await ownsAddress(em, parts, account);
  const isReturn = newAddress !== null && (await deleteFormerAddresses(em, userId, newAddress));
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

/** Writes a changed address of the admin's account to the audit log. */
export async function auditAddressChange(em: EntityManager, userId: number, outcome: string): Promise<void> {
  if (!isAdmin({ id: userId })) return;
  const subject = `user ${userId}`;
  await writeAuditLog(sqlOf(em), { actor: 'admin', action: 'admin.profile.change', subject, outcome });
}

/** Deletes a former address and all later ones. @returns whether the address was a former one */
export async function deleteFormerAddresses(em: EntityManager, userId: number, address: string): Promise<boolean> {
  const { rows } = await sqlOf(em).query(
    `delete from former_emails where user_id = $1 and id >= (
       select id from former_emails where user_id = $1 and lower(address) = lower($2))
     returning id`,
    [userId, address],
  );
  return rows.length > 0;
}

/** Answers after at least `ms` milliseconds, so that the response time does not show whether an address is known. */
export async function withMinimumDuration<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const [result] = await Promise.all([work(), new Promise((resolve) => setTimeout(resolve, ms))]);
  return result;
}

/**
 * What an account has to do with the address that a link was mailed to: `kept` is its address, `pending` its address
 * until another one is confirmed, `former` one that it can get back, and `gone` none of these.
 */
export type AccountOfLink = { state: 'kept' | 'former' | 'gone' } | { state: 'pending'; pendingEmail: string };

/** Reads the state for the page of an undo link. Pressing its button checks the state again. */
export async function readAccountOfLink(
  queryable: Queryable,
  { userId, email }: { userId: number; email: string },
): Promise<AccountOfLink> {
  const { rows } = await queryable.query<{ isTheirs: boolean; pendingEmail: string | null; wasTheirs: boolean }>(
    `select coalesce(lower(u.email) = lower($2), false) as "isTheirs", u.pending_email as "pendingEmail",
            exists (select from former_emails f where f.user_id = u.id and lower(f.address) = lower($2)) as "wasTheirs"
       from users u where u.id = $1`,
    [userId, email],
  );
  const [account] = rows;
  if (!account) return { state: 'gone' };
  if (!account.isTheirs) return { state: account.wasTheirs ? 'former' : 'gone' };
  return account.pendingEmail === null ? { state: 'kept' } : { state: 'pending', pendingEmail: account.pendingEmail };
}

/** Whether the address can be confirmed for the account, is confirmed already, or is not the account's. */
export type ConfirmationState = 'open' | 'confirmed' | 'gone';

/** Reads the state for the page of a confirmation link. */
export async function readConfirmation(
  queryable: Queryable,
  { userId, email }: { userId: number; email: string },
): Promise<ConfirmationState> {
  const { rows } = await queryable.query<{ state: ConfirmationState }>(
    `select case when lower(pending_email) = lower($2) then 'open'
                 when lower(email) is distinct from lower($2) then 'gone'
                 when email_confirmed_at is not null then 'confirmed'
                 when pending_email is null then 'open' else 'gone' end as state
       from users where id = $1`,
    [userId, email],
  );
  return rows[0]?.state ?? 'gone';
}
