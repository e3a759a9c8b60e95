import { Migration } from '@mikro-orm/migrations';

/** How the tables lie, once it was decided: all on one server, or distributed by user. It has one row at most. */
export class Migration119Layouts extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table if not exists database_layout (
        is_kept boolean primary key default true check (is_kept),
        layout text not null check (layout in ('plain', 'citus')),
        kept_at timestamptz not null default now()
      );
    `);
  }

  override down(): void {
    this.addSql('drop table if exists database_layout;');
  }
}
