import type { EntityManager } from '@mikro-orm/postgresql';

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
  const [row] = await em.execute<{ id: number | string; email: string }[]>(
    'select id, email from users where lower(email) = lower(?) and email_confirmed_at is not null and id <> ?',
    [email, exceptUserId],
  );
  return row ? { id: Number(row.id), email: row.email } : null;
}
