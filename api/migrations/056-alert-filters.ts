import { OnlineMigration } from './online-migration.ts';

/**
 * Further filters of alerts, and the facts of listings that they are about. What nearly every alert leaves open stands in
 * two numbers of the search's index, where its alignment had room for them, so that the index does not grow.
 */
export class Migration056AlertFilters extends OnlineMigration {
  private indexCells(asked: string, mileageMax: string): void {
    this.replaceIndex(
      'alert_cells_search',
      `alert_cells (key, price_max)
        include (${asked}alert_id, alert_version, ${mileageMax}user_id, price_min, year_min, year_max, color, only_images,
                 announces, texts, pushes, x, y, z, cos_radius, expires_at)`,
    );
  }

  override up(): void {
    this.addSql(/* sql */ `
      alter table listings
        add column if not exists fuel text,
        add column if not exists drive text,
        add column if not exists body text,
        add column if not exists title_status text,
        add column if not exists seller text;
    `);
    this.addSql(/* sql */ `
      alter table alerts
        add column if not exists models text[],
        add column if not exists mileage_max int4,
        add column if not exists transmission text,
        add column if not exists fuel text,
        add column if not exists drive text,
        add column if not exists body text,
        add column if not exists title_status text,
        add column if not exists seller text,
        add column if not exists exclude_words text[],
        add column if not exists require_words text[],
        add column if not exists price_stated bool,
        add column if not exists below_fair_price bool not null default false;
    `);
    this.addSql(/* sql */ `
      alter table alert_cells
        add column if not exists asked int4 not null default 0,
        add column if not exists mileage_max int4 not null default 2147483647;
    `);
    this.indexCells('asked, ', 'mileage_max, ');
  }

  override down(): void {
    this.indexCells('', '');
    this.addSql('alter table alert_cells drop column asked, drop column mileage_max;');
    this.addSql(/* sql */ `
      alter table alerts drop column models, drop column mileage_max, drop column transmission, drop column fuel,
        drop column drive, drop column body, drop column title_status, drop column seller, drop column exclude_words,
        drop column require_words, drop column price_stated, drop column below_fair_price;
    `);
    this.addSql(
      'alter table listings drop column fuel, drop column drive, drop column body, drop column title_status, drop column seller;',
    );
  }
}
