import { OnlineMigration } from './online-migration.ts';

/**
 * What an alert asks that has no bit in `asked` stands in the index of the search too, so that no candidate is looked up in
 * `alerts`. It is empty in rows that were there, or that an api of the version before writes: those are looked up. In the
 * index it comes last, as the columns behind one of varying length are slower to read.
 */
export class Migration067ConditionsOfCells extends OnlineMigration {
  override up(): void {
    this.addSql("alter table alert_cells add column if not exists conditions text not null default '';");
    this.replaceIndex(
      'alert_cells_search',
      `alert_cells (key, price_max)
        include (asked, alert_id, user_id, x, y, z, cos_radius, expires_at, alert_version, mileage_max, price_min, year_min,
                 year_max, color, only_images, announces, texts, pushes, conditions)`,
    );
  }

  override down(): void {
    this.replaceIndex(
      'alert_cells_search',
      `alert_cells (key, price_max)
        include (asked, alert_id, alert_version, mileage_max, user_id, price_min, year_min, year_max, color, only_images,
                 announces, texts, pushes, x, y, z, cos_radius, expires_at)`,
    );
    this.addSql('alter table alert_cells drop column conditions;');
  }
}
