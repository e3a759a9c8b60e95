import type { TestDatabase } from '../database.ts';

/**
 * Makes what the statements for a cluster name, empty and in a schema of its own, so that PostgreSQL understands them without the
 * extension. Sessions that begin after it find it.
 */
export async function makeCitusStubs(db: TestDatabase): Promise<void> {
  await db.pool.query(`
    create schema citus_stubs;
    set search_path = citus_stubs;
    create table shards_here (user_id int8 primary key, shard_id int8 not null);
    create table pg_dist_shard (logicalrelid regclass not null, shardid int8 not null);
    create table pg_dist_node (
      nodeid int4 primary key, groupid int4 not null, nodename text not null, nodeport int4 not null, isactive bool not null,
      noderole text not null, shouldhaveshards bool not null);
    create function create_reference_table(table_name regclass) returns void language sql as 'select';
    create function create_distributed_table(table_name regclass, distribution_column text, colocate_with text) returns void
      language sql as 'select';
    create function get_shard_id_for_distribution_column(table_name regclass, distribution_value "any") returns int8
      language internal as 'pg_backend_pid';
    create function run_command_on_all_nodes(command text) returns table (nodeid int4, success bool, result text)
      language sql as 'select 1, true, null::text where false';
    create function run_on_shard(of_user int8, name text, statement text, given text[]) returns setof json
      language sql as 'select null::json where false';
    do $$ begin execute format('alter database %I set search_path = public, citus_stubs', current_database()); end $$;
    reset search_path`);
}
