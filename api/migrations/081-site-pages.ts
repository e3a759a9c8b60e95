import { OnlineMigration } from './online-migration.ts';

/** What is known of the pages of dealers' sites, and when a site may be asked again. */
export class Migration081SitePages extends OnlineMigration {
  override up(): void {
    this.addSql(/* sql */ `
      create table if not exists source_pages (
        source text not null,
        url text not null,
        round int4 not null,
        position int4 not null,
        changed_at timestamptz,
        listed_at timestamptz not null default now(),
        state text not null default 'listed',
        tries int2 not null default 0,
        ids text[] not null default '{}',
        had_cars boolean not null default false,
        etag text,
        last_modified text,
        answered_at timestamptz,
        read_at timestamptz,
        constraint source_pages_pkey primary key (source, url),
        constraint source_pages_state check (state in ('listed', 'read', 'gone'))
      );
    `);
    this.addSql(/* sql */ `
      create table if not exists site_hosts (
        site text constraint site_hosts_pkey primary key,
        next_at timestamptz not null,
        robots text,
        robots_origin text,
        robots_at timestamptz
      );
    `);
  }

  override down(): void {
    this.addSql('drop table source_pages;');
    this.addSql('drop table site_hosts;');
  }
}
