import type { Queryable } from '../base/database.ts';
import type { AuditEntry } from '../domain/audit-actions.ts';

/** Adds a row to the audit log. @param queryable the client of the transaction that acts, where there is one */
export async function writeAuditLog(queryable: Queryable, entry: AuditEntry): Promise<void> {
  const { actor, action, subject, outcome } = entry;
  await queryable.query('insert into audit_log (actor, action, subject, outcome) values ($1, $2, $3, $4)', [
    actor,
    action,
    subject,
    outcome,
  ]);
}
