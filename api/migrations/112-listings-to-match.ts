import { OnlineMigration } from './online-migration.ts';

/** So many rows are copied in a transaction. */
const ROWS = 500;
/** So many marks of each kind are given back at a time. */
const GIVEN_BACK = 500;

/** Copies marks that are there, each while its listing is locked, so that none is copied that is deleted meanwhile. */
const copyMarks = (column: string): string => /* sql */ `
  do $$
  declare
    ids int8[];
    last_id int8 := 0;
  begin
    loop
      select array_agg(id), max(id) into ids, last_id
        from (select id from listings where ${column} and id > last_id order by id limit ${ROWS} for update) l;
      exit when ids is null;
      insert into listings_to_match (listing_id, version, is_news, facts_before)
      select id, version, pending_match, facts_before from listings
       where id = any (ids) and (pending_match or pending_filters)
      on conflict do nothing;
      commit;
    end loop;
  end $$;`;

const waits = (row: string): string => `(${row}.pending_match or ${row}.pending_filters)`;

/** What only the table has marked for a minute, locked unless somebody else has locked it. */
const oldest = (condition: string): string => `(
            select l.id from listings_to_match w join listings l on l.id = w.listing_id
             where w.${condition} and not ${waits('l')} and w.marked_at < now() - interval '1 minute'
             order by w.listing_id limit ${GIVEN_BACK} for update of l skip locked)`;

/** A session gives marks back at most once in so many seconds, as it reads all of the index while an old snapshot is held. */
const EVERY_SECONDS = 5;
const LAST_TIME = 'lotwatch.marks_given_back';

/**
 * At the end of a transaction of the version before that marks a listing, when it waits for no lock any more.
 * @param event with the row's condition
 */
const givingBack = (name: string, event: string, condition: string): string => /* sql */ `
  do $$ begin
    if not exists (select from pg_trigger where tgrelid = 'listings'::regclass and tgname = '${name}') then
      create constraint trigger ${name} after ${event} on listings deferrable initially deferred
        for each row when (${condition} and pg_trigger_depth() = 0) execute function give_marks_back();
    end if;
  end $$;`;

/**
 * The mark of a listing that waits to be matched moves from columns of `listings` to a table. What the version before writes to
 * the columns, triggers copy to the table, so that workers of this version find it; this version changes `listings.version`
 * with each mark, by which the triggers know it. A mark that only the table has is given back to the columns when it is a minute
 * old and the version before marks a listing, so that none stays behind where an operator goes back.
 */
export class Migration112ListingsToMatch extends OnlineMigration {
  override up(): void {
    // Rows come and go. Its pages stay, since whoever gives them back stops all who use the table.
    this.addSql(/* sql */ `
      create table if not exists listings_to_match (
        listing_id int8 primary key,
        version int4 not null,
        is_news bool not null,
        facts_before jsonb,
        marked_at timestamptz not null default now()
      ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, vacuum_truncate = off);`);
    this.addSql('create index if not exists listings_to_match_claim on listings_to_match (is_news, listing_id);');
    this.addSql('alter table listings add column if not exists version int4 not null default 0;');
    this.addSql(/* sql */ `
      create or replace function give_marks_back() returns trigger language plpgsql as $$
      declare
        ids int8[];
      begin
        if clock_timestamp() < nullif(current_setting('${LAST_TIME}', true), '')::timestamptz + interval '${EVERY_SECONDS} seconds' then
          return null;
        end if;
        perform set_config('${LAST_TIME}', clock_timestamp()::text, false);
        select array_agg(id) into ids
          from (select id from ${oldest('is_news')} n union all select id from ${oldest('is_news = false')} f) l;
        -- Marks are read once their listings are locked.
        update listings l set pending_match = w.is_news, pending_filters = not w.is_news, facts_before = w.facts_before
          from listings_to_match w
         where l.id = any (ids) and w.listing_id = l.id;
        return null;
      end $$;`);
    this.addSql(/* sql */ `
      create or replace function copy_listing_mark() returns trigger language plpgsql as $$
      declare
        known listings_to_match;
        is_known bool := false;
      begin
        if tg_op = 'UPDATE' then
          new.version := old.version + 1;
          -- One that the version before does not know of, and that it has to take into account.
          if not ${waits('old')} then
            select * into known from listings_to_match where listing_id = new.id;
            is_known := found;
          end if;
          if is_known then
            new.facts_before := coalesce(known.facts_before, '{}');
          end if;
          -- The version before ends a listing without clearing what it was read for.
          if new.status <> 'for_sale' then
            new.pending_filters := false;
          end if;
        end if;
        if ${waits('new')} then
          new.pending_match := new.pending_match or is_known and known.is_news;
          insert into listings_to_match (listing_id, version, is_news, facts_before)
          values (new.id, new.version, new.pending_match, new.facts_before)
          on conflict (listing_id) do update
            set version = excluded.version, is_news = excluded.is_news, facts_before = excluded.facts_before,
                marked_at = case when listings_to_match.is_news then listings_to_match.marked_at else now() end;
        else
          delete from listings_to_match where listing_id = new.id;
        end if;
        return new;
      end $$;`);
    this.addSql(/* sql */ `
      create or replace trigger copy_mark_of_new after insert on listings
        for each row when (${waits('new')}) execute function copy_listing_mark();`);
    this.addSql(/* sql */ `
      create or replace trigger copy_mark before update on listings
        for each row when (
          new.version = old.version
          and (${waits('new')} or ${waits('old')} or old.status = 'for_sale' and new.status <> 'for_sale')
          and pg_trigger_depth() = 0)
        execute function copy_listing_mark();`);
    this.addSql(givingBack('give_back_marks', 'update', `${waits('new')} and not ${waits('old')}`));
    this.addSql(givingBack('give_back_marks_with_new', 'insert', waits('new')));
    this.addSql(copyMarks('pending_match'));
    this.addSql(copyMarks('pending_filters'));
  }

  override down(): void {
    this.addSql('drop trigger if exists copy_mark_of_new on listings;');
    this.addSql('drop trigger if exists copy_mark on listings;');
    this.addSql('drop trigger if exists give_back_marks on listings;');
    this.addSql('drop trigger if exists give_back_marks_with_new on listings;');
    this.addSql('drop function if exists copy_listing_mark();');
    this.addSql('drop function if exists give_marks_back();');
    this.addSql(/* sql */ `
      update listings l set pending_match = w.is_news, pending_filters = not w.is_news, facts_before = w.facts_before
        from listings_to_match w where l.id = w.listing_id;`);
    this.addSql('drop table listings_to_match;');
    this.addSql('alter table listings drop column version;');
  }
}
