/**
 * SQL: a function that puts other names of tables and of their keys into a statement. It reads nothing: a test compares what it
 * makes of each statement that runs on shards with the statement as PostgreSQL reads it.
 */
export const renamingFunction = `
  create or replace function rename_tables(statement text, tables text[], names text[], keys text[], key_names text[]) returns text
    language plpgsql immutable as $$
  declare
    answer text := statement;
  begin
    -- A table is named after a keyword, before the point of a column, or as the name of a relation.
    for at in 1 .. coalesce(array_length(tables, 1), 0) loop
      answer := regexp_replace(answer, '\\m(from|join|into|update|only|using)(\\s+)' || tables[at] || '\\M', '\\1\\2' || names[at], 'g');
      answer := regexp_replace(answer, '(^|[^.\\w])' || tables[at] || '\\.', '\\1' || names[at] || '.', 'g');
      answer := replace(answer, quote_literal(tables[at]) || '::regclass', quote_literal(names[at]) || '::regclass');
    end loop;
    for at in 1 .. coalesce(array_length(keys, 1), 0) loop
      answer := regexp_replace(answer, '\\mon constraint ' || keys[at] || '\\M', 'on constraint ' || key_names[at], 'g');
    end loop;
    return answer;
  end $$;`;

/**
 * SQL: functions by which one statement runs on each shard of the tables that are distributed by user, in the transaction of
 * the coordinator. There it is an ordinary statement of PostgreSQL about the rows of some users, with all of its planner:
 * Citus would refuse many of them, or collect all rows at the coordinator.
 */
export const shardFunctions = `
  ${renamingFunction}

  create or replace function text_for_shard(of_user int8, statement text) returns text language sql stable as $$
    select rename_tables(statement, t.tables, t.shards, k.keys, k.shards)
      from (select array_agg(c.relname::text) as tables,
                   array_agg(c.relname || '_' || case p.partmethod
                     when 'h' then get_shard_id_for_distribution_column(p.logicalrelid, of_user)
                     else (select s.shardid from pg_dist_shard s where s.logicalrelid = p.logicalrelid) end) as shards
              from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
             where not c.relispartition and position(c.relname in statement) > 0) t,
           (select array_agg(k.conname::text) as keys,
                   array_agg(k.conname || '_' || get_shard_id_for_distribution_column(p.logicalrelid, of_user)) as shards
              from pg_constraint k join pg_dist_partition p on p.logicalrelid = k.conrelid
             where p.partmethod = 'h' and k.contype in ('p', 'u') and position('on constraint ' || k.conname in statement) > 0) k
  $$;

  create or replace function run_on_shard(of_user int8, name text, statement text, given text[]) returns setof json
    language plpgsql as $$
  declare
    -- Servers cut longer names.
    prepared text := left(name, 40) || '_' || of_user || '_' || left(md5(statement), 8);
    known text := 'lotwatch.p' || md5(prepared);
    value text;
    parameters text;
    answer record;
  begin
    -- To ask for a prepared statement reads all of them, which takes milliseconds where there are hundreds.
    if current_setting(known, true) is distinct from 'on' then
      if not exists (select from pg_prepared_statements p where p.name = prepared) then
        execute format('prepare %I as %s', prepared, text_for_shard(of_user, statement));
      end if;
      perform set_config(known, 'on', false);
    end if;
    -- A query would put them together as well, and take longer than a short statement.
    foreach value in array given loop
      parameters := coalesce(parameters || ', ', '(') || quote_nullable(value);
    end loop;
    for answer in execute format('execute %I%s', prepared, parameters || ')') loop
      return next to_json(answer);
    end loop;
  end $$;`;
