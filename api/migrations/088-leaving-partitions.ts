import { OnlineMigration } from './online-migration.ts';

const TABLES = ['matches', 'notifications'] as const;

/** A function that the application's role calls, which can't change tables, for those who may delete rows of this one. */
export const asOwner = (
  name: string,
  takes: string,
  returns: string,
  declared: string,
  body: string,
): string => /* sql */ `
  create or replace function ${name}(${takes}) returns ${returns}
  language plpgsql security definer as $$
  declare
    ${declared}
  begin
    if of_table not in (${TABLES.map((table) => `'${table}'`).join(', ')})
       or not has_table_privilege(session_user, of_table, 'delete') then
      raise insufficient_privilege using message = format('%s may not change the partitions of %s', session_user, of_table);
    end if;
    ${body}
  end $$;`;

/** Statements that make the table `new_part` as a partition of `of_table` has to be, which is attached without reading it. */
const makePart = /* sql */ `
    execute format('create table %I (like %I including defaults including constraints including indexes)', new_part, of_table);
    select string_agg(option, ', ') into options
      from (select unnest(c.reloptions) as option from pg_class c join listing_partitions(of_table) p on p.part = c.oid
             where p.upper_id is null) o;
    if options is not null then execute format('alter table %I set (%s)', new_part, options); end if;
    for granted in
      select a.privilege_type, a.grantee::regrole as role
        from pg_class c cross join aclexplode(c.relacl) a
       where c.oid = of_table::regclass and a.grantee <> 0 and a.grantee <> c.relowner
    loop
      execute format('grant %s on %I to %s', granted.privilege_type, new_part, granted.role);
    end loop;`;

/** What stays of the rows `r` that were written before the time $1. */
const staysOfMatches = `r.matched_at > now() - $1 or listing_stays(r.listing_id)
          or r.alert_version = 2147483647 and exists (select from alerts a where a.id = r.alert_id)
          or exists (select from saved_listings s join alerts a on a.user_id = s.user_id
                      where s.listing_id = r.listing_id and a.id = r.alert_id)
          or exists (select from notifications n
                      where n.alert_id = r.alert_id and n.listing_id = r.listing_id and n.status in (''waiting'', ''sending''))`;
const staysOfNotifications =
  "r.created_at > now() - $1 or r.status in (''waiting'', ''sending'') or listing_stays(r.listing_id)";

/**
 * How old matches and notifications leave: partitions of listings are made and dropped by these functions, which the clean-up
 * calls. Each is a short transaction and can be repeated.
 */
