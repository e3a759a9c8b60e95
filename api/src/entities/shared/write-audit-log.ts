import type { EntityManager } from '@mikro-orm/postgresql';
import type { Queryable } from '../../base/database.ts';
import type { AuditEntry } from '../../domain/audit-actions.ts';

const insert = (place: (index: number) => string) =>
  `insert into audit_log (actor, action, subject, outcome) values (${[1, 2, 3, 4].map(place).join(', ')})`;

const values = ({ actor, action, subject, outcome }: AuditEntry) => [actor, action, subject, outcome];

/** Adds a row to the audit log. @param queryable the client of the transaction that acts, where there is one */
export async function writeAuditLog(queryable: Queryable, entry: AuditEntry): Promise<void> {
  await queryable.query(
    insert((index) => `$${index}`),
    values(entry),
  );
}

/** `writeAuditLog` inside the ORM's transaction. */
export async function writeAuditLogWith(em: EntityManager, entry: AuditEntry): Promise<void> {
  await em.execute(
    insert(() => '?'),
    values(entry),
  );
}
