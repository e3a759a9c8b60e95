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
async function runSelected(db: Queryable, select: string, ...values: readonly unknown[]): Promise<void> {
  const { rows } = await db.query<{ statement: string }>(select, [...values]);
  for (const { statement } of rows) await db.query(statement);
}

/** These triggers do what the version before needs, of which no process runs. On the server of a row they would lack other tables. */
const dropTriggers = (db: Queryable) =>
  runSelected(
    db,
    `select format('drop trigger %I on %s', tgname, tgrelid::regclass) as statement
       from pg_trigger where tgrelid = any ($1::text[]::regclass[]) and not tgisinternal and tgparentid = 0`,
    [...DISTRIBUTED, ...EVERYWHERE, ...WITH_OLD_TRIGGERS],
  );

/** A distributed table can't have a key without the user. Those that are left are for the version before. */
const dropKeysWithoutUser = (db: Queryable) =>
  runSelected(
    db,
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement
       from pg_constraint c
      where contype = 'u' and conparentid = 0 and conrelid = any ($1::text[]::regclass[])
        and not exists (select from pg_attribute a where a.attrelid = c.conrelid and a.attnum = any (c.conkey) and a.attname = 'user_id')`,
    DISTRIBUTED,
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
 * @returns those of distributed tables, to be made again
 */
async function dropForeignKeys(db: Queryable): Promise<ForeignKey[]> {
  const { rows } = await db.query<ForeignKey>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition,
            conrelid = any ($1::text[]::regclass[]) as "isByUser"
       from pg_constraint
      where contype = 'f' and conparentid = 0
        and (conrelid = any ($1::text[]::regclass[]) or confrelid = any ($2::text[]::regclass[]))`,
    [DISTRIBUTED, EVERYWHERE],
  );
  for (const { table, name } of rows) await db.query(`alter table ${table} drop constraint ${name}`);
  return rows.filter(({ isByUser }) => isByUser);
}

/** Distributes all tables of an empty database, in the transaction of the caller. */
export async function distributeTables(db: Queryable): Promise<void> {
  // Foreign keys between tables that are distributed in one transaction need this.
  await db.query("set local citus.multi_shard_modify_mode = 'sequential'");
  await db.query('set local citus.enable_unsafe_triggers = on');
  await dropTriggers(db);
  await dropKeysWithoutUser(db);
  const foreignKeys = await dropForeignKeys(db);
  // Each server numbers events so that the numbers grow wherever their webhook is.
  await db.query('alter table webhook_events alter id drop identity');
  for (const table of EVERYWHERE) await db.query('select create_reference_table($1)', [table]);
  await db.query("select create_distributed_table($1, 'user_id', colocate_with => 'none')", [FIRST]);
  for (const table of DISTRIBUTED.filter((name) => name !== FIRST))
    await db.query("select create_distributed_table($1, 'user_id', colocate_with => $2)", [table, FIRST]);
  for (const { table, name, definition } of foreignKeys)
    await db.query(`alter table ${table} add constraint ${name} ${definition}`);
  await db.query(holdFunction);
  for (const table of DISTRIBUTED) await db.query(holdTrigger(table));
  await countOnEachServer(db);
  await numberRows(db);
  await nameShards(db);
}

/**
 * A row that a shard inserts by itself gets its id there, from the sequence of its server: Citus gives each server a range of
 * its own, and does so itself only for what the coordinator inserts.
 */
async function numberRows(db: Queryable): Promise<void> {
  const statements = [
    // With a constant in place of an argument, and no setting, it costs a third for each row.
    `create function %1$I() returns trigger language plpgsql security definer as $number$
       begin
         new.id := pg_catalog.nextval(%3$L::pg_catalog.regclass);
         return new;
       end $number$`,
    'create trigger number_row before insert on %2$s for each row when (new.id is null) execute function %1$I()',
  ];
  for (const statement of statements)
    await runSelected(
      db,
      `select format($2, 'number_' || attrelid::regclass, attrelid::regclass, pg_get_serial_sequence(attrelid::regclass::text, 'id')) as statement
         from pg_attribute where attname = 'id' and attidentity <> '' and attrelid = any ($1::text[]::regclass[])`,
      DISTRIBUTED,
      statement,
    );
}

/** Makes a row on each shard, with the least user who would be there, by which a statement is sent to each. */
async function nameShards(db: Queryable): Promise<void> {
  await db.query('create table shards_here (user_id int8 primary key, shard_id int8 not null)');
  await db.query("select create_distributed_table('shards_here', 'user_id', colocate_with => $1)", [FIRST]);
  await db.query(
    `insert into shards_here
     select min(u), shard from (select u, get_shard_id_for_distribution_column($1, u) as shard
                           from generate_series(1, ${TRIED_USERS}) u) placed group by shard`,
    [FIRST],
  );
  const { rows: shards } = await db.query("select from pg_dist_shard where logicalrelid = 'shards_here'::regclass");
  const { rows: named } = await db.query('select user_id from shards_here');
  if (named.length < shards.length) throw new Error('There are too many shards: set citus.shard_count to 128 or less.');
  await db.query(shardFunctions);
  await db.query(lockFunctions);
  // The trigger of a session locks the coordinator's copy of its user, as all who lock accounts do.
  await db.query(`
    create or replace function skip_session_without_user() returns trigger language plpgsql as $$
      begin
        perform run_on_shard(0, 'lock-owner-of-session', 'select id from users where id = $1 for key share', array[new.sess ->> 'userId']);
        if found then return new; end if;
        return null;
      end $$`);
}

/**
 * The position of a match is one of the server that has the row: a statement leaves it out, or sets it to null, where the row
 * is to get a new one.
 */
async function countOnEachServer(db: Queryable): Promise<void> {
  await db.query('alter table matches alter position drop default');
  await db.query('create table shard_epochs (user_id int8 not null, epoch int8 not null)');
  await db.query("select create_distributed_table('shard_epochs', 'user_id', colocate_with => $1)", [FIRST]);
  // A shard is moved while it is written, for which each row has to be named.
  for (const table of ['alert_cells', 'shard_epochs']) await db.query(`alter table ${table} replica identity full`);
  await db.query(positionFunctions);
  for (const trigger of positionTriggers) await db.query(trigger);
}

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
