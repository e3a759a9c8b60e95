import { randomBytes } from 'node:crypto';
import { makePool, type Queryable } from '../../base/database.ts';

const APP_ROLE = 'lotwatch';

/** By table: all that the role of the running application may do there. All others it reads and writes. */
const RESTRICTED = `(values
  ('audit_log', array['select']),
  ('migrations', array['select'])
) as restricted (name, privileges)`;
/** Time and number of a row are the database's. */
const AUDIT_COLUMNS = ['actor', 'action', 'subject', 'outcome'];

/** Statements that are still to be run so that the role may do what it needs, and no more. */
const MISSING = `
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

/** The role that an address signs in as. */
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
 * Makes the role that api and worker run as on the embedded server, with a password for this run: what is wrong in them
 * can neither change the audit log nor the tables themselves. @returns the address for it
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
 * Lets a role use the tables as the application does, by the one that owns them. Grants only what is missing, so that it
 * may run at every start. @throws Error for a role that could help itself to more
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
  // What is revoked of a table is revoked of its columns as well: they are granted in a second round.
  for (let round = 0; round < 2; round += 1) {
    const { rows } = await owner.query<{ statement: string }>(MISSING, [role, AUDIT_COLUMNS]);
    if (rows.length === 0) return;
    for (const { statement } of rows) await owner.query(statement);
  }
}
