import { Migration } from '@mikro-orm/migrations';

/** Links by which buyers show an alert or a list of cars to people without an account. */
export class Migration065SharedLinks extends Migration {
  override up(): void {
    this.addSql(`create table shared_links (
      id int8 generated always as identity primary key,
      user_id int8 not null,
      alert_id int8,
      listing_ids int8[],
      token_hash bytea not null unique,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      constraint shared_links_what check ((alert_id is null) <> (listing_ids is null)));`);
    this.addSql('create index shared_links_user on shared_links (user_id);');
    this.addSql('create index shared_links_alert on shared_links (alert_id) where alert_id is not null;');
    this.addSql('create index shared_links_expires on shared_links (expires_at);');
    this.addSql(`create trigger shared_links_need_user before insert on shared_links
      for each row execute function skip_without_user();`);
  }

  override down(): void {
    this.addSql('drop table shared_links;');
  }
}
