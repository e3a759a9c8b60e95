import type { Queryable } from '../base/database.ts';
import { holdFunction, holdTrigger } from './hold-shards.ts';
import { positionFunctions, positionTriggers, serverTables } from './position-functions.ts';
import { lockFunctions } from './server-locks.ts';
import { shardFunctions } from './shard-functions.ts';
import { byUser, copied } from './table-places.ts';

const DISTRIBUTED: readonly string[] = byUser;
const EVERYWHERE: readonly string[] = copied;
/** These are at the coordinator, and have no triggers but for the version before, which would lock a copied table as a whole. */
const WITH_OLD_TRIGGERS = ['api_keys', 'api_usage', 'shared_links'];
/** The others lie beside it. */
const FIRST = 'alerts';
/** Among so many users each of a few hundred shards has one. */
const TRIED_USERS = 20_000;

/** Runs statements that the database makes from its catalog. */
export async function runSelected(db: Queryable, select: string, ...values: readonly unknown[]): Promise<void> {
  const { rows } = await db.query<{ statement: string }>(select, [...values]);
  for (const { statement } of rows) await db.query(statement);
}

/** Those of the tables that are at the coordinator alone. */
async function undistributed(db: Queryable, tables: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select name from unnest($1::text[]) with ordinality named (name, at)
      where not exists (select from pg_dist_partition p
                         where p.logicalrelid = name::regclass and (p.partmethod = 'h' or p.repmodel = 't'))
      order by at`,
    [tables],
  );
  return rows.map(({ name }) => name);
}

/** These triggers do what the version before the table's own needs. On the server of a row they would lack other tables. */
const dropTriggers = (db: Queryable, tables: readonly string[]) =>
  runSelected(
    db,
    `select format('drop trigger %I on %s', tgname, tgrelid::regclass) as statement
       from pg_trigger where tgrelid = any ($1::text[]::regclass[]) and not tgisinternal and tgparentid = 0`,
    tables,
  );

/** A distributed table can't have a key without the user. Those that are left are for the version before. */
const dropKeysWithoutUser = (db: Queryable, tables: readonly string[]) =>
  runSelected(
    db,
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement
       from pg_constraint c
      where contype = 'u' and conparentid = 0 and conrelid = any ($1::text[]::regclass[])
        and not exists (select from pg_attribute a where a.attrelid = c.conrelid and a.attnum = any (c.conkey) and a.attname = 'user_id')`,
    tables,
  );

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
  isByUser: boolean;
}

/**
 * Drops foreign keys, as Citus would take the tables that refer to others into its care, and refuses those with an identity.
 * Erasing an account deletes its rows by statements.
 * @param tables those that are to be distributed @param copies those that are to be copied
 * @returns those of the former, to be made again
 */
