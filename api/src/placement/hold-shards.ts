/*
 * Citus locks a shard at the coordinator while it is written, and a move waits for that before it copies the last changes. But a
 * call of a function that writes is a read to Citus, and a transaction that a server has prepared is over at the coordinator once
 * that has lost the server. What either has written would stay behind. So whoever writes to a shard holds the lock of the move on
 * the server of the shard as well, where a prepared transaction keeps it.
 */

const SHARE = 5;

/** SQL: a function that holds the shard whose table is written on this server until the transaction is over here. */
export const holdFunction = `
  create or replace function hold_shard() returns trigger language plpgsql as $$
    declare
      shard int8 := substring(tg_table_name from '_(\\d+)$')::int8;
    begin
      perform lock_shard_metadata(${SHARE}, array[shard]);
      -- Who has waited for a move has to write to its target instead.
      if not exists (select from pg_dist_placement where shardid = shard and groupid = (select groupid from pg_dist_local_group)) then
        raise exception 'The rows of % are no longer on this server.', tg_table_name using errcode = 'serialization_failure';
      end if;
      return null;
    end $$;`;

/** SQL: the trigger of a table of users. It comes before those that look at the shard. */
export const holdTrigger = (table: string): string => `
  create or replace trigger hold_shard before insert or update or delete on ${table}
    for each statement execute function hold_shard()`;
