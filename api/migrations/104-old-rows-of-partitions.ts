import { staysOfMatches, staysOfNotifications } from './088-leaving-partitions.ts';
import { OnlineMigration } from './online-migration.ts';

/**
 * A partition leaves as a whole only when its newest listings are old. The first one of a database from a version without
 * partitions has everything that was there, and those of a small installation have listings of years. Until they leave, what is
 * old in them is deleted in steps.
 */
export class Migration104OldRowsOfPartitions extends OnlineMigration {
  override up(): void {
    this.addSql(/* sql */ `
      create or replace function delete_old_rows(of_table text, below_id int8, keep_for interval, after_id int8, most int8)
      returns table (last_id int8, removed int8) language plpgsql as $$
      declare
        from_id int8;
        to_id int8;
      begin
        -- One that has nothing newer leaves as a whole, and one with what stayed of others is replaced when the next one leaves.
        select p.from_id, p.to_id into from_id, to_id
          from (select part, upper_id, coalesce(lower_id, 0) as from_id,
                       coalesce(upper_id, 9223372036854775807) as to_id from listing_partitions(of_table)) p
         where p.from_id < below_id and p.to_id > below_id
           and p.part is distinct from to_regclass(of_table || '_to_' || p.upper_id);
        if not found or exists (select from leaving_partitions where table_name = of_table) then
          return query select null::int8, 0::int8;
          return;
        end if;
        -- A row that others change meanwhile is looked at again when it is locked.
        return query execute format(
          'with page as materialized (
             select r.%2$I as a, r.%3$I as b, r.listing_id < $2 as is_old, r.listing_id < $2 and not (%4$s) as goes
               from %1$I r
              where r.listing_id >= $5 and r.listing_id < $6 and r.%2$I > $3
              order by r.%2$I fetch first ($4) rows with ties
           ), gone as (
             delete from %1$I d
              using (select r.%2$I as a, r.%3$I as b from page p join %1$I r on r.%2$I = p.a and r.%3$I = p.b
                      where p.goes and r.listing_id >= $5 and r.listing_id < $6 and not (%4$s) for update of r skip locked) k
              where d.%2$I = k.a and d.%3$I = k.b and d.listing_id >= $5 and d.listing_id < $6
             returning 1
           )
           select case when bool_or(p.is_old) then max(p.a) end, (select count(*) from gone) from page p',
          of_table,
          case of_table when 'matches' then 'listing_id' else 'id' end,
          case of_table when 'matches' then 'alert_id' else 'listing_id' end,
          case of_table when 'matches' then '${staysOfMatches}' else '${staysOfNotifications}' end)
          using keep_for, below_id, after_id, most, from_id, to_id;
      end $$;
      comment on function delete_old_rows(text, int8, interval, int8, int8) is
        'Deletes rows of listings below an id that need not stay from the partition that has later listings too: a page of them from a place on, and where the next one begins; null after the last one.';`);
  }

  override down(): void {
    this.addSql('drop function if exists delete_old_rows(text, int8, interval, int8, int8);');
  }
}