async function dropForeignKeys(
  db: Queryable,
  tables: readonly string[],
  copies: readonly string[],
): Promise<ForeignKey[]> {
  const { rows } = await db.query<ForeignKey>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition,
            conrelid = any ($1::text[]::regclass[]) as "isByUser"
       from pg_constraint
      where contype = 'f' and conparentid = 0
        and (conrelid = any ($1::text[]::regclass[]) or conrelid = any ($2::text[]::regclass[])
             or confrelid = any ($3::text[]::regclass[]) and conrelid <> all ($4::text[]::regclass[]))`,
    [tables, copies, EVERYWHERE, [...EVERYWHERE, ...DISTRIBUTED]],
  );
  for (const { table, name } of rows) await db.query(`alter table ${table} drop constraint ${name}`);
  return rows.filter(({ isByUser }) => isByUser);
}

const distributeTable = (db: Queryable, table: string) =>
  db.query("select create_distributed_table($1, 'user_id', colocate_with => $2)", [
    table,
    table === FIRST ? 'none' : FIRST,
  ]);

/** Whether a migration has made tables that are not where they are to be, or that refer to copied ones. */
export async function hasNewTables(db: Queryable): Promise<boolean> {
  const { rows } = await db.query(
    `select from pg_constraint where contype = 'f' and conparentid = 0 and confrelid = any ($1::text[]::regclass[])
        and conrelid <> all ($2::text[]::regclass[]) and conrelid not in (select logicalrelid from pg_dist_partition)`,
    [EVERYWHERE, [...EVERYWHERE, ...DISTRIBUTED]],
  );
  return rows.length > 0 || (await undistributed(db, [...DISTRIBUTED, ...EVERYWHERE])).length > 0;
}

/**
 * Brings a cluster to what this version needs, in the transaction of the caller: distributes the tables that are at the
 * coordinator alone, all of a new database and those that migrations have made since, and replaces the functions.
 * @param say is told of each table
 */
export async function distributeTables(db: Queryable, say: (line: string) => void = () => {}): Promise<void> {
  // Foreign keys between tables that are distributed in one transaction need this.
  await db.query("set local citus.multi_shard_modify_mode = 'sequential'");
  await db.query('set local citus.enable_unsafe_triggers = on');
  // A table that refers to a copied one would be taken into the care of Citus, which then can't let go of its identity.
  await db.query('set local citus.enable_local_reference_table_foreign_keys = off');
  const tables = await undistributed(db, [FIRST, ...DISTRIBUTED.filter((name) => name !== FIRST)]);
  const isNew = tables.includes(FIRST);
  const copies = await undistributed(db, EVERYWHERE);
  await dropTriggers(db, [...tables, ...copies, ...(isNew ? WITH_OLD_TRIGGERS : [])]);
  await dropKeysWithoutUser(db, tables);
  const foreignKeys = await dropForeignKeys(db, tables, copies);
  // Each server numbers events so that the numbers grow wherever their webhook is.
  if (isNew) await db.query('alter table webhook_events alter id drop identity');
  for (const table of copies) {
    await db.query('select create_reference_table($1)', [table]);
    say(`${table} is copied to all servers.`);
  }
  for (const table of tables) {
    await distributeTable(db, table);
    say(`${table} is distributed.`);
  }
  for (const { table, name, definition } of foreignKeys)
    await db.query(`alter table ${table} add constraint ${name} ${definition}`);
  if (isNew) await makeShardTables(db);
  for (const functions of CODE) await db.query(functions);
  if (isNew) {
    for (const trigger of positionTriggers) await db.query(trigger);
    await nameShards(db);
  }
  for (const table of DISTRIBUTED.filter((name) => tables.includes(name))) await makeTriggers(db, table);
}

/**
 * SQL: a row that a shard inserts by itself gets its id there, from the sequence of its server: Citus gives each server a range of
 * its own, and does so itself only for what the coordinator inserts. With a constant in place of an argument, and no setting, it
 * costs a third for each row.
 */
const NUMBERING = [
  `create or replace function %1$I() returns trigger language plpgsql security definer as $number$
       begin
         new.id := pg_catalog.nextval(%3$L::pg_catalog.regclass);
         return new;
       end $number$`,
  'create or replace trigger number_row before insert on %2$s for each row when (new.id is null) execute function %1$I()',
] as const;
const NUMBERED = `
  select format($2, 'number_' || attrelid::regclass, attrelid::regclass, pg_get_serial_sequence(attrelid::regclass::text, 'id')) as statement
    from pg_attribute where attname = 'id' and attidentity <> '' and attrelid = any ($1::text[]::regclass[])`;

async function makeTriggers(db: Queryable, table: string): Promise<void> {
  await db.query(holdTrigger(table));
  for (const statement of NUMBERING) await runSelected(db, NUMBERED, [table], statement);
}

/**
 * Replaces the triggers of tables that were distributed before, which others write: each in a transaction of its own.
 * @param run runs one
 */
export async function replaceTriggers(run: (work: (db: Queryable) => Promise<void>) => Promise<void>): Promise<void> {
  for (const trigger of positionTriggers) await run(async (db) => void (await db.query(trigger)));
  for (const table of DISTRIBUTED) await run((db) => makeTriggers(db, table));
}

/**
 * Makes the tables that each shard has a part of: the epochs in which its rows got positions, and a row with the least user who
 * would be there, by which a statement is sent to it. The position of a match is one of the server that has the row: a
 * statement leaves it out, or sets it to null, where the row is to get a new one.
 */
async function makeShardTables(db: Queryable): Promise<void> {
  await db.query('alter table matches alter position drop default');
  await db.query('create table shard_epochs (user_id int8 not null, epoch int8 not null)');
  await db.query('create table shards_here (user_id int8 primary key, shard_id int8 not null)');
  for (const table of ['shard_epochs', 'shards_here']) await distributeTable(db, table);
  // A shard is moved while it is written, for which each row has to be named.
  for (const table of ['alert_cells', 'shard_epochs']) await db.query(`alter table ${table} replica identity full`);
}

async function nameShards(db: Queryable): Promise<void> {
  await db.query(
    `insert into shards_here
     select min(u), shard from (select u, get_shard_id_for_distribution_column($1, u) as shard
                           from generate_series(1, ${TRIED_USERS}) u) placed group by shard`,
    [FIRST],
  );
  const { rows: shards } = await db.query("select from pg_dist_shard where logicalrelid = 'shards_here'::regclass");
  const { rows: named } = await db.query('select user_id from shards_here');
  if (named.length < shards.length) throw new Error('There are too many shards: set citus.shard_count to 128 or less.');
}

/** SQL: the trigger of a session locks the coordinator's copy of its user, as all who lock accounts do. */
const sessionFunction = `
  create or replace function skip_session_without_user() returns trigger language plpgsql as $$
    begin
      perform run_on_shard(0, 'lock-owner-of-session', 'select id from users where id = $1 for key share', array[new.sess ->> 'userId']);
      if found then return new; end if;
      return null;
    end $$`;

/** SQL: the functions of a cluster. Each can be run again. */
const CODE = [holdFunction, positionFunctions, shardFunctions, lockFunctions, sessionFunction];

/** All that a cluster has of its version besides the tables, for the test that compares it with the number of the version. */
export const partsOfCluster = [
  serverTables,
  ...CODE,
  ...positionTriggers,
  holdTrigger('of_users'),
  ...NUMBERING,
  ...DISTRIBUTED,
  ...EVERYWHERE,
] as const;

/** Removes the rows that the coordinator had of tables before they were distributed, which nobody sees but checks of new constraints. */
export const removeLocalRows = (db: Queryable): Promise<void> =>
  runSelected(
    db,
    `select format('select truncate_local_data_after_distributing_table(%L)', name) as statement
       from unnest($1::text[]) name where pg_relation_size(name::regclass) > 0`,
    [...DISTRIBUTED, ...EVERYWHERE],
  );

/** Makes the tables by which each server counts positions, outside of any transaction. Some of the coordinator are there. */
export const prepareServers = (db: Queryable): Promise<void> => onAllServers(db, serverTables);

/** @throws Error with what a server says */
export async function onAllServers(db: Queryable, statements: string): Promise<void> {
  const { rows } = await db.query<{ success: boolean; result: string }>(
    'select success, result from run_command_on_all_nodes($1)',
    [statements],
  );
  const failed = rows.find(({ success }) => !success);
  if (failed) throw new Error(`A server of the cluster refuses: ${failed.result}`);
}
