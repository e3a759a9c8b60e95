import { Migration } from '@mikro-orm/migrations';

/** What buyers note about cars, for themselves. */
export class Migration061ListingNotes extends Migration {
  override up(): void {
    this.addSql(`create table listing_notes (
      user_id int8 not null,
      listing_id int8 not null,
      note text not null,
      updated_at timestamptz not null default now(),
      primary key (user_id, listing_id));`);
    this.addSql('create index listing_notes_listing on listing_notes (listing_id);');
    this.addSql(`create trigger listing_notes_need_user before insert on listing_notes
      for each row execute function skip_without_user();`);
  }

  override down(): void {
    this.addSql('drop table listing_notes;');
  }
}