export class Migration088LeavingPartitions extends OnlineMigration {
  override up(): void {
    this.addSql(`create table if not exists leaving_partitions (
      table_name text primary key,
      below int8 not null,
      keep interval not null,
      copied_parts int4 not null default 0,
      copied_pages int8 not null default 0,
      began_at timestamptz not null default now());`);
    this.addSql(`create table if not exists leaving_changes (
      table_name text not null,
      listing_id int8 not null,
      alert_id int8 not null);`);

    this.addSql(/* sql */ `
      create or replace function listing_partitions(of_table text)
      returns table (part regclass, lower_id int8, upper_id int8) language sql stable as $$
        select i.inhrelid::regclass, substring(b.bound from 'FROM \\(''?(-?\\d+)')::int8, substring(b.bound from 'TO \\(''?(-?\\d+)')::int8
          from pg_inherits i join pg_class c on c.oid = i.inhrelid
         cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
         where i.inhparent = to_regclass(of_table) and c.relispartition
         order by 3
      $$;
      comment on function listing_partitions(text) is
        'The partitions of a table in their order, each with its listings from lower_id to below upper_id; null is no bound.';`);

    this.addSql(
      asOwner(
        'prepare_bound',
        'of_table text, bound int8',
        'text',
        `last record;
         checked bool;`,
        /* sql */ `
    select * into strict last from listing_partitions(of_table) where upper_id is null;
    select convalidated into checked from pg_constraint where conrelid = last.part and conname = 'bound_of_listings';
    if checked then return 'ready'; end if;
    if checked is null then
      execute format('alter table %s add constraint bound_of_listings check (%s listing_id < %s) not valid',
                     last.part, coalesce('listing_id >= ' || last.lower_id || ' and', ''), bound);
      return 'added';
    end if;
    execute format('alter table %s validate constraint bound_of_listings', last.part);
    return 'ready';`,
      ),
    );

    this.addSql(
      asOwner(
        'bound_last_partition',
        'of_table text, bound_id int8',
        'int8',
        `last record;
         bound int8;
         new_part text;
         options text;
         granted record;`,
        /* sql */ `
    execute format('lock table only %I in access exclusive mode', of_table);
    select * into strict last from listing_partitions(of_table) where upper_id is null;
    select substring(pg_get_constraintdef(oid) from 'listing_id < ''?(\\d+)')::int8 into bound
      from pg_constraint where conrelid = last.part and conname = 'bound_of_listings' and convalidated;
    bound := coalesce(bound, bound_id);
    new_part := of_table || '_from_' || bound;
    ${makePart}
    execute format('alter table %I detach partition %s', of_table, last.part);
    execute format('alter table %I attach partition %s for values from (%s) to (%s)', of_table, last.part,
                   coalesce(quote_literal(last.lower_id), 'minvalue'), quote_literal(bound));
    execute format('alter table %s drop constraint if exists bound_of_listings', last.part);
    execute format('alter table %I attach partition %I for values from (%L) to (maxvalue)', of_table, new_part, bound);
    return bound;`,
      ),
    );

    this.addSql(
      asOwner(
        'drop_bound',
        'of_table text',
        'void',
        'last record;',
        /* sql */ `
    select * into strict last from listing_partitions(of_table) where upper_id is null;
    execute format('alter table %s drop constraint if exists bound_of_listings', last.part);`,
      ),
    );

    this.addSql(/* sql */ `
      create or replace function note_leaving_change() returns trigger
      language plpgsql security definer as $$
      begin
        if tg_op <> 'INSERT' then insert into leaving_changes values (tg_argv[0], old.listing_id, old.alert_id); end if;
        if tg_op <> 'DELETE' then insert into leaving_changes values (tg_argv[0], new.listing_id, new.alert_id); end if;
        return null;
      end $$;`);

    this.addSql(
      asOwner(
        'begin_leaving',
        'of_table text, below_id int8, keep_for interval',
        'void',
        `leaving record;
         new_part text := of_table || '_kept';
         options text;
         granted record;`,
        /* sql */ `
    insert into leaving_partitions (table_name, below, keep) values (of_table, below_id, keep_for);
    ${makePart}
    execute format('alter table %I add constraint bound_of_listings check (listing_id < %s)', new_part, below_id);
    for leaving in select part from listing_partitions(of_table) where upper_id <= below_id loop
      execute format('create trigger leaving after insert or update or delete on %s for each row execute function note_leaving_change(%L)',
                     leaving.part, of_table);
    end loop;`,
      ),
    );

    // A pair stays while its listing may come back, its car is dismissed or saved, or something waits.
    this.addSql(/* sql */ `
      create or replace function listing_stays(of_listing int8) returns bool language sql stable as $$
        select exists (
          select from listings l
           where l.id = of_listing and (l.status in ('for_sale', 'pending') or l.pending_match
                                        or l.last_seen_at > now() - interval '90 days'))
      $$;
      comment on function listing_stays(int8) is
        'Whether a listing is still offered, or was within the time after which it is purged, and so may be matched again.';`);
    this.addSql(
      asOwner(
        'copy_staying',
        'of_table text, pages int8',
        'int8',
        `leaving leaving_partitions;
         source regclass;
         copied int8;`,
        /* sql */ `
    select * into strict leaving from leaving_partitions where table_name = of_table for update;
    select part into source from listing_partitions(of_table) where upper_id <= leaving.below
     order by upper_id offset leaving.copied_parts limit 1;
    if not found then return null; end if;
    execute format(
      'insert into %I select r.* from %s r where r.ctid >= %L::tid and r.ctid < %L::tid and (%s) on conflict do nothing',
      of_table || '_kept', source, format('(%s,0)', leaving.copied_pages), format('(%s,0)', leaving.copied_pages + pages),
      case of_table when 'matches' then '${staysOfMatches}' else '${staysOfNotifications}' end) using leaving.keep;
    get diagnostics copied = row_count;
    if (leaving.copied_pages + pages) * current_setting('block_size')::int8 >= pg_relation_size(source) then
      update leaving_partitions set copied_parts = copied_parts + 1, copied_pages = 0 where table_name = of_table;
    else
      update leaving_partitions set copied_pages = copied_pages + pages where table_name = of_table;
    end if;
    return copied;`,
      ),
    );

    // Whoever changes a row of these while they are copied notes it again.
    this.addSql(
      asOwner(
        'copy_changes',
        'of_table text, most int8',
        'int8',
        `leaving leaving_partitions;
         listings int8[];
         alerts int8[];
         taken int8;`,
        /* sql */ `
    select * into strict leaving from leaving_partitions where table_name = of_table for update;
    with noted as (
      delete from leaving_changes
       where ctid = any (array(select ctid from leaving_changes where table_name = of_table limit most))
      returning listing_id, alert_id)
    select array_agg(listing_id), array_agg(alert_id), count(*) into listings, alerts, taken from noted;
    if taken = 0 then return 0; end if;
    execute format('delete from %I k using (select distinct * from unnest($1, $2) c (listing_id, alert_id)) c
                     where k.listing_id = c.listing_id and k.alert_id = c.alert_id', of_table || '_kept') using listings, alerts;
    execute format('insert into %I select r.*
                      from (select distinct * from unnest($1, $2) c (listing_id, alert_id)) c
                     cross join lateral (
                       select * from %I where listing_id = c.listing_id and alert_id = c.alert_id offset 0) r
                     where c.listing_id < %s', of_table || '_kept', of_table, leaving.below) using listings, alerts;
    return taken;`,
      ),
    );

    this.addSql(
      asOwner(
        'finish_leaving',
        'of_table text',
        'void',
        `leaving leaving_partitions;
         gone record;
         new_part text;`,
        /* sql */ `
    select * into strict leaving from leaving_partitions where table_name = of_table for update;
    execute format('lock table only %I in access exclusive mode', of_table);
    perform copy_changes(of_table, 1000000);
    for gone in select part from listing_partitions(of_table) where upper_id <= leaving.below loop
      execute format('alter table %I detach partition %s', of_table, gone.part);
      execute format('drop table %s', gone.part);
    end loop;
    new_part := of_table || '_to_' || leaving.below;
    execute format('alter table %I rename to %I', of_table || '_kept', new_part);
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', of_table, new_part, leaving.below);
    execute format('alter table %I drop constraint bound_of_listings', new_part);
    delete from leaving_changes where table_name = of_table;
    delete from leaving_partitions where table_name = of_table;`,
      ),
    );

    this.addSql(asOwner('analyze_partitions', 'of_table text', 'void', '', "execute format('analyze %I', of_table);"));
    // They read no tables that their caller has put in the way.
    this.addSql(/* sql */ `
      do $$ declare
        called regprocedure;
      begin
        for called in select oid::regprocedure from pg_proc where prosecdef and pronamespace = current_schema()::regnamespace loop
          execute format('alter function %s set search_path = %I, pg_temp', called, current_schema());
        end loop;
      end $$;`);
  }

  override down(): void {
    for (const name of [
      'analyze_partitions(text)',
      'finish_leaving(text)',
      'copy_staying(text, int8)',
      'begin_leaving(text, int8, interval)',
      'bound_last_partition(text, int8)',
      'drop_bound(text)',
      'copy_changes(text, int8)',
      'prepare_bound(text, int8)',
      'listing_partitions(text)',
      'listing_stays(int8)',
    ])
      this.addSql(`drop function ${name};`);
    this.addSql('drop function note_leaving_change() cascade;');
    this.addSql('drop table leaving_changes;');
    this.addSql('drop table leaving_partitions;');
  }
}
