import type { Queryable } from '../base/database.ts';
import { type AuditActor, auditLabel } from '../domain/audit-actions.ts';

/** A row of the audit log as the admin reads it. */
interface AuditRow {
  id: number;
  at: Date;
  actor: AuditActor;
  action: string;
  label: string;
  subject: string | null;
  outcome: string;
}

/** Reads rows of the audit log, newest first. @param before the id of a row: only older rows are read */
export async function readAuditLog(
  db: Queryable,
  { first, before }: { first: number; before?: number | undefined },
): Promise<{ rows: AuditRow[]; hasMore: boolean }> {
  const { rows } = await db.query<Omit<AuditRow, 'label'>>(
    `select id, at, actor, action, subject, outcome from audit_log
      where $1::int8 is null or id < $1 order by id desc limit $2`,
    [before ?? null, first + 1],
  );
  return {
    rows: rows.slice(0, first).map((row) => ({ ...row, label: auditLabel(row.action) })),
    hasMore: rows.length > first,
  };
}
