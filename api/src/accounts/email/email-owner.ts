import type { EntityManager } from '@mikro-orm/postgresql';
import { User } from '../../entities/user.ts';

/** The account that has confirmed this address, other than `exceptUserId`. */
export async function findEmailOwner(em: EntityManager, email: string, exceptUserId: number): Promise<User | null> {
  const rows = await em.execute<{ id: number | string }[]>(
    'select id from users where lower(email) = lower(?) and email_confirmed_at is not null and id <> ?',
    [email, exceptUserId],
  );
  const id = rows[0]?.id;
  return id === undefined ? null : em.findOne(User, { id: Number(id) });
}
