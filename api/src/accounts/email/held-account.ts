import type { EntityManager } from '@mikro-orm/postgresql';
import { sqlOf } from '../../entities/sql-of.ts';

export interface HeldAccount {
  id: number;
  email: string | null;
  pendingEmail: string | null;
  isConfirmed: boolean;
}

/** Whether both are one address; case alone makes no other. */
export function isSameAddress(one: string | null | undefined, other: string | null | undefined): boolean {
  return (one ?? '').trim().toLowerCase() === (other ?? '').trim().toLowerCase();
}

/**
 * The account's addresses, with its row locked until the transaction ends; null when there is no such account. Others
 * may lay down mails to the account meanwhile: two that change to each other's addresses don't wait for each other.
 */
export async function holdAccount(em: EntityManager, userId: number): Promise<HeldAccount | null> {
  const { rows } = await sqlOf(em).query<HeldAccount>(
    `select id, email, pending_email as "pendingEmail", email_confirmed_at is not null as "isConfirmed"
       from users where id = $1 for no key update`,
    [userId],
  );
  const [row] = rows;
  return row ? { ...row, id: Number(row.id) } : null;
}
