import type { EntityManager } from '@mikro-orm/postgresql';
import { sqlOf } from '../../entities/sql-of.ts';

export interface EmailOwner {
  id: number;
  /** As the account has it. */
  email: string;
}

/**
 * The account that has confirmed this address, other than `exceptUserId`. One statement whether there is one or not: a
 * second one could be told from the time of an answer.
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
