import { Migration } from '@mikro-orm/migrations';

/** The value of a source's header, closed under a key that the database does not hold. The worker moves what is there. */
export class Migration034SourceHeaders extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table sources add column header_box text;
      update sources set header_box = settings #>> '{header,box}', settings = settings #- '{header,box}'
       where settings #>> '{header,box}' is not null;
    `);
  }

  override down(): void {
    this.addSql('alter table sources drop column header_box;');
  }
}
