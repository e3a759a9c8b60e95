import { locks } from '../base/advisory-lock.ts';

/** The number of a server is its group in Citus, from 1. Ids of rows begin with it, and JavaScript can't count beyond 31. */
export const MAX_SERVERS = 32;

/**
 * SQL: what each server has of its own. `match_epochs` knows the epochs that it began, and those of servers from which it got
 * shards; `counted_shards` for which tables its epoch was found to be the newest.
 */
export const serverTables = `
  create table if not exists match_epochs (
    epoch int8 primary key check (epoch between 0 and 2097151),
    nonce int4 not null default floor(random() * 2000000000), began_at timestamptz not null default now());
  create unlogged table if not exists match_server (epoch int8 not null, started_at timestamptz not null);
  create unlogged table if not exists counted_shards (relation oid not null, epoch int8 not null);
  create sequence if not exists webhook_event_numbers;
  -- A cursor that begins before all matches has epoch 0.
  insert into match_epochs (epoch) select distinct unnest(array[0, groupid]) from pg_dist_local_group on conflict do nothing;`;

/**
 * SQL: how each server of a cluster counts positions and numbers events, in place of what one server does.
 *
 * Epochs are those of a server modulo ${MAX_SERVERS}, so no two servers ever have the same. Whoever writes positions holds the
 * shared lock until its transaction has ended there, also while it is prepared, so an epoch begins when nothing of the former
 * one can appear any more. A shard notes the epochs in which its rows got positions, and carries the notes along when it is
 * moved: a server that does not know the newest of them, or has none above it, refuses to write.
 */
