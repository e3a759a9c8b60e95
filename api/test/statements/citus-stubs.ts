import { renamingFunction } from '../../src/placement/shard-functions.ts';
import { byUser, copied } from '../../src/placement/table-places.ts';
import type { TestDatabase } from '../database.ts';

/** What a stub of a shard has at the end of its name. */
const SHARD = '_7';

/**
 * Makes what the statements for a cluster name, empty and in a schema of its own, so that PostgreSQL understands them without the
 * extension. Sessions that begin after it find it.
 */
export async function makeCitusStubs(db: TestDatabase): Promise<void> {
  await db.pool.query(`
    create schema citus_stubs;
    set search_path = citus_stubs;
    create table shards_here (user_id int8 primary key, shard_id int8 not null);
    create table shard_epochs (user_id int8 not null, epoch int8 not null);
    create table pg_dist_shard (logicalrelid regclass not null, shardid int8 not null, shardminvalue text);
    create table pg_dist_partition (logicalrelid regclass not null, partmethod "char" not null, repmodel "char" not null);
    create table pg_dist_shard_placement (shardid int8 not null, nodename text not null, nodeport int4 not null);
    create table pg_dist_placement (shardid int8 not null, groupid int4 not null);
    create table citus_shards (shardid int8 not null, citus_table_type text not null, shard_size int8 not null);
    create table pg_dist_groupid_seq (last_value int8 not null);
    create table pg_dist_node (
      nodeid int4 primary key, groupid int4 not null, nodename text not null, nodeport int4 not null, isactive bool not null,
      noderole text not null, shouldhaveshards bool not null);
    create function create_reference_table(table_name regclass) returns void language sql as 'select';
    create function create_distributed_table(table_name regclass, distribution_column text, colocate_with text) returns void
      language sql as 'select';
    create function shard_name(table_name regclass, shard_id int8) returns text language sql as 'select null::text';
    create function get_shard_id_for_distribution_column(table_name regclass, distribution_value "any") returns int8
      language internal as 'pg_backend_pid';
    create function run_command_on_all_nodes(command text) returns table (nodeid int4, success bool, result text)
      language sql as 'select 1, true, null::text where false';
    create function run_command_on_workers(command text) returns table (nodename text, nodeport int4, success bool, result text)
      language sql as 'select null::text, 1, true, null::text where false';
    create function run_command_on_shards(table_name regclass, command text) returns table (shardid int8, success bool, result text)
      language sql as 'select 1::int8, true, null::text where false';
    create function master_run_on_worker(hosts text[], ports int4[], commands text[], parallel bool)
      returns table (node_name text, node_port int4, success bool, result text)
      language sql as 'select null::text, 1, true, null::text where false';
    create function recover_prepared_transactions() returns int4 language sql as 'select 0';
    create function replicate_reference_tables(shard_transfer_mode text) returns void language sql as 'select';
    create function citus_add_node(nodename text, nodeport int4) returns int4 language sql as 'select 1';
    create function citus_move_shard_placement(
      shard_id int8, source_node_name text, source_node_port int4, target_node_name text, target_node_port int4,
      shard_transfer_mode text) returns void language sql as 'select';
    create function run_on_shard(of_user int8, name text, statement text, given text[]) returns setof json
      language sql as 'select null::json where false';
    ${renamingFunction}
    do $$
    declare
      placed text;
      key record;
    begin
      foreach placed in array array[${[...byUser, ...copied].map((table) => `'${table}'`).join(', ')}] loop
        execute format('create table %I (like public.%I including all)', placed || '${SHARD}', placed);
        for key in select made.conname as made, own.conname as name
                     from pg_constraint made join pg_constraint own on own.contype = made.contype and own.conkey = made.conkey
                    where made.conrelid = (placed || '${SHARD}')::regclass and own.conrelid = ('public.' || placed)::regclass
                      and made.contype in ('p', 'u') loop
          execute format('alter table %I rename constraint %I to %I', placed || '${SHARD}', key.made, key.name || '${SHARD}');
        end loop;
      end loop;
    end $$;
    do $$ begin execute format('alter database %I set search_path = public, citus_stubs', current_database()); end $$;
    reset search_path`);
}

/** @returns a text as a shard runs it, whose tables and keys are stubs */
export async function textForStub(db: TestDatabase, text: string): Promise<string> {
  const { answer } = await db.row(
    `select citus_stubs.rename_tables($1, tables, array(select t || $3 from unnest(tables) t), keys, array(select k || $3 from unnest(keys) k)) as answer
       from (select $2::text[] as tables, array(select conname::text from pg_constraint
                                                 where conrelid = any ($2::text[]::regclass[]) and contype in ('p', 'u')) as keys) named`,
    [text, [...byUser, ...copied], SHARD],
  );
  return answer;
}

/** The name of the table for which a stub stands. */
export const tableOfStub = (stub: string): string => (stub.endsWith(SHARD) ? stub.slice(0, -SHARD.length) : stub);
