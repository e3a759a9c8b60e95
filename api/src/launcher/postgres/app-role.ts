import { randomBytes } from 'node:crypto';
import { makePool, type Queryable } from '../../base/database.ts';

const APP_ROLE = 'lotwatch';

/** The tables with restricted privileges for the application's role, which may read and write all others. */
const RESTRICTED = `(values
  ('audit_log', array['select']),
  ('database_layout', array['select']),
  ('migrations', array['select'])
) as restricted (name, privileges)`;
/** The database sets the other columns, the time and the id. */
const AUDIT_COLUMNS = ['actor', 'action', 'subject', 'outcome'];

/** Selects the GRANT and REVOKE statements that are still needed for exactly these privileges. */
const MISSING_GRANTS = `
  with tables as (
    select c.oid, c.relname, coalesce(restricted.privileges, array['select', 'insert', 'update', 'delete']) as wanted
      from pg_class c left join ${RESTRICTED} on restricted.name = c.relname
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm'))
  select format('grant usage on schema %I to %I', current_schema(), $1::text) as statement
   where not has_schema_privilege($1, current_schema(), 'usage')
  union all
  select format('revoke %s on %I from %I', privilege, relname, $1)
    from tables, unnest(array['insert', 'update', 'delete', 'truncate']) privilege
   where privilege <> all (wanted) and has_table_privilege($1, oid, privilege)
  union all
  select format('grant %s on %I to %I', privilege, relname, $1)
    from tables, unnest(wanted) privilege where not has_table_privilege($1, oid, privilege)
  union all
  select format('grant insert (%I) on audit_log to %I', name, $1)
    from unnest($2::text[]) name where not has_column_privilege($1, 'audit_log', name, 'insert')
  union all
  select format('grant usage, select, update on sequence %I to %I', c.relname, $1)
    from pg_class c
   where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S'
     and not (has_sequence_privilege($1, c.oid, 'usage') and has_sequence_privilege($1, c.oid, 'update'))`;

/** Reads the role of a database address. */
export async function readRole(databaseUrl: string): Promise<string> {
  const pool = makePool(databaseUrl, 1, 'lotwatch-prepare');
  try {
    const { rows } = await pool.query<{ role: string }>('select session_user::text as role');
    return rows[0]?.role ?? '';
  } finally {
    await pool.end();
  }
}

/**
 * Creates the role of API and worker on the embedded server, with a new password for each start. The role can change
 * neither the audit log nor the schema.
 * @returns its database address
 */
export async function makeAppRole(ownerUrl: string, role = APP_ROLE): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  const pool = makePool(ownerUrl, 1, 'lotwatch-prepare');
  try {
    const { rowCount } = await pool.query('select from pg_roles where rolname = $1', [role]);
    const { rows } = await pool.query<{ statement: string }>(
      `select format('%s role %I login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password %L',
                     $1::text, $2::text, $3::text) as statement`,
      [rowCount ? 'alter' : 'create', role, password],
    );
    await pool.query(rows[0]?.statement ?? '');
  } finally {
    await pool.end();
  }
  return Object.assign(new URL(ownerUrl), { username: role, password }).href;
}

/**
 * Grants a role the privileges of the application, as the owner of the tables. It grants only what is missing, so that it
 * can run at every start.
 * @throws Error for a role that owns the tables
 */
export async function grantToApp(owner: Queryable, role: string): Promise<void> {
  const { rows: own } = await owner.query<{ owns: boolean }>(
    `select pg_has_role($1, relowner, 'usage') as owns from pg_class where oid = 'audit_log'::regclass`,
    [role],
  );
  if (own[0]?.owns !== false) {
    throw new Error(
      `The role ${role} of DATABASE_URL owns the tables, so that DATABASE_OWNER_URL protects nothing. ` +
        'Give DATABASE_URL a role of its own that is no superuser: api/docs/database-roles.md says how.',
    );
  }
  // Revoking a privilege on a table revokes it on its columns as well, which are granted in a second round.
  for (let round = 0; round < 2; round += 1) {
    const { rows } = await owner.query<{ statement: string }>(MISSING_GRANTS, [role, AUDIT_COLUMNS]);
    if (rows.length === 0) return;
    for (const { statement } of rows) await owner.query(statement);
  }
}
