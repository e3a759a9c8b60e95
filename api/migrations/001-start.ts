import { Migration } from '@mikro-orm/migrations';

/** The hot tables (alert_cells, matches, notifications) carry no foreign keys: deletion and a sweep keep them clean. */
export class Migration001Start extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table plans (
        id int4 primary key,
        name text not null,
        description text not null,
        price numeric(8,2) not null,
        alert_limit int4 not null,
        is_popular bool not null,
        features text[] not null
      );

      create table users (
        id int8 generated always as identity primary key,
        username text not null,
        username_key text not null generated always as (lower(btrim(username))) stored unique,
        email text,
        email_confirmed_at timestamptz,
        phone text,
        phone_confirmed_at timestamptz,
        password_hash text not null,
        plan_id int4 not null default 1 references plans (id),
        time_zone text not null default 'America/New_York',
        created_at timestamptz not null default now(),
        last_seen_at timestamptz not null default now()
      );
      create unique index users_confirmed_email on users (lower(email)) where email_confirmed_at is not null;
      create index users_email on users (lower(email));

      create table session (
        sid varchar primary key,
        sess json not null,
        expire timestamp(6) not null
      );
      create index session_expire on session (expire);
      create index session_of_user on session ((sess ->> 'userId'));

      create table rate_limits (
        key varchar(255) primary key,
        points integer not null default 0,
        expire bigint
      );

      create table alerts (
        id int8 generated always as identity primary key,
        user_id int8 not null references users (id),
        make text not null,
        model text,
        year_min int4,
        year_max int4,
        location text not null,
        place text not null,
        lat float8 not null,
        lng float8 not null,
        radius int4 not null,
        price_min int4,
        price_max int4,
        color text,
        only_with_images bool not null default true,
        email_notifications bool not null default true,
        text_notifications bool not null default false,
        is_active bool not null default true,
        version int4 not null default 1,
        pending_match bool not null default true,
        last_mailed_at timestamptz,
        reminded_at timestamptz,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null default now() + interval '42 days'
      );
      create index alerts_user on alerts (user_id);
      create index alerts_pending on alerts (id) where pending_match;
      create index alerts_expiry on alerts (expires_at) where is_active;

      create table alert_cells (
        key int8 not null,
        price_max int4 not null,
        alert_id int8 not null,
        alert_version int4 not null,
        price_min int4 not null,
        year_min int2 not null,
        year_max int2 not null,
        color int2 not null,
        only_images bool not null,
        x float8 not null,
        y float8 not null,
        z float8 not null,
        cos_radius float8 not null,
        expires_at timestamptz not null
      );
      create index alert_cells_search on alert_cells (key, price_max)
        include (alert_id, alert_version, price_min, year_min, year_max, color, only_images, x, y, z, cos_radius, expires_at);
      create index alert_cells_alert on alert_cells (alert_id);

      create table sources (
        name text primary key,
        kind text not null,
        settings jsonb not null default '{}',
        cursor jsonb not null default '{}',
        etag text,
        last_modified text,
        first_read_done bool not null default false,
        next_poll_at timestamptz not null default now(),
        failures int4 not null default 0,
        last_polled_at timestamptz,
        last_success_at timestamptz,
        last_error text,
        last_error_at timestamptz,
        items int8 not null default 0,
        rejects int8 not null default 0,
        lag_ms int4,
        created_at timestamptz not null default now()
      );

      create table listings (
        id int8 generated always as identity primary key,
        source text not null,
        external_id text not null,
        car_id int8,
        status text not null default 'for_sale' check (status in ('for_sale', 'pending', 'sold', 'gone')),
        title text not null,
        make text not null,
        model text,
        year int2,
        price int4,
        mileage int4,
        transmission text,
        color text,
        condition text,
        city text,
        state text,
        lat float8,
        lng float8,
        image_url text,
        images text[] not null default '{}',
        url text,
        listed_at timestamptz,
        seen_at timestamptz not null default now(),
        last_seen_at timestamptz not null default now(),
        changed_at timestamptz not null default now(),
        facts_hash text not null,
        fingerprint text,
        announce bool not null default true,
        pending_match bool not null default true,
        make_key int8,
        model_key int8,
        color_code int2 not null default 0,
        x float8,
        y float8,
        z float8,
        unique (source, external_id)
      );
      create index listings_pending on listings (id) where pending_match;
      create index listings_look_back on listings (make_key, seen_at)
        include (id, model_key, price, year, color_code, x, y, z) where status = 'for_sale';
      create index listings_fingerprint on listings (fingerprint) where fingerprint is not null;
      create index listings_car on listings (car_id) where car_id is not null;
      create index listings_seen on listings using brin (seen_at) with (autosummarize = on);
      create index listings_last_seen on listings (last_seen_at) where status = 'for_sale';

      create table price_changes (
        listing_id int8 not null,
        price int4,
        seen_at timestamptz not null default now()
      );
      create index price_changes_listing on price_changes (listing_id, seen_at);

      create table quarantine (
        id int8 generated always as identity primary key,
        source text not null,
        external_id text,
        code text not null,
        reason text not null,
        record text not null,
        record_hash text not null,
        times int4 not null default 1,
        first_seen_at timestamptz not null default now(),
        last_seen_at timestamptz not null default now(),
        unique (source, record_hash)
      );
      create index quarantine_recent on quarantine (last_seen_at);

      create table matches (
        listing_id int8 not null,
        alert_id int8 not null,
        alert_version int4 not null,
        distance_miles float4 not null,
        not_stated int2 not null default 0,
        price int4,
        announced bool not null,
        matched_at timestamptz not null default now(),
        tx xid8 not null default pg_current_xact_id(),
        primary key (listing_id, alert_id)
      );
      create index matches_alert on matches (alert_id, tx, listing_id);

      create table notifications (
        id int8 generated always as identity primary key,
        user_id int8 not null,
        alert_id int8 not null,
        listing_id int8 not null,
        channel text not null default 'email' check (channel in ('email', 'sms')),
        kind text not null default 'match' check (kind in ('match', 'price_drop')),
        price int4,
        status text not null default 'waiting'
          check (status in ('waiting', 'sending', 'sent', 'dropped', 'failed', 'unknown')),
        mail_id uuid,
        created_at timestamptz not null default now(),
        due_at timestamptz not null,
        settled_at timestamptz
      );
      create index notifications_due on notifications (due_at) where status = 'waiting';
      create index notifications_alert on notifications (alert_id, listing_id);
      create index notifications_mail on notifications (mail_id) where mail_id is not null;

      create table mails (
        id uuid primary key default gen_random_uuid(),
        kind text not null,
        user_id int8,
        alert_id int8,
        to_address text not null,
        data jsonb not null default '{}',
        status text not null default 'waiting' check (status in ('waiting', 'sending', 'sent', 'dropped', 'failed')),
        attempts int4 not null default 0,
        next_try_at timestamptz not null default now(),
        claimed_at timestamptz,
        sent_at timestamptz,
        error text,
        created_at timestamptz not null default now()
      );
      create index mails_due on mails (next_try_at) where status in ('waiting', 'sending');
      create index mails_created on mails using brin (created_at) with (autosummarize = on);
      create index mails_alert on mails (alert_id, sent_at);

      create table listing_views (
        user_id int8 not null,
        listing_id int8 not null,
        viewed_at timestamptz not null default now(),
        primary key (user_id, listing_id)
      );
    `);
    this.addSql(/* sql */ `
      create table agenda_jobs (
        id uuid primary key default gen_random_uuid(),
        name varchar(255) not null,
        priority integer not null default 0,
        next_run_at timestamptz,
        type varchar(10) not null default 'normal' check (type in ('normal', 'single')),
        locked_at timestamptz,
        last_finished_at timestamptz,
        failed_at timestamptz,
        fail_count integer default null,
        fail_reason text,
        repeat_timezone varchar(100),
        last_run_at timestamptz,
        repeat_interval varchar(255),
        data jsonb default '{}'::jsonb,
        repeat_at varchar(255),
        disabled boolean default false,
        progress real,
        fork boolean default false,
        last_modified_by varchar(255),
        debounce_started_at timestamptz,
        start_date timestamptz,
        end_date timestamptz,
        skip_days jsonb,
        created_at timestamptz default now(),
        updated_at timestamptz default now()
      );
      create index agenda_jobs_find_and_lock_idx on agenda_jobs (name, next_run_at, priority desc, locked_at, disabled)
        where disabled = false;
      create unique index agenda_jobs_single_job_idx on agenda_jobs (name) where type = 'single';
      create index agenda_jobs_locked_at_idx on agenda_jobs (locked_at) where locked_at is not null;
      create index agenda_jobs_next_run_at_idx on agenda_jobs (next_run_at) where next_run_at is not null;
    `);
  }

  override down(): void {
    throw new Error('The first migration is not undone: drop the database instead.');
  }
}
