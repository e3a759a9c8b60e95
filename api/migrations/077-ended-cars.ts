import { OnlineMigration } from './online-migration.ts';

/** Finds the cars of a make in a cell that ended lately, for those who ask by title why one was no match. */
export class Migration077EndedCars extends OnlineMigration {
  override up(): void {
    this.buildIndex('listings_ended', "listings (make_key, unseen_since) include (id) where status <> 'for_sale'");
  }

  override down(): void {
    this.addSql('drop index listings_ended;');
  }
}
