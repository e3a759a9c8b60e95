import type { Queryable } from '../base/database.ts';

/** How much each tab of the admin's page holds. */
export interface CountsForAdmin {
  /** Deletion requests by their state. */
  pending: number;
  approved: number;
  rejected: number;
  completed: number;
  sources: number;
  quarantine: number;
  /** Texts of which it is unknown whether the provider sent them. */
  unknownTexts: number;
  auditEntries: number;
}

/** Counts what the admin's page shows, in one statement. */
export async function countForAdmin(db: Queryable): Promise<CountsForAdmin> {
  const { rows } = await db.query<CountsForAdmin>(
    `select count(*) filter (where status = 'pending')::int4 as pending,
            count(*) filter (where status = 'approved')::int4 as approved,
            count(*) filter (where status = 'rejected')::int4 as rejected,
            count(*) filter (where status = 'completed')::int4 as completed,
            (select count(*) from sources)::int4 as sources,
            (select count(*) from quarantine)::int4 as quarantine,
            (select count(*) from texts where status = 'unknown')::int4 as "unknownTexts",
            (select count(*) from audit_log)::int4 as "auditEntries"
       from deletion_requests`,
  );
  const [counts] = rows;
  if (!counts) throw new Error('An aggregate without groups returns one row.');
  return counts;
}
