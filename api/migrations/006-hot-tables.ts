import { Migration } from '@mikro-orm/migrations';

/**
 * What a match and its notification take of their alert lies where the alert is found: no look-up a pair. Triggers keep
 * the copies in step with `alerts`, whoever writes there. Looking back reads its index alone, which holds a listing
 * from when it has been matched on.
 */
export class Migration006HotTables extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      set local maintenance_work_mem = '256MB';

      alter table alert_cells rename to alert_cells_before;
      drop index alert_cells_search, alert_cells_alert;
      create table alert_cells (
        key int8 not null,
        price_max int4 not null,
        alert_id int8 not null,
        alert_version int4 not null,
        user_id int8 not null,
        price_min int4 not null,
        year_min int2 not null,
        year_max int2 not null,
        color int2 not null,
        only_images bool not null,
        announces bool not null,
        x float8 not null,
        y float8 not null,
        z float8 not null,
        cos_radius float8 not null,
        expires_at timestamptz not null
      ) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
      insert into alert_cells
      select c.key, c.price_max, c.alert_id, c.alert_version, a.user_id, c.price_min, c.year_min, c.year_max, c.color,
             c.only_images, a.email_notifications, c.x, c.y, c.z, c.cos_radius,
             case when a.is_active then a.expires_at else '-infinity' end
        from alert_cells_before c join alerts a on a.id = c.alert_id;
      drop table alert_cells_before;
    `);
    this.addSql(/* sql */ `
      create index alert_cells_search on alert_cells (key, price_max)
        include (alert_id, alert_version, user_id, price_min, year_min, year_max, color, only_images, announces, x, y,
                 z, cos_radius, expires_at);
    `);
    this.addSql('create index alert_cells_alert on alert_cells (alert_id);');
    this.addSql(/* sql */ `
      alter table listings add column has_image bool not null generated always as (image_url is not null) stored;
      drop index listings_look_back;
      create index listings_look_back on listings (make_key, seen_at)
        include (id, model_key, price, year, color_code, has_image, x, y, z)
        where status = 'for_sale' and not pending_match;
    `);
    this.addSql(/* sql */ `
      create table alert_paces (
        alert_id int8 primary key,
        last_mailed_at timestamptz not null
      ) with (fillfactor = 70);
      insert into alert_paces
      select id, last_mailed_at from alerts where last_mailed_at > now() - interval '5 minutes';
      alter table alerts set (fillfactor = 90);

      create function alert_cells_follow() returns trigger language plpgsql as $$
      begin
        update alert_cells
           set announces = new.email_notifications,
               expires_at = case when new.is_active then new.expires_at else '-infinity' end
         where alert_id = new.id;
        return null;
      end $$;
      create trigger alert_cells_follow after update of is_active, expires_at, email_notifications on alerts
        for each row when ((old.is_active, old.expires_at, old.email_notifications)
                           is distinct from (new.is_active, new.expires_at, new.email_notifications))
        execute function alert_cells_follow();

      create function alert_paces_follow() returns trigger language plpgsql as $$
      begin
        if new.last_mailed_at is null then
          delete from alert_paces where alert_id = new.id;
        else
          insert into alert_paces values (new.id, new.last_mailed_at)
          on conflict (alert_id) do update set last_mailed_at = excluded.last_mailed_at;
        end if;
        return null;
      end $$;
      create trigger alert_paces_follow after update of last_mailed_at on alerts
        for each row when (old.last_mailed_at is distinct from new.last_mailed_at)
        execute function alert_paces_follow();

      create function alert_leaves() returns trigger language plpgsql as $$
      begin
        delete from alert_cells where alert_id = old.id;
        delete from alert_paces where alert_id = old.id;
        return null;
      end $$;
      create trigger alert_leaves after delete on alerts for each row execute function alert_leaves();
    `);
  }

  override down(): void {
    throw new Error('The search no longer reads alerts.');
  }
}
