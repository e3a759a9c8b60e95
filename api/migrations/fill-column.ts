/** At 8 kB a page, a thousand rows as long as a mail's, or ten thousand of the shortest ones, which take some 200 ms. */
const PAGES_A_STEP = 100;
/** Of a table that each server has a copy of. */
const KEYS_A_STEP = 5_000;
/** How long a step gives way, and how often: for some minutes. */
const PAUSE_SECONDS = 0.5;
const MOST_TRIES = 900;
const TOLD_EVERY = '10 seconds';
/** How long a step waits for a row on another server, which does not know what the session here has set. */
const LOCK_THERE = '500ms';
/** What stands for the name and the number of a shard. */
const NAME = '@@shard@@';
const NUMBER = '@@number@@';
/** What a server answers where a shard is no longer there. */
const MOVED = 'the shard was moved';

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

const pauseAfterTry = `if tries > 0 then perform pg_sleep(${PAUSE_SECONDS}); end if;`;

/** SQL: says how far it is. @param told that of `raise info`, with its values */
const tell = (told: string): string => `
            if clock_timestamp() > told_at + interval '${TOLD_EVERY}' then
              raise info ${told};
              told_at := clock_timestamp();
            end if;`;

/** SQL: fills the pages of `part`, a table of this server. @param before the update @param named reads its name, if it is there */
const fillPages = (column: string, value: string, named: string, before = ''): string => `
          page := 0;
          pages := null;
          tries := 0;
          loop
            ${named}
            ${orGiveWay(`
              ${before}
              pages := coalesce(pages, pg_relation_size(part_id) / current_setting('block_size')::int8);
              execute 'update ' || part || ${quoted(` t set ${column} = ${value} where ctid >= `)}
                || quote_literal('(' || page || ',0)') || '::tid and ctid < ' || quote_literal('(' || page + ${PAGES_A_STEP} || ',0)')
                || ${quoted(`::tid and ${column} is null`)};
              page := page + ${PAGES_A_STEP};`)}
            exit when page > pages;
            ${pauseAfterTry}
            ${tell(`'${column} of %: % of % pages', part, page, pages`)}
          end loop;`;

/** SQL: a partition may be dropped meanwhile, or get another name. */
const partHere = `
            select c.oid::regclass::text into part from pg_class c where c.oid = part_id;
            exit when part is null;`;

/**
 * SQL: a literal of the statement that fills a shard on its server, whose name and number are to be put in.
 * Each step holds the shard against a move, as those do who write rows.
 */
const fillThere = (column: string, value: string): string =>
  quoted(`
    do $there$ declare
      part_id oid;
      part text := '${NAME}';
      page int8;
      pages int8;
      tries int4;
      told_at timestamptz := clock_timestamp();
    begin
      ${fillPages(
        column,
        value,
        '',
        `perform set_config('lock_timeout', '${LOCK_THERE}', true);
         perform lock_shard_metadata(5, array[${NUMBER}]);
         part_id := to_regclass(part);
         if part_id is null or not exists (
           select from pg_dist_placement where shardid = ${NUMBER} and groupid = (select groupid from pg_dist_local_group)) then
           raise exception '${MOVED}';
         end if;`,
      )}
    end $there$`);

/** SQL: fills the shards of a table one after the other. A server that does not answer, or has the shard no more, is asked again. */
const fillShards = (column: string, value: string): string => `
            foreach shard in array array(select shardid from pg_dist_shard where logicalrelid = part_id order by shardid) loop
              tries := 0;
              loop
                select n.nodename, n.nodeport into host, port from pg_dist_placement p join pg_dist_node n using (groupid)
                 where p.shardid = shard and n.noderole = 'primary';
                select success, result into done, answer from master_run_on_worker(array[host], array[port],
                  array[replace(replace(${fillThere(column, value)}, '${NAME}', part_id::regclass || '_' || shard), '${NUMBER}', shard::text)], false);
                commit;
                exit when done;
                tries := tries + 1;
                -- What the server itself says is no matter of time but for these.
                if answer ~ 'lock timeout|deadlock detected' then
                  raise lock_not_available using message = format('%s of %s says: %s', part_id::regclass || '_' || shard, host || ':' || port, answer);
                elsif tries > ${MOST_TRIES} or answer ~ '^ERROR' and answer !~ '${MOVED}' then
                  raise exception '% of % says: %', part_id::regclass || '_' || shard, host || ':' || port, answer;
                end if;
                perform pg_sleep(${PAUSE_SECONDS});
              end loop;
              raise info '${column} of %_%', part_id::regclass, shard;
            end loop;`;

/**
 * SQL: fills a table of which each server has a copy, some keys at a time where these begin with a number. Its writers lock a copy
 * each unless they follow one another.
 */
const fillCopies = (table: string, column: string, value: string): string => `
            page := 0;
            pages := 0;
            tries := 0;
            select quote_ident(a.attname) into part
              from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
             where i.indrelid = part_id and i.indisprimary and a.atttypid in ('int2'::regtype, 'int4'::regtype, 'int8'::regtype);
            if part is not null then execute format('select coalesce(max(%s), 0) from ${table}', part) into pages; end if;
            loop
              perform set_config('citus.all_modifications_commutative', 'off', true);
              ${orGiveWay(`
              execute ${quoted(`update ${table} t set ${column} = ${value} where ${column} is null`)}
                || coalesce(' and ' || part || ' >= ' || page || ' and ' || part || ' < ' || page + ${KEYS_A_STEP}, '');
              page := page + ${KEYS_A_STEP};`)}
              exit when page > pages;
              ${pauseAfterTry}
              ${tell(`'${column} of ${table}: % of %', page, pages`)}
            end loop;`;

/**
 * SQL: gives the rows of a table a value, a few pages at a time; of a partitioned table one partition after the other, and of a
 * distributed one a shard after the other on its server. Of a table with copies on each server, whose pages differ, some keys at
 * a time are filled in all copies together.
 * @param value SQL: the value of a row `t` that has none; of a distributed table by what is in the row alone
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
        shard int8;
        host text;
        port int4;
        done bool;
        answer text;
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
            ${fillShards(column, value)}
            continue;
          elsif method = 'n' then
            ${fillCopies(table, column, value)}
            continue;
          end if;
          ${fillPages(column, value, partHere)}
        end loop;
      end $$;`;
