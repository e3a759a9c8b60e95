import { Migration } from '@mikro-orm/migrations';

/**
 * The log of the admin's acts becomes one of everything that the admin and the commands do, with logins and refusals.
 * Rows are only ever added.
 */
export class Migration029AuditLog extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table audit_log (
        id int8 generated always as identity primary key,
        at timestamptz not null default now(),
        actor text not null check (actor in ('admin', 'command', 'visitor')),
        action text not null,
        subject text,
        outcome text not null
      );
      insert into audit_log (at, actor, action, subject, outcome)
      select at, 'admin',
             case when act in ('erased', 'completed') then 'deletion-request.execute' else 'deletion-request.update' end,
             subject,
             case act when 'erased' then 'done' when 'changed the notes of' then 'notes changed' else act end
        from admin_acts order by id;
      drop table admin_acts;
      create trigger audit_log_stays before update or delete or truncate on audit_log
        for each statement execute function stays_as_written();
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      create table admin_acts (
        id int8 generated always as identity primary key,
        at timestamptz not null default now(),
        admin_id int8 not null,
        act text not null,
        subject text not null
      );
      create trigger admin_acts_stay before update or delete or truncate on admin_acts
        for each statement execute function stays_as_written();
      drop table audit_log;
    `);
  }
}
