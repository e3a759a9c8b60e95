import { Migration } from '@mikro-orm/migrations';

/**
 * The position of a match keeps its meaning in a server that was restored, promoted or recovered: transaction ids start
 * again or are used again there, so each such server counts its positions in an epoch of its own.
 */
export class Migration021Positions extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table match_epochs (
        -- Positions have 21 bits for it, and 42 for the transaction.
        epoch int8 primary key check (epoch between 0 and 2097151),
        -- Two servers that were one before may count the same epoch: cursors hold this number too.
        nonce int4 not null default floor(random() * 2000000000)::int4,
        began_at timestamptz not null default now()
      );
      -- What was written before this migration.
      insert into match_epochs (epoch) values (0);

      -- The epoch of the running server. A recovery empties an unlogged table, and a standby never has its rows; the time
      -- tells a server that was stopped and started, or that took these rows from a dump.
      create unlogged table match_server (
        epoch int8 not null,
        started_at timestamptz not null
      );

      create function begin_match_epoch() returns int8 language plpgsql volatile as $$
      declare
        mine int8;
      begin
        -- One transaction begins it. Who waits for that one reads again, with a newer snapshot.
        perform pg_advisory_xact_lock(7419);
        select epoch into mine from match_server where started_at = pg_postmaster_start_time();
        if found then return mine; end if;
        insert into match_epochs (epoch) select coalesce(max(epoch), 0) + 1 from match_epochs returning epoch into mine;
        delete from match_server;
        insert into match_server values (mine, pg_postmaster_start_time());
        -- Dealers order events by their numbers, and a server that was lost may have given out more of them than this one
        -- knows of. None makes a thousand a second for long, so these are above them all.
        perform setval(pg_get_serial_sequence('webhook_events', 'id'),
                       greatest(nextval(pg_get_serial_sequence('webhook_events', 'id')),
                                (extract(epoch from clock_timestamp()) * 1000)::int8));
        return mine;
      end $$;

      create function match_position() returns int8 language plpgsql volatile as $$
      declare
        mine int8;
      begin
        select epoch into mine from match_server where started_at = pg_postmaster_start_time();
        if not found then mine := begin_match_epoch(); end if;
        return (mine << 42) + pg_current_xact_id()::text::int8;
      end $$;
      comment on function match_position() is
        'The position of matches that this transaction shows: the epoch of the server, and the transaction.';

      create function match_bounds(out horizon int8, out ceiling int8, out nonce int4)
      language plpgsql stable parallel safe as $$
      declare
        newest int8;
        is_own bool := true;
      begin
        select e.epoch, e.nonce into newest, nonce from match_epochs e order by e.epoch desc limit 1;
        -- Unlogged tables can not be read in a standby, which replays the epoch of its primary.
        if not pg_is_in_recovery() then
          select true into is_own from match_server s
           where s.started_at = pg_postmaster_start_time() and s.epoch = newest;
        end if;
        if is_own then
          horizon := (newest << 42) + pg_snapshot_xmin(pg_current_snapshot())::text::int8;
          ceiling := (newest << 42) + pg_snapshot_xmax(pg_current_snapshot())::text::int8;
        else
          -- Another server wrote the newest epoch: all of it is settled.
          horizon := ((newest + 1) << 42) - 1;
          ceiling := horizon;
        end if;
      end $$;
      comment on function match_bounds() is
        'Below the horizon all positions are settled, nothing was given out above the ceiling; the nonce of their epoch.';

      create function match_horizon() returns int8 language sql stable parallel safe as
        'select horizon from match_bounds()';
      comment on function match_horizon() is
        'Below this position nothing can appear any more, as seen by the statement that asks.';
    `);
    this.addSql(/* sql */ `
      set local maintenance_work_mem = '256MB';
      alter table matches alter column tx drop default, alter column tx type int8 using tx::text::int8;
      alter table matches rename column tx to position;
      alter table matches alter column position set default match_position();
      alter table webhook_positions alter column tx type int8 using tx::text::int8;
      alter table webhook_positions rename column tx to position;
    `);
  }

  override down(): void {
    throw new Error('Positions of another server are no transactions of this one.');
  }
}