export const positionFunctions = `
  create or replace function next_match_epoch() returns int8 language plpgsql volatile as $$
    declare
      number int8 := (select groupid from pg_dist_local_group);
      mine int8;
    begin
      if number = 0 then
        raise exception 'Positions are counted by the servers that have the rows, and the coordinator has none.';
      end if;
      insert into match_epochs (epoch)
        select (max(epoch) / ${MAX_SERVERS} + 1) * ${MAX_SERVERS} + number from match_epochs returning epoch into mine;
      delete from match_server;
      insert into match_server values (mine, pg_postmaster_start_time());
      delete from counted_shards;
      -- As on one server: above what a server may have given out that is lost.
      perform setval('webhook_event_numbers',
                     greatest(nextval('webhook_event_numbers'), (extract(epoch from clock_timestamp()) * 1000)::int8));
      return mine;
    end $$;

  create or replace function holds_positions_back() returns bool language sql stable as $$
    select exists (
      select from pg_locks
       where locktype = 'advisory' and classid = 0 and objid = ${locks.positions} and objsubid = 1 and pid is null
         and database = (select oid from pg_database where datname = current_database()))
  $$;
  comment on function holds_positions_back() is
    'Whether a transaction with positions is prepared here, and neither committed nor rolled back.';

  create or replace function begin_match_epoch() returns int8 language plpgsql volatile as $$
    declare
      mine int8;
    begin
      perform pg_advisory_xact_lock(7419);
      select epoch into mine from match_server where started_at = pg_postmaster_start_time();
      if found then return mine; end if;
      if holds_positions_back() then
        raise exception 'Transactions from before the restart of this server are not decided yet.'
          using errcode = 'object_not_in_prerequisite_state',
                hint = 'LotWatch does so within seconds where its role may, and Citus within a minute, or on "select recover_prepared_transactions()" at the coordinator.';
      end if;
      return next_match_epoch();
    end $$;

  create or replace function match_position() returns int8 language plpgsql volatile as $$
    declare
      mine int8;
    begin
      perform pg_advisory_xact_lock_shared(${locks.positions});
      select epoch into mine from match_server where started_at = pg_postmaster_start_time();
      if not found then mine := begin_match_epoch(); end if;
      return (mine << 42) + pg_current_xact_id()::text::int8;
    end $$;

  create or replace function match_bounds(out horizon int8, out ceiling int8, out nonce int4)
  language plpgsql stable parallel safe as $$
    declare
      newest int8;
      is_own bool := true;
    begin
      select e.epoch, e.nonce into newest, nonce from match_epochs e order by e.epoch desc limit 1;
      if not pg_is_in_recovery() then
        select true into is_own from match_server s
         where s.started_at = pg_postmaster_start_time() and s.epoch = newest;
      end if;
      horizon := (newest << 42) + pg_snapshot_xmin(pg_current_snapshot())::text::int8;
      ceiling := (newest << 42) + pg_snapshot_xmax(pg_current_snapshot())::text::int8;
      if is_own then return; end if;
      -- The server was started since: all of that epoch is settled, but for what is still prepared.
      ceiling := ((newest + 1) << 42) - 1;
      if not exists (select from pg_prepared_xacts where database = current_database()) or not holds_positions_back() then
        horizon := ceiling;
      end if;
    end $$;

  -- As on one server. Where the tables were there before the extension, the other servers have it from here.
  create or replace function match_horizon() returns int8 language sql stable parallel safe as
    'select horizon from match_bounds()';

  create or replace function raise_match_epoch(known json) returns int8 language plpgsql volatile set lock_timeout = '1s' as $$
    begin
      begin
        -- Waits for all that write in the present epoch, of which nothing can appear afterwards.
        perform pg_advisory_xact_lock(${locks.positions});
        perform pg_advisory_xact_lock(7419);
      exception when lock_not_available then
        return null;
      end;
      insert into match_epochs (epoch, nonce, began_at)
        select k.epoch, k.nonce, k.began_at from json_to_recordset(known) k (epoch int8, nonce int4, began_at timestamptz)
        on conflict do nothing;
      return next_match_epoch();
    end $$;
  comment on function raise_match_epoch(json) is
    'Begins an epoch of this server above those of all servers, which it then knows. A shard can be moved to it afterwards. Null where others write positions for too long.';

  create or replace function name_beside(shard_name text, other regclass) returns text language sql stable as $$
    select other::text || '_' || o.shardid from pg_dist_shard s join pg_dist_shard o on o.shardminvalue = s.shardminvalue
     where s.shardid = substring(shard_name from '_(\\d+)$')::int8 and o.logicalrelid = other
  $$;

  create or replace function count_shard(shard oid, shard_name text) returns void language plpgsql volatile as $$
    declare
      mine int8 := match_position() >> 42;
      notes text := name_beside(shard_name, 'shard_epochs');
      latest int8;
      last int8;
    begin
      execute format('select max(epoch) from %I', notes) into latest;
      if latest > mine or not exists (select from match_epochs where epoch = latest) and latest is not null then
        raise exception 'Shard % was moved to this server past LotWatch, whose positions would go back.', shard_name
          using errcode = 'object_not_in_prerequisite_state', hint = 'npm run -s shards -- status says what to do.';
      end if;
      if latest is distinct from mine then execute format('insert into %I select min(user_id), $1 from %I', notes, name_beside(shard_name, 'shards_here')) using mine; end if;
      if shard_name like 'webhook\\_events\\_%' then
        execute format('select max(id) / ${MAX_SERVERS} from %I', shard_name) into last;
        perform setval('webhook_event_numbers', greatest(nextval('webhook_event_numbers'), last));
      end if;
      insert into counted_shards values (shard, mine);
    end $$;

  create or replace function require_counted_shard() returns trigger language plpgsql as $$
    begin
      -- A dealer gets events in the order of their numbers, which is that in which this server commits them.
      if tg_nargs > 0 then perform pg_advisory_xact_lock(${locks.eventsOfShard}, substring(tg_table_name from '_(\\d+)$')::int4); end if;
      perform pg_advisory_xact_lock_shared(${locks.positions});
      perform from counted_shards c join match_server s on s.epoch = c.epoch
        where c.relation = tg_relid and s.started_at = pg_postmaster_start_time();
      if not found then perform count_shard(tg_relid, tg_table_name); end if;
      return null;
    end $$;

  create or replace function stamp_match_position() returns trigger language plpgsql as $$
    begin
      new.position := match_position();
      return new;
    end $$;

  create or replace function number_event() returns trigger language plpgsql as $$
    begin
      new.id := nextval('webhook_event_numbers') * ${MAX_SERVERS} + (select groupid from pg_dist_local_group);
      return new;
    end $$;`;

/** SQL: the triggers on tables of users that count by them, a command each, as Citus sends them to each server. */
export const positionTriggers = [
  `create or replace trigger stamp_position before insert or update on matches
     for each row when (new.position is null) execute function stamp_match_position()`,
  `create or replace trigger require_counted_shard before insert or update of position on matches
     for each statement execute function require_counted_shard()`,
  `create or replace trigger number_event before insert on webhook_events
     for each row when (new.id is null) execute function number_event()`,
  `create or replace trigger require_counted_shard before insert on webhook_events
     for each statement execute function require_counted_shard('events')`,
] as const;
