import type { EntityManager } from '@mikro-orm/postgresql';
import type { Queryable } from '../../base/database.ts';

/** What the admin did, in the log that nobody can change. It never names a person: subjects are ids. */
export interface AdminAct {
  adminId: number;
  /** 'approved', 'rejected', 'changed the notes of', 'erased' */
  act: string;
  /** 'deletion request DR-7F3K2Q', 'user 12' */
  subject: string;
}

const insert = (place: (index: number) => string) =>
  `insert into admin_acts (admin_id, act, subject) values (${[1, 2, 3].map(place).join(', ')})`;

/** Writes an act down. @param queryable the client of the transaction that acts */
export async function noteAdminAct(queryable: Queryable, { adminId, act, subject }: AdminAct): Promise<void> {
  await queryable.query(
    insert((index) => `$${index}`),
    [adminId, act, subject],
  );
}

/** `noteAdminAct` inside the ORM's transaction. */
export async function noteAdminActWith(em: EntityManager, { adminId, act, subject }: AdminAct): Promise<void> {
  await em.execute(
    insert(() => '?'),
    [adminId, act, subject],
  );
}
