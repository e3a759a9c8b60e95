import { OnlineMigration } from './online-migration.ts';

/**
 * A server may lack the last commits of the one before it: a standby that was promoted, a restored backup. Nothing leaves
 * through such a server before somebody has looked, in the transaction itself that would claim a message.
 */
export class Migration092KnownServers extends OnlineMigration {
  override up(): void {
    this.addSql(`create table if not exists known_servers (
      id int8 generated always as identity primary key,
      system_identifier text not null,
      timeline int4 not null,
      is_synchronous bool not null,
      known_at timestamptz not null default now());`);
    // A recovery empties an unlogged table, and a standby never has its rows.
    this.addSql(`create unlogged table if not exists running_server (
      started_at timestamptz not null,
      is_synchronous bool not null);`);
    this.addSql(/* sql */ `
      create or replace function waits_for_standby() returns bool language sql stable as $$
        select current_setting('synchronous_standby_names') <> ''
               and current_setting('synchronous_commit') not in ('off', 'local')
      $$;`);
    this.addSql(/* sql */ `
      comment on function waits_for_standby() is 'Whether a commit of this session is acknowledged only once a standby has it.';`);
    this.addSql(/* sql */ `
      create or replace function require_sendable(by_channel text) returns bool language plpgsql volatile as $$
      declare
        must_wait bool;
      begin
        select is_synchronous into must_wait from running_server where started_at = pg_postmaster_start_time();
        if not found then raise exception 'The server is not known yet.' using errcode = 'LW001'; end if;
        if must_wait and not waits_for_standby() then
          raise exception 'The server does not wait for a standby.' using errcode = 'LW002';
        end if;
        perform from restores where by_channel = any(held);
        if found then raise exception 'Messages are held.' using errcode = 'LW002'; end if;
        return true;
      end $$;`);
    this.addSql(/* sql */ `
      comment on function require_sendable(text) is
        'Fails in a transaction that would claim messages of a channel while they are held, or while the server is not known.';`);
  }

  override down(): void {
    this.addSql('drop function require_sendable(text);');
    this.addSql('drop function waits_for_standby();');
    this.addSql('drop table running_server;');
    this.addSql('drop table known_servers;');
  }
}
