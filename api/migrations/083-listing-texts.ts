import { OnlineMigration } from './online-migration.ts';

/**
 * What sellers write, beside the listings, so that the rows that searches read stay small: the description, and where each
 * fact was read. `text_hash` shows whether they changed. A description of up to 8 KB is stored as it is, in one row:
 * compressing each would take more time than reading and matching its car.
 */
export class Migration083ListingTexts extends OnlineMigration {
  override up(): void {
    this.addSql(/* sql */ `
      create table if not exists listing_texts (
        listing_id int8 not null primary key,
        description text,
        facts_read json
      ) with (toast_tuple_target = 8160);
    `);
    this.addSql('alter table listings add column if not exists trim text, add column if not exists text_hash text;');
  }

  override down(): void {
    this.addSql('alter table listings drop column trim, drop column text_hash;');
    this.addSql('drop table listing_texts;');
  }
}
