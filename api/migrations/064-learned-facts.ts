import { OnlineMigration } from './online-migration.ts';

/**
 * Listings with facts that were read for the first time, which are yet to be compared with the filters of alerts. And a
 * guard: while a new version is rolled out, an api of the version before filters would write the cells of an edited alert
 * without its filters and further models, which no trigger can complete. It gets the error of a busy database instead, so
 * that it asks the user to try again. The trigger and the default can go with the release after the next.
 */
export class Migration064LearnedFacts extends OnlineMigration {
  override up(): void {
    this.addSql('alter table listings add column if not exists pending_filters bool not null default false;');
    this.buildIndex('listings_pending_filters', 'listings (id) where pending_filters');
    this.addSql(/* sql */ `
      create or replace function refuse_cells_without_filters() returns trigger language plpgsql as $$
      begin
        if exists (
          select from alerts
           where id = new.alert_id
             and (cardinality(models) > 0 or cardinality(exclude_words) > 0 or cardinality(require_words) > 0
                  or below_fair_price or price_stated is not null or mileage_max is not null
                  or coalesce(transmission, fuel, drive, body, title_status, seller) is not null)
        ) then
          raise exception 'Only a version that knows filters can write the cells of this alert.'
            using errcode = 'lock_not_available';
        end if;
        new.asked := 0;
        return new;
      end $$;
    `);
    this.addSql(/* sql */ `
      create or replace trigger alert_cells_refuse_without_filters before insert on alert_cells
        for each row when (new.asked < 0) execute function refuse_cells_without_filters();
    `);
    // What a version that does not know the column writes.
    this.addSql('alter table alert_cells alter column asked set default -1;');
  }

  override down(): void {
    this.addSql('alter table alert_cells alter column asked set default 0;');
    this.addSql('drop trigger alert_cells_refuse_without_filters on alert_cells;');
    this.addSql('drop function refuse_cells_without_filters;');
    this.addSql('alter table listings drop column pending_filters;');
  }
}
