/** @module-tag plain */
// A cluster is reached by the role that owns the tables alone.
import { afterAll, describe, expect, it } from 'vitest';
import { setUpDatabase } from '../../../test/database.ts';
import { inTransaction, makePool, type Pool } from '../../base/database.ts';
import { writeAuditLog } from '../../entities/audit-log.ts';
import { grantToApp, makeAppRole, readRole } from './app-role.ts';
import { prepareDatabase } from './prepare-database.ts';

let app: Pool;
let role: string;
let url: string;
const db = setUpDatabase(async () => {
  role = `app ${process.pid} "x"`;
  url = await makeAppRole(db.url, role);
  await prepareDatabase(db.url, 'admin-password', url);
  expect(await readRole(url)).toBe(role);
  app = makePool(url, 2);
});
afterAll(async () => {
  await app.end();
  // Roles belong to the server: the grants in this database must be removed first.
  await db.pool.query(`drop owned by ${JSON.stringify(role).replaceAll('\\"', '""')}`);
  await db.pool.query(`drop role ${JSON.stringify(role).replaceAll('\\"', '""')}`);
});

const entry = { actor: 'admin', action: 'admin.login', subject: 'user 1', outcome: 'done' } as const;

describe('the role that the application runs as', () => {
  it('can append to the audit log and read it', async () => {
    await writeAuditLog(app, entry);
    expect((await app.query('select action from audit_log')).rows).toEqual([{ action: 'admin.login' }]);
  });

  it.each([
    "update audit_log set outcome = ''",
    'delete from audit_log',
    'truncate audit_log',
    'drop table audit_log',
    'drop trigger audit_log_append_only on audit_log',
    'alter table audit_log disable trigger all',
    'alter table audit_log owner to current_user',
    'create or replace function reject_changes() returns trigger language plpgsql as $$ begin return null; end $$',
    "insert into audit_log (at, actor, action, outcome) values ('2001-01-01', 'admin', 'admin.login', 'done')",
    "insert into audit_log (id, actor, action, outcome) overriding system value values (1, 'admin', 'x', 'done')",
    'set session_replication_role = replica',
    "insert into migrations (name) values ('999-none')",
    'create table mine (id int8)',
  ])('is refused: %s', async (statement) => {
    await expect(app.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  // Where tables are distributed, all processes connect as their owner.
  it('can read and write every other table, and use sequences', async () => {
    const rows = await db.rows(
      `select relname as name,
              has_table_privilege($1, oid, 'select') and has_table_privilege($1, oid, 'insert')
                and has_table_privilege($1, oid, 'update') and has_table_privilege($1, oid, 'delete') as may
         from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
      [role],
    );
    expect(
      rows
        .filter(({ may }) => !may)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['audit_log', 'database_layout', 'migrations']);
    await app.query("insert into users (username, password_hash) values ('ana', '')");
    await app.query("select setval('webhook_events_id_seq', nextval('webhook_events_id_seq'))");
  });

  it('is granted privileges on later tables, and nothing twice', async () => {
    await db.pool.query('create table brought (id int8 generated always as identity, name text)');
    await expect(app.query('select from brought')).rejects.toMatchObject({ code: '42501' });
    await grantToApp(db.pool, role);
    await app.query("insert into brought (name) values ('x')");
    const granted = () =>
      db.rows('select relname, xmin, relacl::text from pg_class where relacl is not null order by 1');
    const before = await granted();
    await grantToApp(db.pool, role);
    expect(await granted()).toEqual(before);
  });

  it('loses additional privileges', async () => {
    await db.pool.query(`grant all on audit_log to ${JSON.stringify(role).replaceAll('\\"', '""')}`);
    await grantToApp(db.pool, role);
    await expect(app.query('truncate audit_log')).rejects.toMatchObject({ code: '42501' });
    await writeAuditLog(app, entry);
  });

  // A distributed table keeps its one partition.
  it('changes partitions by functions that check its privileges, and reads and writes new ones', async () => {
    const [first, second] = ["select prepare_bound('matches', 1000)", "select bound_last_partition('matches', 0)"];
    await app.query(first);
    await app.query(first);
    await app.query(second);
    await app.query(
      'insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced) values (2000, 1, 1, 1, 1, false)',
    );
    await app.query("select begin_leaving('matches', 1000, interval '1 day')");
    await app.query("select copy_staying('matches', 10)");
    await app.query("select finish_leaving('matches')");
    expect((await app.query('select listing_id from matches_from_1000')).rows).toEqual([{ listing_id: 2000 }]);
    for (const table of ['users', 'audit_log'])
      await expect(app.query('select prepare_bound($1, 1000)', [table])).rejects.toMatchObject({ code: '42501' });
    const other = `${role} other`;
    const quoted = JSON.stringify(other).replaceAll('\\"', '""');
    await db.pool.query(`create role ${quoted}`);
    await expect(
      inTransaction(db.pool, async (client) => {
        await client.query(`set local session authorization ${quoted}`);
        await client.query(second);
      }),
    ).rejects.toMatchObject({ code: '42501' });
    await db.pool.query(`drop role ${quoted}`);
  });

  it('starts on a database that its owner has migrated', async () => {
    expect(await prepareDatabase(url, undefined)).toEqual({ migrations: [], adminPassword: null });
    await db.pool.query("update migrations set name = '001-other' where name = '001-start'");
    await expect(prepareDatabase(url, undefined)).rejects.toThrow('Set DATABASE_OWNER_URL');
    await db.pool.query("update migrations set name = '001-start' where name = '001-other'");
  });

  it('gets another password with each start', async () => {
    const again = await makeAppRole(db.url, role);
    expect(again).not.toBe(url);
    const pool = makePool(again, 1);
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });
});

it('refuses a role that owns the tables', async () => {
  await expect(grantToApp(db.pool, await readRole(db.url))).rejects.toThrow('DATABASE_OWNER_URL protects nothing');
});
