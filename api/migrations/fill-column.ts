/** At 8 kB a page, a thousand rows as long as a mail's, or ten thousand of the shortest ones, which take some 200 ms. */
const PAGES_A_STEP = 100;
/** Of a table that each server has a copy of. */
const ROWS_A_STEP = 5_000;
/** How long a step gives way, and how often: for some minutes. */
const PAUSE_SECONDS = 0.5;
const MOST_TRIES = 900;
const TOLD_EVERY = '10 seconds';
/** How long a step waits for a row on another server, which does not know what the session here has set. */
const LOCK_THERE = '500ms';

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** SQL: a step that has to wait gives way to the others and is repeated, and not the whole migration. */
const orGiveWay = (step: string): string => `
            begin
              ${step}
              tries := 0;
            exception when lock_not_available or deadlock_detected or undefined_table then
              tries := tries + 1;
              if tries > ${MOST_TRIES} then raise; end if;
            end;
            commit;`;

/** SQL: fills the pages of `part`, a table of this server. @param first what comes first in each step */
const fillPages = (column: string, value: string, first = ''): string => `
          page := 0;
          pages := null;
          tries := 0;
          loop
            -- A partition may be dropped meanwhile, or get another name.
            select c.oid::regclass::text into part from pg_class c where c.oid = part_id;
            exit when part is null;
            ${first}
            ${orGiveWay(`
              pages := coalesce(pages, pg_relation_size(part_id) / current_setting('block_size')::int8);
              execute 'update ' || part || ${quoted(` t set ${column} = ${value} where ctid >= `)}
                || quote_literal('(' || page || ',0)') || '::tid and ctid < ' || quote_literal('(' || page + ${PAGES_A_STEP} || ',0)')
                || ${quoted(`::tid and ${column} is null`)};
              page := page + ${PAGES_A_STEP};`)}
            exit when page > pages;
            if tries > 0 then perform pg_sleep(${PAUSE_SECONDS}); end if;
            if clock_timestamp() > told_at + interval '${TOLD_EVERY}' then
              raise info '${column} of %: % of % pages', part, page, pages;
              told_at := clock_timestamp();
            end if;
          end loop;`;

/** SQL: fills a table of which each server has a copy. Its writers lock a copy each unless they follow one another. */
const fillCopies = (table: string, column: string, value: string): string => {
  const update = `update ${table} t set ${column} = ${value} where ${column} is null`;
  return `
            page := 0;
            pages := 0;
            tries := 0;
            if exists (select from pg_attribute where attrelid = part_id and attname = 'id') then
              execute 'select coalesce(max(id), 0) from ${table}' into pages;
            end if;
            loop
              perform set_config('citus.all_modifications_commutative', 'off', true);
              ${orGiveWay(`
              if pages = 0 then
                execute ${quoted(update)};
              else
                execute ${quoted(`${update} and id >= $1 and id < $1 + ${ROWS_A_STEP}`)} using page;
              end if;
              page := page + ${ROWS_A_STEP};`)}
              exit when page > pages;
              if tries > 0 then perform pg_sleep(${PAUSE_SECONDS}); end if;
            end loop;`;
};

/** SQL: a literal of the statement that fills a shard, whose name is to be put in for SHARD. */
const fillThere = (column: string, value: string): string => {
  const statement = `
    do $there$ declare
      part_id oid := to_regclass('SHARD');
      part text;
      page int8;
      pages int8;
      tries int4;
      told_at timestamptz := clock_timestamp();
    begin
      ${fillPages(column, value, `perform set_config('lock_timeout', '${LOCK_THERE}', true);`)}
    end $there$`;
  return quoted(statement);
};

/**
 * SQL: gives the rows of a table a value, a few pages at a time; of a partitioned table one partition after the other, and of a
 * distributed one a shard after the other on its server. Of a table with copies on each server, whose pages differ, some ids at
 * a time are filled in all copies together.
 * @param value SQL: the value of a row `t` that has none
 */
export const fillColumn = (table: string, column: string, value: string): string => /* sql */ `
      do $$
      declare
        part_id oid;
        part text;
        filled oid[] := '{}';
        page int8;
        pages int8;
        tries int4;
        told_at timestamptz := clock_timestamp();
        method text;
        shard record;
        answer record;
      begin
        loop
          select c.oid into part_id from pg_class c
           where c.relkind = 'r' and c.oid <> all (filled)
             and (c.oid = '${table}'::regclass or c.oid in (select inhrelid from pg_inherits where inhparent = '${table}'::regclass))
           order by c.oid limit 1;
          exit when not found;
          filled := filled || part_id;
          method := null;
          if to_regclass('pg_dist_partition') is not null then
            select partmethod into method from pg_dist_partition where logicalrelid = part_id;
          end if;
          if method = 'h' then
            for shard in
              select s.shardid as id, n.nodename as host, n.nodeport as port
                from pg_dist_shard s join pg_dist_placement using (shardid)
                join pg_dist_node n using (groupid)
               where s.logicalrelid = part_id and n.noderole = 'primary' order by s.shardid
            loop
              select success, result into answer from master_run_on_worker(array[shard.host], array[shard.port],
                array[replace(${fillThere(column, value)}, 'SHARD', part_id::regclass || '_' || shard.id)], false);
              commit;
              if answer.success is not true then
                raise lock_not_available using message = format('%s says: %s', shard.host || ':' || shard.port, answer.result);
              end if;
              raise info '${column} of %_%', part_id::regclass, shard.id;
            end loop;
            continue;
          elsif method = 'n' then
            ${fillCopies(table, column, value)}
            continue;
          end if;
          ${fillPages(column, value)}
        end loop;
      end $$;`;
