import { asOwner } from './088-leaving-partitions.ts';
import { OnlineMigration } from './online-migration.ts';

const stillOffered = (from: string, to: string): string => `exists (
            select from listings l
             where l.id = r.listing_id and l.id >= ${from} and l.id < ${to}
               and (l.status in (''for_sale'', ''pending'') or l.pending_match or l.last_seen_at > now() - interval ''90 days''))`;

/** SQL after a condition: that two rows have the same user, which those of matches know since migration 107. */
type SameUser = (one: string, other: string) => string;

/**
 * What stays of the rows `r` of listings from one id on and below another that were written before the time $1. With these bounds
 * only such listings and their notifications are read, where a batch read all notifications of all partitions.
 */
const staysOfMatches = (
  from: string,
  to: string,
  sameUser: SameUser,
): string => `r.matched_at > now() - $1 or ${stillOffered(from, to)}
          or r.alert_version = 2147483647 and exists (select from alerts a where a.id = r.alert_id${sameUser('a', 'r')})
          or exists (select from saved_listings s join alerts a on a.user_id = s.user_id
                      where s.listing_id = r.listing_id and s.listing_id >= ${from} and s.listing_id < ${to}
                        and a.id = r.alert_id${sameUser('a', 'r')}${sameUser('s', 'r')})
          or exists (select from notifications n
                      where n.alert_id = r.alert_id and n.listing_id = r.listing_id and n.listing_id >= ${from} and n.listing_id < ${to}
                        and n.status in (''waiting'', ''sending'')${sameUser('n', 'r')})`;
const staysOfNotifications = (from: string, to: string): string =>
  `r.created_at > now() - $1 or r.status in (''waiting'', ''sending'') or ${stillOffered(from, to)}`;

const staysOf = (from: string, to: string, sameUser: SameUser): string =>
  `case of_table when 'matches' then '${staysOfMatches(from, to, sameUser)}' else '${staysOfNotifications(from, to)}' end`;

/**
 * SQL: makes the functions that copy what stays of partitions that leave, and delete what is old in others.
 * @param withUser whether they name the user of each row
 */
export function oldRowsFunctions({ withUser }: { withUser: boolean }): string[] {
  const sameUser: SameUser = withUser ? (one, other) => ` and ${one}.user_id = ${other}.user_id` : () => '';
  const user = withUser ? ', r.user_id' : '';
  return [
    asOwner(
      'copy_staying',
      'of_table text, pages int8',
      'int8',
      `leaving leaving_partitions;
         source record;
         copied int8;`,
      /* sql */ `
    select * into strict leaving from leaving_partitions where table_name = of_table for update;
    select part, coalesce(lower_id, -9223372036854775808) as from_id, upper_id as to_id into source
      from listing_partitions(of_table) where upper_id <= leaving.below
     order by upper_id offset leaving.copied_parts limit 1;
    if not found then return null; end if;
    execute format(
      'insert into %I select r.* from %s r where r.ctid >= %L::tid and r.ctid < %L::tid and (%s) on conflict do nothing',
      of_table || '_kept', source.part, format('(%s,0)', leaving.copied_pages), format('(%s,0)', leaving.copied_pages + pages),
      ${staysOf('$2', '$3', sameUser)}) using leaving.keep, source.from_id, source.to_id;
    get diagnostics copied = row_count;
    if (leaving.copied_pages + pages) * current_setting('block_size')::int8 >= pg_relation_size(source.part) then
      update leaving_partitions set copied_parts = copied_parts + 1, copied_pages = 0 where table_name = of_table;
    else
      update leaving_partitions set copied_pages = copied_pages + pages where table_name = of_table;
    end if;
    return copied;`,
    ),
    `do $$ begin
      execute format('alter function copy_staying(text, int8) set search_path = %I, pg_temp', current_schema());
    end $$;`,
    /* sql */ `
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
        -- Notifications are read of the listings of this page alone.
        if of_table = 'matches' then
          from_id := greatest(from_id, after_id + 1);
          select coalesce(max(listing_id) + 1, from_id) into to_id
            from (select listing_id from matches m where m.listing_id >= from_id and m.listing_id < to_id
                   order by listing_id limit most) page;
        end if;
        -- A row that others change meanwhile is looked at again when it is locked. The walk ends at a page in which nothing is
        -- old: by listing, as matches are read in their order, and by time, in whose order notifications are.
        return query execute format(
          'with page as materialized (
             select r.%2$I as a, r.%3$I as b${user}, %5$s as is_old, r.listing_id < $2 and not (%4$s) as goes
               from %1$I r
              where r.listing_id >= $5 and r.listing_id < $6 and r.%2$I > $3
              order by r.%2$I fetch first ($4) rows with ties
           ), gone as (
             delete from %1$I d
              using (select r.%2$I as a, r.%3$I as b${user} from page p join %1$I r on r.%2$I = p.a and r.%3$I = p.b${sameUser('r', 'p')}
                      where p.goes and r.listing_id >= $5 and r.listing_id < $6 and not (%4$s) for update of r skip locked) k
              where d.%2$I = k.a and d.%3$I = k.b${sameUser('d', 'k')} and d.listing_id >= $5 and d.listing_id < $6
             returning 1
           )
           select case when bool_or(p.is_old) then max(p.a) end, (select count(*) from gone) from page p',
          of_table,
          case of_table when 'matches' then 'listing_id' else 'id' end,
          case of_table when 'matches' then 'alert_id' else 'listing_id' end,
          ${staysOf('$5', '$6', sameUser)},
          case of_table when 'matches' then 'r.listing_id < $2' else 'r.created_at <= now() - $1' end)
          using keep_for, below_id, after_id, most, from_id, to_id;
      end $$;
      comment on function delete_old_rows(text, int8, interval, int8, int8) is
        'Deletes rows of listings below an id that need not stay from the partition that has later listings too: a page of them from a place on, and where the next one begins; null after the last one.';`,
  ];
}

/**
 * A partition leaves as a whole only when its newest listings are old. The first one of a database from a version without
 * partitions has everything that was there, and those of a small installation have listings of years. Until they leave, what is
 * old in them is deleted in steps. What is copied of a partition that leaves is found by the bounds of its listings: before, a year
 * of notifications made each batch four times as slow.
 */
export class Migration104OldRowsOfPartitions extends OnlineMigration {
  override up(): void {
    for (const sql of oldRowsFunctions({ withUser: false })) this.addSql(sql);
  }

  /** What stays is found by the bounds of listings on. */
  override down(): void {
    this.addSql('drop function if exists delete_old_rows(text, int8, interval, int8, int8);');
  }
}
