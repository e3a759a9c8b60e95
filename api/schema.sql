-- What the migrations make of an empty database: tables with their indexes and triggers, then functions.
-- Generated: after a new migration run `npm run -s schema:sql`. To change the database, write a migration.

create table agenda_jobs (
  id uuid default gen_random_uuid() not null,
  name character varying(255) not null,
  priority integer default 0 not null,
  next_run_at timestamp with time zone,
  type character varying(10) default 'normal'::character varying not null,
  locked_at timestamp with time zone,
  last_finished_at timestamp with time zone,
  failed_at timestamp with time zone,
  fail_count integer,
  fail_reason text,
  repeat_timezone character varying(100),
  last_run_at timestamp with time zone,
  repeat_interval character varying(255),
  data jsonb default '{}'::jsonb,
  repeat_at character varying(255),
  disabled boolean default false,
  progress real,
  fork boolean default false,
  last_modified_by character varying(255),
  debounce_started_at timestamp with time zone,
  start_date timestamp with time zone,
  end_date timestamp with time zone,
  skip_days jsonb,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint agenda_jobs_pkey PRIMARY KEY (id),
  constraint agenda_jobs_type_check CHECK (type::text = ANY (ARRAY['normal'::character varying, 'single'::character varying]::text[]))
);
CREATE INDEX agenda_jobs_find_and_lock_idx ON agenda_jobs USING btree (name, next_run_at, priority DESC, locked_at, disabled) WHERE (disabled = false);
CREATE INDEX agenda_jobs_locked_at_idx ON agenda_jobs USING btree (locked_at) WHERE (locked_at IS NOT NULL);
CREATE INDEX agenda_jobs_next_run_at_idx ON agenda_jobs USING btree (next_run_at) WHERE (next_run_at IS NOT NULL);
CREATE UNIQUE INDEX agenda_jobs_single_job_idx ON agenda_jobs USING btree (name) WHERE ((type)::text = 'single'::text);

create table alert_cells (
  key bigint not null,
  price_max integer not null,
  alert_id bigint not null,
  alert_version integer not null,
  user_id bigint not null,
  price_min integer not null,
  year_min smallint not null,
  year_max smallint not null,
  color smallint not null,
  only_images boolean not null,
  announces boolean not null,
  x double precision not null,
  y double precision not null,
  z double precision not null,
  cos_radius double precision not null,
  expires_at timestamp with time zone not null,
  texts boolean default false not null,
  pushes boolean default false not null,
  asked integer default '-1'::integer not null,
  mileage_max integer default 2147483647 not null,
  conditions text default ''::text not null
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02);
CREATE INDEX alert_cells_alert ON alert_cells USING btree (alert_id);
CREATE INDEX alert_cells_search ON alert_cells USING btree (key, price_max) INCLUDE (asked, alert_id, user_id, x, y, z, cos_radius, expires_at, alert_version, mileage_max, price_min, year_min, year_max, color, only_images, announces, texts, pushes, conditions);
CREATE TRIGGER alert_cells_copy_pushes BEFORE INSERT ON alert_cells FOR EACH ROW WHEN (NOT new.pushes) EXECUTE FUNCTION copy_pushes();
CREATE TRIGGER alert_cells_refuse_without_filters BEFORE INSERT ON alert_cells FOR EACH ROW WHEN (new.asked < 0) EXECUTE FUNCTION refuse_cells_without_filters();

create table alert_throttles (
  alert_id bigint not null,
  last_mailed_at timestamp with time zone not null,
  user_id bigint not null,
  constraint alert_throttles_pkey PRIMARY KEY (alert_id, user_id)
) with (fillfactor=70);

create table alerts (
  id bigint generated always as identity not null,
  user_id bigint not null,
  make text not null,
  model text,
  year_min integer,
  year_max integer,
  location text not null,
  place text not null,
  lat double precision not null,
  lng double precision not null,
  radius integer not null,
  price_min integer,
  price_max integer,
  color text,
  only_with_images boolean default true not null,
  email_notifications boolean default true not null,
  text_notifications boolean default false not null,
  is_active boolean default true not null,
  version integer default 1 not null,
  pending_match boolean default true not null,
  last_mailed_at timestamp with time zone,
  reminded_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone default (now() + '42 days'::interval) not null,
  paused_by_plan_at timestamp with time zone,
  last_texted_at timestamp with time zone,
  backfill_requested_at timestamp with time zone default now() not null,
  delivery text default 'instant'::text not null,
  digest_hour integer default 8 not null,
  quiet_hours jsonb,
  snoozed_until timestamp with time zone,
  price_drops boolean default true not null,
  max_mails_per_day integer,
  push_notifications boolean default false not null,
  last_pushed_at timestamp with time zone,
  texts_failing_since timestamp with time zone,
  models text[],
  mileage_max integer,
  transmission text,
  fuel text,
  drive text,
  body text,
  title_status text,
  seller text,
  exclude_words text[],
  require_words text[],
  price_stated boolean,
  below_fair_price boolean default false not null,
  is_capped boolean default false not null,
  constraint alerts_pkey PRIMARY KEY (id, user_id),
  constraint alerts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint alerts_delivery_check CHECK (delivery = ANY (ARRAY['instant'::text, 'daily'::text]))
) with (fillfactor=90, autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.05);
CREATE INDEX alerts_expiry ON alerts USING btree (expires_at) WHERE is_active;
CREATE INDEX alerts_paused_by_plan ON alerts USING btree (user_id) WHERE (paused_by_plan_at IS NOT NULL);
CREATE INDEX alerts_pending ON alerts USING btree (id) WHERE pending_match;
CREATE INDEX alerts_user ON alerts USING btree (user_id);
CREATE TRIGGER alert_cells_sync AFTER UPDATE OF is_active, expires_at, email_notifications, text_notifications, push_notifications ON alerts FOR EACH ROW WHEN (old.is_active IS DISTINCT FROM new.is_active OR old.expires_at IS DISTINCT FROM new.expires_at OR old.email_notifications IS DISTINCT FROM new.email_notifications OR old.text_notifications IS DISTINCT FROM new.text_notifications OR old.push_notifications IS DISTINCT FROM new.push_notifications) EXECUTE FUNCTION sync_alert_cells();
CREATE TRIGGER alert_deleted AFTER DELETE ON alerts FOR EACH ROW EXECUTE FUNCTION delete_alert_copies();
CREATE TRIGGER alert_throttles_sync AFTER UPDATE OF last_mailed_at ON alerts FOR EACH ROW WHEN (old.last_mailed_at IS DISTINCT FROM new.last_mailed_at) EXECUTE FUNCTION sync_alert_throttles();

create table alerts_to_trim (
  id bigint generated always as identity not null,
  alert_id bigint not null,
  user_id bigint not null,
  constraint alerts_to_trim_pkey PRIMARY KEY (id, user_id)
);
CREATE TRIGGER complete_old BEFORE INSERT ON alerts_to_trim FOR EACH ROW WHEN (new.user_id IS NULL) EXECUTE FUNCTION complete_alerts_to_trim();

create table api_allowances (
  user_id bigint not null,
  window_ends_at timestamp with time zone default now() not null,
  used integer default 0 not null,
  running bigint[] default '{}'::bigint[] not null,
  granted integer default 0 not null,
  constraint api_allowances_pkey PRIMARY KEY (user_id)
) with (fillfactor=20);

create table api_keys (
  id bigint generated always as identity not null,
  user_id bigint not null,
  name text not null,
  prefix text not null,
  secret_hash bytea not null,
  scopes text[] not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  replaced_by bigint,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_prefix_key UNIQUE (prefix),
  constraint api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX api_keys_user ON api_keys USING btree (user_id);
CREATE TRIGGER api_keys_end AFTER DELETE OR UPDATE OF revoked_at, expires_at ON api_keys FOR EACH ROW EXECUTE FUNCTION notify_keys_ended();

create table api_usage (
  user_id bigint not null,
  hour timestamp with time zone not null,
  ok integer default 0 not null,
  refused integer default 0 not null,
  constraint api_usage_pkey PRIMARY KEY (user_id, hour)
);
CREATE INDEX api_usage_hour ON api_usage USING btree (hour);
CREATE TRIGGER api_usage_needs_user BEFORE INSERT ON api_usage FOR EACH ROW EXECUTE FUNCTION skip_without_user();

create table audit_log (
  id bigint generated always as identity not null,
  at timestamp with time zone default now() not null,
  actor text not null,
  action text not null,
  subject text,
  outcome text not null,
  constraint audit_log_pkey PRIMARY KEY (id),
  constraint audit_log_actor_check CHECK (actor = ANY (ARRAY['admin'::text, 'command'::text, 'visitor'::text]))
);
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION reject_changes();

create table billing_checkouts (
  id bigint generated always as identity not null,
  user_id bigint not null,
  plan_id integer not null,
  key uuid default gen_random_uuid() not null,
  session_id text,
  url text,
  status text default 'starting'::text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone,
  next_check_at timestamp with time zone,
  constraint billing_checkouts_pkey PRIMARY KEY (id),
  constraint billing_checkouts_session_id_key UNIQUE (session_id),
  constraint billing_checkouts_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES plans(id),
  constraint billing_checkouts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint billing_checkouts_status_check CHECK (status = ANY (ARRAY['starting'::text, 'open'::text, 'complete'::text, 'expired'::text, 'failed'::text]))
);
CREATE INDEX billing_checkouts_check ON billing_checkouts USING btree (next_check_at) WHERE (status = 'open'::text);
CREATE UNIQUE INDEX billing_checkouts_open ON billing_checkouts USING btree (user_id) WHERE (status = ANY (ARRAY['starting'::text, 'open'::text]));
CREATE INDEX billing_checkouts_user ON billing_checkouts USING btree (user_id);

create table billing_customers (
  user_id bigint not null,
  customer_id text,
  creation_key uuid default gen_random_uuid() not null,
  subscription_id text,
  status text default 'active'::text not null,
  current_period_end timestamp with time zone,
  grace_ends_at timestamp with time zone,
  grace_notified_for timestamp with time zone,
  grace_warned_for timestamp with time zone,
  synced_at timestamp with time zone,
  next_check_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  told_email text,
  constraint billing_customers_pkey PRIMARY KEY (user_id),
  constraint billing_customers_customer_id_key UNIQUE (customer_id),
  constraint billing_customers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint billing_customers_status_check CHECK (status = ANY (ARRAY['active'::text, 'past_due'::text, 'canceling'::text]))
);
CREATE INDEX billing_customers_check ON billing_customers USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);

create table billing_events (
  id text not null,
  type text not null,
  object_id text,
  customer_id text,
  received_at timestamp with time zone default now() not null,
  settled_at timestamp with time zone,
  attempts integer default 0 not null,
  next_try_at timestamp with time zone default now() not null,
  error text,
  request_id text,
  constraint billing_events_pkey PRIMARY KEY (id)
);
CREATE INDEX billing_events_customer ON billing_events USING btree (customer_id);
CREATE INDEX billing_events_due ON billing_events USING btree (next_try_at) WHERE (settled_at IS NULL);

create table billing_leases (
  user_id bigint not null,
  token uuid not null,
  until timestamp with time zone not null,
  constraint billing_leases_pkey PRIMARY KEY (user_id)
);

create table car_candidates (
  listing_id bigint not null,
  other_id bigint not null,
  tries smallint default 0 not null,
  next_try_at timestamp with time zone default now() not null,
  constraint car_candidates_pkey PRIMARY KEY (listing_id, other_id)
);
CREATE INDEX car_candidates_due ON car_candidates USING btree (next_try_at);

create table cleanup_positions (
  step text not null,
  "position" text,
  due_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint cleanup_positions_pkey PRIMARY KEY (step)
);

create table contact_messages (
  id bigint generated always as identity not null,
  user_id bigint,
  name text not null,
  email text not null,
  subject text not null,
  message text not null,
  created_at timestamp with time zone default now() not null,
  constraint contact_messages_pkey PRIMARY KEY (id),
  constraint contact_messages_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX contact_messages_email ON contact_messages USING btree (lower(email));
CREATE INDEX contact_messages_user ON contact_messages USING btree (user_id);

create table customer_deletions (
  customer_id text not null,
  session_ids text[] default '{}'::text[] not null,
  attempts integer default 0 not null,
  next_try_at timestamp with time zone default now() not null,
  created_at timestamp with time zone default now() not null,
  constraint customer_deletions_pkey PRIMARY KEY (customer_id)
);

create table database_layout (
  is_kept boolean default true not null,
  layout text not null,
  kept_at timestamp with time zone default now() not null,
  cluster_version integer,
  constraint database_layout_pkey PRIMARY KEY (is_kept),
  constraint database_layout_is_kept_check CHECK (is_kept),
  constraint database_layout_layout_check CHECK (layout = ANY (ARRAY['plain'::text, 'citus'::text]))
);

create table deletion_requests (
  id bigint generated always as identity not null,
  request_id text not null,
  user_id bigint not null,
  username text,
  reason text,
  notes text,
  status text default 'pending'::text not null,
  created_at timestamp with time zone default now() not null,
  decided_at timestamp with time zone,
  completed_at timestamp with time zone,
  constraint deletion_requests_pkey PRIMARY KEY (id),
  constraint deletion_requests_request_id_key UNIQUE (request_id),
  constraint deletion_requests_check CHECK (status <> 'completed'::text OR username IS NULL AND reason IS NULL AND notes IS NULL),
  constraint deletion_requests_status_check CHECK (status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text, 'completed'::text]))
);
CREATE UNIQUE INDEX deletion_requests_open ON deletion_requests USING btree (user_id) WHERE (status = ANY (ARRAY['pending'::text, 'approved'::text]));
CREATE INDEX deletion_requests_user ON deletion_requests USING btree (user_id);

create table delivery_delays (
  channel text not null,
  hour timestamp with time zone not null,
  bucket smallint not null,
  matches bigint not null,
  constraint delivery_delays_pkey PRIMARY KEY (channel, hour, bucket)
);

create table former_alerts (
  alert_id bigint not null,
  user_id bigint not null,
  constraint former_alerts_pkey PRIMARY KEY (alert_id, user_id)
);
CREATE INDEX former_alerts_user ON former_alerts USING btree (user_id);

create table former_emails (
  id bigint generated always as identity not null,
  user_id bigint not null,
  address text not null,
  left_at timestamp with time zone default now() not null,
  constraint former_emails_pkey PRIMARY KEY (id)
);
CREATE INDEX former_emails_left ON former_emails USING btree (left_at);
CREATE UNIQUE INDEX former_emails_user ON former_emails USING btree (user_id, lower(address));

create table idempotency_keys (
  user_id bigint not null,
  key text not null,
  call text not null,
  body_hash text not null,
  status integer,
  answer json,
  created_at timestamp with time zone default now() not null,
  constraint idempotency_keys_pkey PRIMARY KEY (user_id, key)
);
CREATE INDEX idempotency_keys_created_at ON idempotency_keys USING btree (created_at);

create table known_servers (
  id bigint generated always as identity not null,
  system_identifier text not null,
  timeline integer not null,
  is_synchronous boolean not null,
  known_at timestamp with time zone default now() not null,
  constraint known_servers_pkey PRIMARY KEY (id)
);

create table leaving_changes (
  table_name text not null,
  listing_id bigint not null,
  alert_id bigint not null
);

create table leaving_partitions (
  table_name text not null,
  below bigint not null,
  keep interval not null,
  copied_parts integer default 0 not null,
  copied_pages bigint default 0 not null,
  began_at timestamp with time zone default now() not null,
  constraint leaving_partitions_pkey PRIMARY KEY (table_name)
);

create table listing_notes (
  user_id bigint not null,
  listing_id bigint not null,
  note text not null,
  updated_at timestamp with time zone default now() not null,
  constraint listing_notes_pkey PRIMARY KEY (user_id, listing_id)
);
CREATE INDEX listing_notes_listing ON listing_notes USING btree (listing_id);
CREATE TRIGGER listing_notes_need_user BEFORE INSERT ON listing_notes FOR EACH ROW EXECUTE FUNCTION skip_without_user();

create table listing_texts (
  listing_id bigint not null,
  description text,
  facts_read json,
  constraint listing_texts_pkey PRIMARY KEY (listing_id)
) with (toast_tuple_target=8160);

create table listing_views (
  user_id bigint not null,
  listing_id bigint not null,
  viewed_at timestamp with time zone default now() not null,
  constraint listing_views_pkey PRIMARY KEY (user_id, listing_id)
);
CREATE INDEX listing_views_listing ON listing_views USING btree (listing_id);
CREATE TRIGGER listing_views_need_user BEFORE INSERT ON listing_views FOR EACH ROW EXECUTE FUNCTION skip_without_user();

create table listings (
  id bigint generated always as identity not null,
  source text not null,
  external_id text not null,
  car_id bigint,
  status text default 'for_sale'::text not null,
  title text not null,
  make text not null,
  model text,
  year smallint,
  price integer,
  mileage integer,
  transmission text,
  color text,
  condition text,
  city text,
  state text,
  lat double precision,
  lng double precision,
  image_url text,
  images text[] default '{}'::text[] not null,
  url text,
  listed_at timestamp with time zone,
  seen_at timestamp with time zone default now() not null,
  last_seen_at timestamp with time zone default now() not null,
  changed_at timestamp with time zone default now() not null,
  facts_hash text not null,
  announce boolean default true not null,
  pending_match boolean default true not null,
  make_key bigint,
  model_key bigint,
  color_code smallint default 0 not null,
  x double precision,
  y double precision,
  z double precision,
  missed_reads smallint default 0 not null,
  vin text,
  photo_hash bytea,
  has_image boolean generated always as ((image_url IS NOT NULL)) stored not null,
  kept_at timestamp with time zone,
  unseen_since date generated always as (((GREATEST(last_seen_at, kept_at) AT TIME ZONE 'UTC'::text))::date) stored,
  band_low integer,
  band_middle integer,
  band_high integer,
  band_cars integer,
  band_refusal text,
  fuel text,
  drive text,
  body text,
  title_status text,
  seller text,
  prepayment text,
  photo_place text,
  pending_filters boolean default false not null,
  "trim" text,
  text_hash text,
  facts_before jsonb,
  version integer default 0 not null,
  constraint listings_pkey PRIMARY KEY (id),
  constraint listings_source_external_id_key UNIQUE (source, external_id),
  constraint listings_status_check CHECK (status = ANY (ARRAY['for_sale'::text, 'pending'::text, 'sold'::text, 'gone'::text])),
  constraint give_back_marks TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint give_back_marks_with_new TRIGGER DEFERRABLE INITIALLY DEFERRED
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.05);
CREATE INDEX listings_backfill ON listings USING btree (make_key, seen_at) INCLUDE (id, model_key, price, year, color_code, has_image, x, y, z) WHERE ((status = 'for_sale'::text) AND (NOT pending_match));
CREATE INDEX listings_car ON listings USING btree (car_id) WHERE (car_id IS NOT NULL);
CREATE INDEX listings_comparable ON listings USING btree (make, model, year, seen_at, id) INCLUDE (mileage) WHERE ((model IS NOT NULL) AND (year IS NOT NULL));
CREATE INDEX listings_ended ON listings USING btree (make_key, unseen_since) INCLUDE (id) WHERE (status <> 'for_sale'::text);
CREATE INDEX listings_missed ON listings USING btree (source, id) WHERE ((missed_reads > 0) AND (status = ANY (ARRAY['for_sale'::text, 'pending'::text])));
CREATE INDEX listings_old ON listings USING btree (unseen_since, id) WHERE (status <> 'for_sale'::text);
CREATE INDEX listings_pending ON listings USING btree (id) WHERE pending_match;
CREATE INDEX listings_pending_filters ON listings USING btree (id) WHERE pending_filters;
CREATE INDEX listings_same_car ON listings USING btree (model_key, year, seen_at, id) WHERE ((model_key IS NOT NULL) AND (year IS NOT NULL));
CREATE INDEX listings_seen ON listings USING brin (seen_at) WITH (autosummarize='on');
CREATE INDEX listings_unseen ON listings USING btree (unseen_since, id) WHERE (status = 'for_sale'::text);
CREATE INDEX listings_vin ON listings USING btree (vin) WHERE (vin IS NOT NULL);
CREATE TRIGGER copy_mark BEFORE UPDATE ON listings FOR EACH ROW WHEN (new.version = old.version AND (new.pending_match OR new.pending_filters OR old.pending_match OR old.pending_filters OR old.status = 'for_sale'::text AND new.status <> 'for_sale'::text) AND pg_trigger_depth() = 0) EXECUTE FUNCTION copy_listing_mark();
CREATE TRIGGER copy_mark_of_new AFTER INSERT ON listings FOR EACH ROW WHEN (new.pending_match OR new.pending_filters) EXECUTE FUNCTION copy_listing_mark();
CREATE CONSTRAINT TRIGGER give_back_marks AFTER UPDATE ON listings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.pending_match OR new.pending_filters) AND NOT (old.pending_match OR old.pending_filters) AND pg_trigger_depth() = 0) EXECUTE FUNCTION give_marks_back();
CREATE CONSTRAINT TRIGGER give_back_marks_with_new AFTER INSERT ON listings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.pending_match OR new.pending_filters) AND pg_trigger_depth() = 0) EXECUTE FUNCTION give_marks_back();

create table listings_to_match (
  listing_id bigint not null,
  version integer not null,
  is_news boolean not null,
  facts_before jsonb,
  marked_at timestamp with time zone default now() not null,
  constraint listings_to_match_pkey PRIMARY KEY (listing_id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000, vacuum_truncate=off);
CREATE INDEX listings_to_match_claim ON listings_to_match USING btree (is_news, listing_id);

create table lost_messages (
  id bigint generated always as identity not null,
  restore_id bigint not null,
  channel text not null,
  kind text not null,
  status text not null,
  user_id bigint not null,
  alert_id bigint,
  address text,
  message_id text,
  source text,
  external_id text,
  price integer,
  data jsonb,
  sent_at timestamp with time zone not null,
  constraint lost_messages_pkey PRIMARY KEY (id, user_id),
  constraint lost_messages_status_check CHECK (status = ANY (ARRAY['sent'::text, 'unknown'::text]))
);
CREATE INDEX lost_messages_alert ON lost_messages USING btree (alert_id);
CREATE INDEX lost_messages_user ON lost_messages USING btree (user_id);
CREATE TRIGGER complete_old BEFORE INSERT ON lost_messages FOR EACH ROW WHEN (new.user_id IS NULL) EXECUTE FUNCTION complete_lost_messages();

create table mail_counts (
  day date not null,
  mailbox text not null,
  total integer not null,
  by_kind jsonb not null,
  constraint mail_counts_pkey PRIMARY KEY (day, mailbox)
);

create table mail_events (
  id text not null,
  mail_id uuid not null,
  kind text not null,
  at timestamp with time zone not null,
  reason text,
  received_at timestamp with time zone default now() not null,
  user_id bigint not null,
  constraint mail_events_pkey PRIMARY KEY (id, user_id),
  constraint mail_events_mail_id_user_id_fkey FOREIGN KEY (mail_id, user_id) REFERENCES mails(id, user_id) ON DELETE CASCADE,
  constraint mail_events_kind_check CHECK (kind = ANY (ARRAY['delivered'::text, 'deferred'::text, 'blocked'::text, 'bounced'::text, 'dropped'::text, 'complained'::text, 'unsubscribed'::text]))
);
CREATE INDEX mail_events_mail ON mail_events USING btree (mail_id);
CREATE INDEX mail_events_received ON mail_events USING btree (received_at);
CREATE TRIGGER complete_old BEFORE INSERT ON mail_events FOR EACH ROW WHEN (new.user_id IS NULL) EXECUTE FUNCTION complete_mail_events();

create table mails (
  id uuid default gen_random_uuid() not null,
  kind text not null,
  user_id bigint not null,
  alert_id bigint,
  to_address text not null,
  data jsonb default '{}'::jsonb not null,
  status text default 'waiting'::text not null,
  attempts integer default 0 not null,
  next_try_at timestamp with time zone default now() not null,
  claimed_at timestamp with time zone,
  sent_at timestamp with time zone,
  error text,
  created_at timestamp with time zone default now() not null,
  subject text,
  delivered_at timestamp with time zone,
  delivery_error text,
  retry_since timestamp with time zone,
  attempts_before integer default 0 not null,
  request_id text,
  constraint mails_pkey PRIMARY KEY (id, user_id),
  constraint mails_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'dropped'::text, 'failed'::text]))
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.05);
CREATE INDEX mails_alert ON mails USING btree (alert_id, sent_at);
CREATE INDEX mails_created ON mails USING brin (created_at) WITH (autosummarize='on');
CREATE INDEX mails_due ON mails USING btree (next_try_at) WHERE (status = ANY (ARRAY['waiting'::text, 'sending'::text]));
CREATE INDEX mails_without_alert ON mails USING btree (user_id) WHERE (alert_id IS NULL);
CREATE TRIGGER complete_old BEFORE INSERT OR UPDATE ON mails FOR EACH ROW WHEN (new.user_id IS NULL OR new.user_id = 0 AND new.kind = 'text_limit'::text AND new.status = 'dropped'::text) EXECUTE FUNCTION complete_old_mail();
CREATE TRIGGER mails_need_user BEFORE INSERT ON mails FOR EACH ROW WHEN (new.user_id <> 0 AND (new.kind <> ALL (ARRAY['match'::text, 'price_drop'::text, 'digest'::text, 'summary'::text, 'sold'::text, 'reminder'::text]))) EXECUTE FUNCTION skip_without_user();

create table match_epochs (
  epoch bigint not null,
  nonce integer default (floor((random() * (2000000000)::double precision)))::integer not null,
  began_at timestamp with time zone default now() not null,
  constraint match_epochs_pkey PRIMARY KEY (epoch),
  constraint match_epochs_epoch_check CHECK (epoch >= 0 AND epoch <= 2097151)
);

create table match_server (
  epoch bigint not null,
  started_at timestamp with time zone not null
);

create table matches (
  listing_id bigint not null,
  alert_id bigint not null,
  alert_version integer not null,
  distance_miles real not null,
  not_stated smallint default 0 not null,
  price integer,
  announced boolean not null,
  matched_at timestamp with time zone default now() not null,
  "position" bigint default match_position() not null,
  user_id bigint not null,
  constraint matches_pkey PRIMARY KEY (listing_id, alert_id, user_id)
) partition by range (listing_id);
CREATE INDEX matches_alert ON matches USING btree (alert_id, "position", listing_id);
CREATE TRIGGER complete_old BEFORE INSERT OR UPDATE ON matches FOR EACH ROW WHEN (new.user_id IS NULL) EXECUTE FUNCTION complete_old_match();
CREATE TRIGGER refuse_delete_by_place BEFORE DELETE ON matches FOR EACH STATEMENT WHEN (current_query() ~~ '%where ctid = any(array(%'::text) EXECUTE FUNCTION refuse_delete_by_place();

create table matches_1 partition of matches FOR VALUES FROM (MINVALUE) TO (MAXVALUE) with (autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.05);

create table migrations (
  id integer default nextval('migrations_id_seq'::regclass) not null,
  name character varying(255) not null,
  executed_at timestamp(6) with time zone default CURRENT_TIMESTAMP(6) not null,
  constraint migrations_pkey PRIMARY KEY (id)
);

create table notifications (
  id bigint generated always as identity not null,
  user_id bigint not null,
  alert_id bigint not null,
  listing_id bigint not null,
  channel text default 'email'::text not null,
  kind text default 'match'::text not null,
  price integer,
  status text default 'waiting'::text not null,
  mail_id uuid,
  created_at timestamp with time zone default now() not null,
  due_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  text_id uuid,
  held_by text,
  push_id uuid,
  resent boolean default false not null,
  constraint notifications_pkey PRIMARY KEY (id, listing_id, user_id),
  constraint notifications_channel_check CHECK (channel = ANY (ARRAY['email'::text, 'sms'::text, 'push'::text])),
  constraint notifications_kind_check CHECK (kind = ANY (ARRAY['match'::text, 'price_drop'::text, 'sold'::text])),
  constraint notifications_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'dropped'::text, 'failed'::text, 'unknown'::text]))
) partition by range (listing_id);
CREATE INDEX notifications_alert ON notifications USING btree (alert_id, listing_id);
CREATE INDEX notifications_due ON notifications USING btree (channel, due_at) WHERE (status = 'waiting'::text);
CREATE INDEX notifications_mail ON notifications USING btree (mail_id) WHERE (mail_id IS NOT NULL);
CREATE INDEX notifications_push ON notifications USING btree (push_id) WHERE (push_id IS NOT NULL);
CREATE INDEX notifications_text ON notifications USING btree (text_id) WHERE (text_id IS NOT NULL);
CREATE TRIGGER refuse_delete_by_place BEFORE DELETE ON notifications FOR EACH STATEMENT WHEN (current_query() ~~ '%where ctid = any(array(%'::text) EXECUTE FUNCTION refuse_delete_by_place();

create table notifications_1 partition of notifications FOR VALUES FROM (MINVALUE) TO (MAXVALUE) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.05);

create table phone_codes (
  id bigint generated always as identity not null,
  user_id bigint not null,
  phone text not null,
  code_hash bytea not null,
  guesses integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone default (now() + '00:10:00'::interval) not null,
  used_at timestamp with time zone,
  constraint phone_codes_pkey PRIMARY KEY (id),
  constraint phone_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX phone_codes_phone ON phone_codes USING btree (phone, created_at);
CREATE INDEX phone_codes_user ON phone_codes USING btree (user_id, created_at);

create table photo_searches (
  id boolean default true not null,
  listing_id bigint not null,
  constraint photo_searches_pkey PRIMARY KEY (id),
  constraint photo_searches_id_check CHECK (id)
);

create table plans (
  id integer not null,
  name text not null,
  description text not null,
  price numeric(8,2) not null,
  alert_limit integer not null,
  is_popular boolean not null,
  features text[] not null,
  constraint plans_pkey PRIMARY KEY (id)
);

create table price_changes (
  listing_id bigint not null,
  price integer,
  seen_at timestamp with time zone default now() not null
);
CREATE INDEX price_changes_listing ON price_changes USING btree (listing_id, seen_at);

create table price_drops (
  id bigint generated always as identity not null,
  user_id bigint not null,
  alert_id bigint not null,
  listing_id bigint not null,
  price integer not null,
  price_before integer not null,
  created_at timestamp with time zone default now() not null,
  constraint price_drops_pkey PRIMARY KEY (id, user_id)
);
CREATE INDEX price_drops_user ON price_drops USING btree (user_id);

create table price_models (
  id boolean default true not null,
  version integer default 0 not null,
  model json,
  cars integer default 0 not null,
  fitted_at timestamp with time zone,
  claimed_until timestamp with time zone,
  bands_version integer default 0 not null,
  constraint price_models_pkey PRIMARY KEY (id),
  constraint price_models_id_check CHECK (id)
);

create table push_subscriptions (
  id bigint generated always as identity not null,
  user_id bigint not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  browser text,
  system text,
  created_at timestamp with time zone default now() not null,
  last_success_at timestamp with time zone,
  last_error text,
  session_id bigint,
  failures integer default 0 not null,
  failing_since timestamp with time zone,
  retry_at timestamp with time zone,
  last_failed_at timestamp with time zone,
  constraint push_subscriptions_pkey PRIMARY KEY (id, user_id),
  constraint push_subscriptions_endpoint_key UNIQUE (endpoint),
  constraint push_subscriptions_user_id_endpoint_key UNIQUE (user_id, endpoint),
  constraint push_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX push_subscriptions_session ON push_subscriptions USING btree (session_id);

create table pushes (
  id uuid not null,
  user_id bigint not null,
  alert_id bigint not null,
  kind text not null,
  devices bigint[] not null,
  status text default 'sending'::text not null,
  attempts integer default 1 not null,
  error text,
  created_at timestamp with time zone default now() not null,
  next_try_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  retry_since timestamp with time zone,
  attempts_before integer default 0 not null,
  constraint pushes_pkey PRIMARY KEY (id, user_id),
  constraint pushes_kind_check CHECK (kind = ANY (ARRAY['match'::text, 'price_drop'::text, 'digest'::text, 'summary'::text, 'sold'::text])),
  constraint pushes_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'dropped'::text]))
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.05);
CREATE INDEX pushes_alert ON pushes USING btree (alert_id, created_at);
CREATE INDEX pushes_open ON pushes USING btree (next_try_at) WHERE (status = ANY (ARRAY['waiting'::text, 'sending'::text]));

create table quarantine (
  id bigint generated always as identity not null,
  source text not null,
  external_id text,
  code text not null,
  reason text not null,
  record text not null,
  record_hash text not null,
  times integer default 1 not null,
  first_seen_at timestamp with time zone default now() not null,
  last_seen_at timestamp with time zone default now() not null,
  reader text default 'items'::text not null,
  whole boolean default true not null,
  announce boolean default true not null,
  retried_at timestamp with time zone,
  retryable boolean generated always as ((whole AND (code <> 'DUPLICATE_ID'::text))) stored not null,
  constraint quarantine_pkey PRIMARY KEY (id),
  constraint quarantine_source_record_hash_key UNIQUE (source, record_hash),
  constraint quarantine_reader_check CHECK (reader = ANY (ARRAY['items'::text, 'feed'::text]))
);
CREATE INDEX quarantine_code ON quarantine USING btree (source, code, id) INCLUDE (retryable);
CREATE INDEX quarantine_listing ON quarantine USING btree (source, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX quarantine_recent ON quarantine USING btree (last_seen_at);

create table rate_limits (
  key character varying(255) not null,
  points integer default 0 not null,
  expire bigint,
  constraint rate_limits_pkey PRIMARY KEY (key)
);
CREATE INDEX rate_limits_expire ON rate_limits USING btree (expire);

create table recovery_codes (
  user_id bigint not null,
  code_hash text not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES second_factors(user_id) ON DELETE CASCADE
);

create table restores (
  id bigint generated always as identity not null,
  restored_to timestamp with time zone not null,
  known_until timestamp with time zone not null,
  is_complete boolean not null,
  held text[] not null,
  created_at timestamp with time zone default now() not null,
  constraint restores_pkey PRIMARY KEY (id)
);

create table running_server (
  started_at timestamp with time zone not null,
  is_synchronous boolean not null
);

create table saved_listings (
  id bigint generated always as identity not null,
  user_id bigint not null,
  listing_id bigint not null,
  saved_at timestamp with time zone default now() not null,
  removed_at timestamp with time zone,
  constraint saved_listings_pkey PRIMARY KEY (user_id, listing_id)
);
CREATE INDEX saved_listings_listing ON saved_listings USING btree (listing_id);
CREATE INDEX saved_listings_removed ON saved_listings USING btree (removed_at) WHERE (removed_at IS NOT NULL);
CREATE TRIGGER saved_listings_need_user BEFORE INSERT ON saved_listings FOR EACH ROW EXECUTE FUNCTION skip_without_user();

create table second_factors (
  user_id bigint not null,
  secret_ciphertext text not null,
  created_at timestamp with time zone default now() not null,
  confirmed_at timestamp with time zone,
  last_step bigint,
  constraint second_factors_pkey PRIMARY KEY (user_id),
  constraint second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table session (
  sid character varying not null,
  sess json not null,
  expire timestamp(6) without time zone not null,
  id bigint generated always as identity not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone default now() not null,
  constraint session_pkey PRIMARY KEY (sid),
  constraint session_id_key UNIQUE (id)
);
CREATE INDEX session_expire ON session USING btree (expire);
CREATE INDEX session_of_user ON session USING btree (((sess ->> 'userId'::text)));
CREATE TRIGGER session_ends_in_time BEFORE INSERT OR UPDATE OF expire, created_at ON session FOR EACH ROW EXECUTE FUNCTION end_session_in_time();
CREATE TRIGGER session_needs_user BEFORE INSERT ON session FOR EACH ROW WHEN ((new.sess ->> 'userId'::text) IS NOT NULL) EXECUTE FUNCTION skip_session_without_user();

create table shared_links (
  id bigint generated always as identity not null,
  user_id bigint not null,
  alert_id bigint,
  listing_ids bigint[],
  token_hash bytea not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint shared_links_pkey PRIMARY KEY (id),
  constraint shared_links_token_hash_key UNIQUE (token_hash),
  constraint shared_links_what CHECK ((alert_id IS NULL) <> (listing_ids IS NULL))
);
CREATE INDEX shared_links_alert ON shared_links USING btree (alert_id) WHERE (alert_id IS NOT NULL);
CREATE INDEX shared_links_expires ON shared_links USING btree (expires_at);
CREATE INDEX shared_links_user ON shared_links USING btree (user_id);
CREATE TRIGGER shared_links_need_user BEFORE INSERT ON shared_links FOR EACH ROW EXECUTE FUNCTION skip_without_user();

create table site_hosts (
  site text not null,
  next_at timestamp with time zone not null,
  robots text,
  robots_origin text,
  robots_at timestamp with time zone,
  constraint site_hosts_pkey PRIMARY KEY (site)
);

create table source_accounts (
  account text not null,
  calls_left double precision not null,
  counted_at timestamp with time zone not null,
  token_ciphertext text,
  token_expires_at timestamp with time zone,
  constraint source_accounts_pkey PRIMARY KEY (account)
);

create table source_details (
  source text not null,
  external_id text not null,
  details jsonb not null,
  read_at timestamp with time zone default now() not null,
  constraint source_details_pkey PRIMARY KEY (source, external_id)
);

create table source_hours (
  source text not null,
  hour timestamp with time zone not null,
  accepted bigint default 0 not null,
  updated bigint default 0 not null,
  unchanged bigint default 0 not null,
  rejected bigint default 0 not null,
  constraint source_hours_pkey PRIMARY KEY (source, hour)
);

create table source_lags (
  source text not null,
  hour timestamp with time zone not null,
  bucket smallint not null,
  listings bigint not null,
  constraint source_lags_pkey PRIMARY KEY (source, hour, bucket)
);

create table source_pages (
  source text not null,
  url text not null,
  round integer not null,
  "position" integer not null,
  changed_at timestamp with time zone,
  listed_at timestamp with time zone default now() not null,
  state text default 'listed'::text not null,
  tries smallint default 0 not null,
  ids text[] default '{}'::text[] not null,
  had_cars boolean default false not null,
  etag text,
  last_modified text,
  answered_at timestamp with time zone,
  read_at timestamp with time zone,
  constraint source_pages_pkey PRIMARY KEY (source, url),
  constraint source_pages_state CHECK (state = ANY (ARRAY['listed'::text, 'read'::text, 'gone'::text]))
);

create table sources (
  name text not null,
  kind text not null,
  settings jsonb default '{}'::jsonb not null,
  cursor jsonb default '{}'::jsonb not null,
  etag text,
  last_modified text,
  first_read_done boolean default false not null,
  next_poll_at timestamp with time zone default now() not null,
  failures integer default 0 not null,
  last_polled_at timestamp with time zone,
  last_success_at timestamp with time zone,
  last_error text,
  last_error_at timestamp with time zone,
  items bigint default 0 not null,
  rejects bigint default 0 not null,
  lag_ms integer,
  created_at timestamp with time zone default now() not null,
  last_complete_at timestamp with time zone,
  claim_token bigint default 0 not null,
  claimed_until timestamp with time zone,
  ended_by text,
  header_ciphertext text,
  origin text default 'settings'::text not null,
  version integer default 1 not null,
  replaced_at timestamp with time zone,
  constraint sources_pkey PRIMARY KEY (name),
  constraint sources_ended_by_check CHECK (ended_by = ANY (ARRAY['operator'::text, 'settings'::text])),
  constraint sources_origin_check CHECK (origin = ANY (ARRAY['settings'::text, 'browser'::text]))
);

create table suppressed_addresses (
  address text not null,
  reason text not null,
  detail text,
  since timestamp with time zone not null,
  resumed_at timestamp with time zone,
  constraint suppressed_addresses_pkey PRIMARY KEY (address),
  constraint suppressed_addresses_address_check CHECK (address = lower(address)),
  constraint suppressed_addresses_reason_check CHECK (reason = ANY (ARRAY['bounced'::text, 'complained'::text, 'unsubscribed'::text]))
);

create table text_counts (
  day date not null,
  kind text not null,
  segments integer not null,
  limit_notified boolean default false not null,
  constraint text_counts_pkey PRIMARY KEY (day, kind),
  constraint text_counts_kind_check CHECK (kind = ANY (ARRAY['match'::text, 'code'::text]))
);

create table text_stops (
  phone text not null,
  stopped_at timestamp with time zone default now() not null,
  constraint text_stops_pkey PRIMARY KEY (phone)
);

create table texts (
  id uuid not null,
  kind text not null,
  user_id bigint not null,
  alert_id bigint,
  to_phone text not null,
  status text default 'sending'::text not null,
  segments integer,
  sid text,
  error text,
  delivery text,
  delivery_error text,
  created_at timestamp with time zone default now() not null,
  sent_at timestamp with time zone,
  settled_at timestamp with time zone,
  delivered_at timestamp with time zone,
  constraint texts_pkey PRIMARY KEY (id, user_id),
  constraint texts_kind_check CHECK (kind = ANY (ARRAY['match'::text, 'price_drop'::text, 'digest'::text, 'summary'::text, 'sold'::text, 'code'::text])),
  constraint texts_status_check CHECK (status = ANY (ARRAY['sending'::text, 'sent'::text, 'failed'::text, 'unknown'::text]))
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.05);
CREATE INDEX texts_open ON texts USING btree (created_at) WHERE (status = ANY (ARRAY['sending'::text, 'unknown'::text]));
CREATE INDEX texts_user ON texts USING btree (user_id, created_at);

create table user_activity (
  user_id bigint not null,
  last_seen_at timestamp with time zone,
  notifications_read_at timestamp with time zone,
  constraint user_activity_pkey PRIMARY KEY (user_id),
  constraint user_activity_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
) with (fillfactor=70);
CREATE TRIGGER copy_user_activity AFTER INSERT OR UPDATE ON user_activity FOR EACH ROW EXECUTE FUNCTION copy_user_activity();

create table users (
  id bigint generated always as identity not null,
  username text not null,
  username_key text generated always as (lower(btrim(username))) stored not null,
  email text,
  email_confirmed_at timestamp with time zone,
  phone text,
  phone_confirmed_at timestamp with time zone,
  password_hash text not null,
  plan_id integer default 1 not null,
  time_zone text default 'America/New_York'::text not null,
  created_at timestamp with time zone default now() not null,
  last_seen_at timestamp with time zone default now() not null,
  text_cap_told text,
  idle_warned_at timestamp with time zone,
  must_change_password boolean default false not null,
  pending_email text,
  messages_paused_at timestamp with time zone,
  alert_defaults jsonb,
  notifications_read_at timestamp with time zone default now() not null,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_username_key_key UNIQUE (username_key),
  constraint users_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES plans(id)
);
CREATE UNIQUE INDEX users_confirmed_email ON users USING btree (lower(email)) WHERE (email_confirmed_at IS NOT NULL);
CREATE INDEX users_confirmed_phone ON users USING btree (phone) WHERE (phone_confirmed_at IS NOT NULL);
CREATE INDEX users_email ON users USING btree (lower(email));
CREATE INDEX users_idle_warned ON users USING btree (idle_warned_at) WHERE (idle_warned_at IS NOT NULL);
CREATE TRIGGER user_deleted AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION delete_user_rows();
CREATE TRIGGER users_plan_notifies_keys AFTER UPDATE OF plan_id ON users FOR EACH ROW WHEN (old.plan_id IS DISTINCT FROM new.plan_id) EXECUTE FUNCTION notify_keys_ended();

create table vapid_keys (
  id integer default 1 not null,
  public_key text not null,
  private_ciphertext text not null,
  created_at timestamp with time zone default now() not null,
  constraint vapid_keys_pkey PRIMARY KEY (id),
  constraint vapid_keys_id_check CHECK (id = 1)
);

create table webhook_attempts (
  id bigint generated always as identity not null,
  user_id bigint not null,
  delivery_id bigint not null,
  at timestamp with time zone default now() not null,
  status_code integer,
  ms integer not null,
  error text,
  answer text,
  constraint webhook_attempts_pkey PRIMARY KEY (id, user_id),
  constraint webhook_attempts_delivery_id_user_id_fkey FOREIGN KEY (delivery_id, user_id) REFERENCES webhook_deliveries(id, user_id) ON DELETE CASCADE
);
CREATE INDEX webhook_attempts_delivery ON webhook_attempts USING btree (delivery_id, id);
CREATE INDEX webhook_attempts_user ON webhook_attempts USING btree (user_id);

create table webhook_deliveries (
  id bigint generated always as identity not null,
  message_id text default ('msg_'::text || replace((gen_random_uuid())::text, '-'::text, ''::text)) not null,
  user_id bigint not null,
  webhook_id bigint not null,
  event_id bigint not null,
  status text default 'waiting'::text not null,
  resend_requested boolean default false not null,
  tries integer default 0 not null,
  next_try_at timestamp with time zone default now() not null,
  created_at timestamp with time zone default now() not null,
  waiting_since timestamp with time zone default now() not null,
  settled_at timestamp with time zone,
  request_id text,
  constraint webhook_deliveries_pkey PRIMARY KEY (id, user_id),
  constraint webhook_deliveries_user_id_webhook_id_event_id_key UNIQUE (user_id, webhook_id, event_id),
  constraint webhook_deliveries_webhook_id_event_id_key UNIQUE (webhook_id, event_id),
  constraint webhook_deliveries_event_id_user_id_fkey FOREIGN KEY (event_id, user_id) REFERENCES webhook_events(id, user_id) ON DELETE CASCADE,
  constraint webhook_deliveries_webhook_id_user_id_fkey FOREIGN KEY (webhook_id, user_id) REFERENCES webhooks(id, user_id) ON DELETE CASCADE,
  constraint webhook_deliveries_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'sending'::text, 'delivered'::text, 'failed'::text, 'expired'::text]))
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.05);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (webhook_id, next_try_at) INCLUDE (user_id) WHERE (status = ANY (ARRAY['waiting'::text, 'sending'::text]));
CREATE INDEX webhook_deliveries_event ON webhook_deliveries USING btree (event_id);
CREATE INDEX webhook_deliveries_log ON webhook_deliveries USING btree (webhook_id, user_id, id) INCLUDE (tries, status);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries USING btree (waiting_since) WHERE (status = 'waiting'::text);

create table webhook_events (
  id bigint generated always as identity not null,
  user_id bigint not null,
  type text not null,
  subject text not null,
  data json not null,
  created_at timestamp with time zone default now() not null,
  constraint webhook_events_pkey PRIMARY KEY (id, user_id),
  constraint webhook_events_user_id_type_subject_key UNIQUE (user_id, type, subject)
);
CREATE INDEX webhook_events_created ON webhook_events USING btree (created_at);
CREATE TRIGGER webhook_events_need_user BEFORE INSERT ON webhook_events FOR EACH ROW EXECUTE FUNCTION skip_without_user();

create table webhook_positions (
  user_id bigint not null,
  "position" bigint not null,
  listing_id bigint default 0 not null,
  alert_id bigint default 0 not null,
  constraint webhook_positions_pkey PRIMARY KEY (user_id)
);
CREATE TRIGGER webhook_positions_need_user BEFORE INSERT ON webhook_positions FOR EACH ROW EXECUTE FUNCTION skip_without_user();

create table webhooks (
  id bigint generated always as identity not null,
  user_id bigint not null,
  url text not null,
  events text[] not null,
  description text default ''::text not null,
  state text default 'active'::text not null,
  paused_because text,
  paused_at timestamp with time zone,
  secret_ciphertext text not null,
  previous_secret_ciphertext text,
  previous_until timestamp with time zone,
  failures_in_row integer default 0 not null,
  failing_since timestamp with time zone,
  backoff_until timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint webhooks_pkey PRIMARY KEY (id, user_id),
  constraint webhooks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint webhooks_check CHECK ((state = 'paused'::text) = (paused_because IS NOT NULL)),
  constraint webhooks_paused_because_check CHECK (paused_because = ANY (ARRAY['owner'::text, 'failures'::text, 'gone'::text])),
  constraint webhooks_state_check CHECK (state = ANY (ARRAY['active'::text, 'paused'::text]))
);
CREATE INDEX webhooks_user ON webhooks USING btree (user_id);

create sequence migrations_id_seq;

CREATE OR REPLACE FUNCTION analyze_partitions(of_table text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  declare
    
  begin
    if of_table not in ('matches', 'notifications')
       or not has_table_privilege(session_user, of_table, 'delete') then
      raise insufficient_privilege using message = format('%s may not change the partitions of %s', session_user, of_table);
    end if;
    execute format('analyze %I', of_table);
  end $function$;

CREATE OR REPLACE FUNCTION begin_leaving(of_table text, below_id bigint, keep_for interval)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  declare
    leaving record;
         new_part text := of_table || '_kept';
         options text;
         granted record;
  begin
    if of_table not in ('matches', 'notifications')
       or not has_table_privilege(session_user, of_table, 'delete') then
      raise insufficient_privilege using message = format('%s may not change the partitions of %s', session_user, of_table);
    end if;
    
    insert into leaving_partitions (table_name, below, keep) values (of_table, below_id, keep_for);
    
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
    end loop;
    execute format('alter table %I add constraint bound_of_listings check (listing_id < %s)', new_part, below_id);
    for leaving in select part from listing_partitions(of_table) where upper_id <= below_id loop
      execute format('create trigger leaving after insert or update or delete on %s for each row execute function note_leaving_change(%L)',
                     leaving.part, of_table);
    end loop;
  end $function$;

CREATE OR REPLACE FUNCTION begin_match_epoch()
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
      declare
        mine int8;
      begin
        -- One transaction begins it. Who waits for that one reads again, with a newer snapshot.
        perform pg_advisory_xact_lock(7419);
        select epoch into mine from match_server where started_at = pg_postmaster_start_time();
        if found then return mine; end if;
        insert into match_epochs (epoch) select coalesce(max(epoch), 0) + 1 from match_epochs returning epoch into mine;
        delete from match_server;
        insert into match_server values (mine, pg_postmaster_start_time());
        -- Dealers order events by their numbers, and a server that was lost may have given out more of them than this one
        -- knows of. None makes a thousand a second for long, so these are above them all.
        perform setval(pg_get_serial_sequence('webhook_events', 'id'),
                       greatest(nextval(pg_get_serial_sequence('webhook_events', 'id')),
                                (extract(epoch from clock_timestamp()) * 1000)::int8));
        return mine;
      end $function$;

CREATE OR REPLACE FUNCTION bound_last_partition(of_table text, bound_id bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  declare
    last record;
         bound int8;
         new_part text;
         options text;
         granted record;
  begin
    if of_table not in ('matches', 'notifications')
       or not has_table_privilege(session_user, of_table, 'delete') then
      raise insufficient_privilege using message = format('%s may not change the partitions of %s', session_user, of_table);
    end if;
    
    execute format('lock table only %I in access exclusive mode', of_table);
    select * into strict last from listing_partitions(of_table) where upper_id is null;
    select substring(pg_get_constraintdef(oid) from 'listing_id < ''?(\d+)')::int8 into bound
      from pg_constraint where conrelid = last.part and conname = 'bound_of_listings' and convalidated;
    bound := coalesce(bound, bound_id);
    new_part := of_table || '_from_' || bound;
    
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
    end loop;
    execute format('alter table %I detach partition %s', of_table, last.part);
    execute format('alter table %I attach partition %s for values from (%s) to (%s)', of_table, last.part,
                   coalesce(quote_literal(last.lower_id), 'minvalue'), quote_literal(bound));
    execute format('alter table %s drop constraint if exists bound_of_listings', last.part);
    execute format('alter table %I attach partition %I for values from (%L) to (maxvalue)', of_table, new_part, bound);
    return bound;
  end $function$;

CREATE OR REPLACE FUNCTION complete_alerts_to_trim()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
        begin
          new.user_id := (select a.user_id from alerts a where a.id = new.alert_id);
          if new.user_id is null then return null; end if;
          return new;
        end $function$;

CREATE OR REPLACE FUNCTION complete_lost_messages()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
        begin
          new.user_id := 0;
          if new.user_id is null then return null; end if;
          return new;
        end $function$;

CREATE OR REPLACE FUNCTION complete_mail_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
        begin
          new.user_id := (select m.user_id from mails m where m.id = new.mail_id);
          if new.user_id is null then return null; end if;
          return new;
        end $function$;

CREATE OR REPLACE FUNCTION complete_old_mail()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        if new.user_id is null then new.user_id := 0; end if;
        if new.user_id = 0 and new.kind = 'text_limit' and new.status = 'dropped'
           and new.created_at > now() - interval '1 day' then
          new.status := 'waiting';
          new.next_try_at := now() + interval '1 minute';
        end if;
        return new;
      end $function$;

CREATE OR REPLACE FUNCTION complete_old_match()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        new.user_id := coalesce(
  (select a.user_id from alerts a where a.id = new.alert_id), (select f.user_id from former_alerts f where f.alert_id = new.alert_id), 0);
        return new;
      end $function$;

CREATE OR REPLACE FUNCTION copy_changes(of_table text, most bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  declare
    leaving leaving_partitions;
         listings int8[];
         alerts int8[];
         taken int8;
  begin
    if of_table not in ('matches', 'notifications')
       or not has_table_privilege(session_user, of_table, 'delete') then
      raise insufficient_privilege using message = format('%s may not change the partitions of %s', session_user, of_table);
    end if;
    
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
    return taken;
  end $function$;

CREATE OR REPLACE FUNCTION copy_listing_mark()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare
        known listings_to_match;
        is_known bool := false;
      begin
        if tg_op = 'UPDATE' then
          new.version := old.version + 1;
          -- One that the version before does not know of, and that it has to take into account.
          if not (old.pending_match or old.pending_filters) then
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
        if (new.pending_match or new.pending_filters) then
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
      end $function$;

CREATE OR REPLACE FUNCTION copy_pushes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        new.pushes := coalesce((select push_notifications from alerts where id = new.alert_id), false);
        return new;
      end $function$;

CREATE OR REPLACE FUNCTION copy_staying(of_table text, pages bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  declare
    leaving leaving_partitions;
         source record;
         copied int8;
  begin
    if of_table not in ('matches', 'notifications')
       or not has_table_privilege(session_user, of_table, 'delete') then
      raise insufficient_privilege using message = format('%s may not change the partitions of %s', session_user, of_table);
    end if;
    
    select * into strict leaving from leaving_partitions where table_name = of_table for update;
    select part, coalesce(lower_id, -9223372036854775808) as from_id, upper_id as to_id into source
      from listing_partitions(of_table) where upper_id <= leaving.below
     order by upper_id offset leaving.copied_parts limit 1;
    if not found then return null; end if;
    execute format(
      'insert into %I select r.* from %s r where r.ctid >= %L::tid and r.ctid < %L::tid and (%s) on conflict do nothing',
      of_table || '_kept', source.part, format('(%s,0)', leaving.copied_pages), format('(%s,0)', leaving.copied_pages + pages),
      case of_table when 'matches' then 'r.matched_at > now() - $1 or exists (
            select from listings l
             where l.id = r.listing_id and l.id >= $2 and l.id < $3
               and (l.status in (''for_sale'', ''pending'') or l.pending_match or l.last_seen_at > now() - interval ''90 days''))
          or r.alert_version = 2147483647 and exists (select from alerts a where a.id = r.alert_id and a.user_id = r.user_id)
          or exists (select from saved_listings s join alerts a on a.user_id = s.user_id
                      where s.listing_id = r.listing_id and s.listing_id >= $2 and s.listing_id < $3
                        and a.id = r.alert_id and a.user_id = r.user_id and s.user_id = r.user_id)
          or exists (select from notifications n
                      where n.alert_id = r.alert_id and n.listing_id = r.listing_id and n.listing_id >= $2 and n.listing_id < $3
                        and n.status in (''waiting'', ''sending'') and n.user_id = r.user_id)' else 'r.created_at > now() - $1 or r.status in (''waiting'', ''sending'') or exists (
            select from listings l
             where l.id = r.listing_id and l.id >= $2 and l.id < $3
               and (l.status in (''for_sale'', ''pending'') or l.pending_match or l.last_seen_at > now() - interval ''90 days''))' end) using leaving.keep, source.from_id, source.to_id;
    get diagnostics copied = row_count;
    if (leaving.copied_pages + pages) * current_setting('block_size')::int8 >= pg_relation_size(source.part) then
      update leaving_partitions set copied_parts = copied_parts + 1, copied_pages = 0 where table_name = of_table;
    else
      update leaving_partitions set copied_pages = copied_pages + pages where table_name = of_table;
    end if;
    return copied;
  end $function$;

CREATE OR REPLACE FUNCTION copy_user_activity()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        update users
           set last_seen_at = greatest(last_seen_at, new.last_seen_at),
               notifications_read_at = greatest(notifications_read_at, new.notifications_read_at)
         where id = new.user_id
           and (notifications_read_at < new.notifications_read_at
                or last_seen_at < new.last_seen_at - interval '1 month');
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION delete_alert_copies()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    delete from alert_cells where alert_id = old.id and user_id = old.user_id;
    delete from alert_throttles where alert_id = old.id and user_id = old.user_id;
    delete from shared_links where alert_id = old.id and user_id = old.user_id;
    insert into former_alerts values (old.id, old.user_id) on conflict do nothing;
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION delete_old_rows(of_table text, below_id bigint, keep_for interval, after_id bigint, most bigint)
 RETURNS TABLE(last_id bigint, removed bigint)
 LANGUAGE plpgsql
AS $function$
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
             select r.%2$I as a, r.%3$I as b, r.user_id, %5$s as is_old, r.listing_id < $2 and not (%4$s) as goes
               from %1$I r
              where r.listing_id >= $5 and r.listing_id < $6 and r.%2$I > $3
              order by r.%2$I fetch first ($4) rows with ties
           ), gone as (
             delete from %1$I d
              using (select r.%2$I as a, r.%3$I as b, r.user_id from page p join %1$I r on r.%2$I = p.a and r.%3$I = p.b and r.user_id = p.user_id
                      where p.goes and r.listing_id >= $5 and r.listing_id < $6 and not (%4$s) for update of r skip locked) k
              where d.%2$I = k.a and d.%3$I = k.b and d.user_id = k.user_id and d.listing_id >= $5 and d.listing_id < $6
             returning 1
           )
           select case when bool_or(p.is_old) then max(p.a) end, (select count(*) from gone) from page p',
          of_table,
          case of_table when 'matches' then 'listing_id' else 'id' end,
          case of_table when 'matches' then 'alert_id' else 'listing_id' end,
          case of_table when 'matches' then 'r.matched_at > now() - $1 or exists (
            select from listings l
             where l.id = r.listing_id and l.id >= $5 and l.id < $6
               and (l.status in (''for_sale'', ''pending'') or l.pending_match or l.last_seen_at > now() - interval ''90 days''))
          or r.alert_version = 2147483647 and exists (select from alerts a where a.id = r.alert_id and a.user_id = r.user_id)
          or exists (select from saved_listings s join alerts a on a.user_id = s.user_id
                      where s.listing_id = r.listing_id and s.listing_id >= $5 and s.listing_id < $6
                        and a.id = r.alert_id and a.user_id = r.user_id and s.user_id = r.user_id)
          or exists (select from notifications n
                      where n.alert_id = r.alert_id and n.listing_id = r.listing_id and n.listing_id >= $5 and n.listing_id < $6
                        and n.status in (''waiting'', ''sending'') and n.user_id = r.user_id)' else 'r.created_at > now() - $1 or r.status in (''waiting'', ''sending'') or exists (
            select from listings l
             where l.id = r.listing_id and l.id >= $5 and l.id < $6
               and (l.status in (''for_sale'', ''pending'') or l.pending_match or l.last_seen_at > now() - interval ''90 days''))' end,
          case of_table when 'matches' then 'r.listing_id < $2' else 'r.created_at <= now() - $1' end)
          using keep_for, below_id, after_id, most, from_id, to_id;
      end $function$;

CREATE OR REPLACE FUNCTION delete_user_rows()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  declare names text[] := array[old.username_key];
  begin
    delete from shared_links where user_id = old.id;
    delete from listing_notes where user_id = old.id;
    delete from saved_listings where user_id = old.id;
    if old.email_confirmed_at is not null or not exists (select from users where lower(email) = lower(old.email)) then
      names := names || lower(btrim(old.email));
    end if;
    delete from mails
     where alert_id is null and user_id = 0
       and (kind <> 'contact' and lower(to_address) = any(names)
            or kind = 'contact' and (lower(data ->> 'email') = any(names) or lower(btrim(data ->> 'name')) = any(names)));
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION drop_bound(of_table text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  declare
    last record;
  begin
    if of_table not in ('matches', 'notifications')
       or not has_table_privilege(session_user, of_table, 'delete') then
      raise insufficient_privilege using message = format('%s may not change the partitions of %s', session_user, of_table);
    end if;
    
    select * into strict last from listing_partitions(of_table) where upper_id is null;
    execute format('alter table %s drop constraint if exists bound_of_listings', last.part);
  end $function$;

CREATE OR REPLACE FUNCTION end_session_in_time()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        new.expire := least(new.expire, (new.created_at + case new.sess ->> 'userId' when '1' then interval '12 hours'
                                                                                  else interval '90 days' end)::timestamp);
        return new;
      end $function$;

CREATE OR REPLACE FUNCTION finish_leaving(of_table text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  declare
    leaving leaving_partitions;
         gone record;
         new_part text;
  begin
    if of_table not in ('matches', 'notifications')
       or not has_table_privilege(session_user, of_table, 'delete') then
      raise insufficient_privilege using message = format('%s may not change the partitions of %s', session_user, of_table);
    end if;
    
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
    delete from leaving_partitions where table_name = of_table;
  end $function$;

CREATE OR REPLACE FUNCTION give_marks_back()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare
        ids int8[];
      begin
        if clock_timestamp() < nullif(current_setting('lotwatch.marks_given_back', true), '')::timestamptz + interval '5 seconds' then
          return null;
        end if;
        perform set_config('lotwatch.marks_given_back', clock_timestamp()::text, false);
        select array_agg(id) into ids
          from (select id from (
            select l.id from listings_to_match w join listings l on l.id = w.listing_id
             where w.is_news and not (l.pending_match or l.pending_filters) and w.marked_at < now() - interval '1 minute'
             order by w.listing_id limit 500 for update of l skip locked) n union all select id from (
            select l.id from listings_to_match w join listings l on l.id = w.listing_id
             where w.is_news = false and not (l.pending_match or l.pending_filters) and w.marked_at < now() - interval '1 minute'
             order by w.listing_id limit 500 for update of l skip locked) f) l;
        -- Marks are read once their listings are locked.
        update listings l set pending_match = w.is_news, pending_filters = not w.is_news, facts_before = w.facts_before
          from listings_to_match w
         where l.id = any (ids) and w.listing_id = l.id;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION listing_partitions(of_table text)
 RETURNS TABLE(part regclass, lower_id bigint, upper_id bigint)
 LANGUAGE sql
 STABLE
AS $function$
        select i.inhrelid::regclass, substring(b.bound from 'FROM \(''?(-?\d+)')::int8, substring(b.bound from 'TO \(''?(-?\d+)')::int8
          from pg_inherits i join pg_class c on c.oid = i.inhrelid
         cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
         where i.inhparent = to_regclass(of_table) and c.relispartition
         order by 3
      $function$;

CREATE OR REPLACE FUNCTION listing_stays(of_listing bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
        select exists (
          select from listings l
           where l.id = of_listing and (l.status in ('for_sale', 'pending') or l.pending_match
                                        or l.last_seen_at > now() - interval '90 days'))
      $function$;

CREATE OR REPLACE FUNCTION match_bounds(OUT horizon bigint, OUT ceiling bigint, OUT nonce integer)
 RETURNS record
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
      declare
        newest int8;
        is_own bool := true;
      begin
        select e.epoch, e.nonce into newest, nonce from match_epochs e order by e.epoch desc limit 1;
        -- Unlogged tables can not be read in a standby, which replays the epoch of its primary.
        if not pg_is_in_recovery() then
          select true into is_own from match_server s
           where s.started_at = pg_postmaster_start_time() and s.epoch = newest;
        end if;
        if is_own then
          horizon := (newest << 42) + pg_snapshot_xmin(pg_current_snapshot())::text::int8;
          ceiling := (newest << 42) + pg_snapshot_xmax(pg_current_snapshot())::text::int8;
        else
          -- Another server wrote the newest epoch: all of it is settled.
          horizon := ((newest + 1) << 42) - 1;
          ceiling := horizon;
        end if;
      end $function$;

CREATE OR REPLACE FUNCTION match_horizon()
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$select horizon from match_bounds()$function$;

CREATE OR REPLACE FUNCTION match_position()
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
      declare
        mine int8;
      begin
        select epoch into mine from match_server where started_at = pg_postmaster_start_time();
        if not found then mine := begin_match_epoch(); end if;
        return (mine << 42) + pg_current_xact_id()::text::int8;
      end $function$;

CREATE OR REPLACE FUNCTION note_leaving_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
      begin
        if tg_op <> 'INSERT' then insert into leaving_changes values (tg_argv[0], old.listing_id, old.alert_id); end if;
        if tg_op <> 'DELETE' then insert into leaving_changes values (tg_argv[0], new.listing_id, new.alert_id); end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION notify_keys_ended()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        perform pg_notify('lotwatch_keys', (case when tg_table_name = 'users' then to_jsonb(old) ->> 'id'
                                                 else to_jsonb(old) ->> 'user_id' end));
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION prepare_bound(of_table text, bound bigint)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  declare
    last record;
         checked bool;
  begin
    if of_table not in ('matches', 'notifications')
       or not has_table_privilege(session_user, of_table, 'delete') then
      raise insufficient_privilege using message = format('%s may not change the partitions of %s', session_user, of_table);
    end if;
    
    select * into strict last from listing_partitions(of_table) where upper_id is null;
    select convalidated into checked from pg_constraint where conrelid = last.part and conname = 'bound_of_listings';
    if checked then return 'ready'; end if;
    if checked is null then
      execute format('alter table %s add constraint bound_of_listings check (%s listing_id < %s) not valid',
                     last.part, coalesce('listing_id >= ' || last.lower_id || ' and', ''), bound);
      return 'added';
    end if;
    execute format('alter table %s validate constraint bound_of_listings', last.part);
    return 'ready';
  end $function$;

CREATE OR REPLACE FUNCTION refuse_cells_without_filters()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
      end $function$;

CREATE OR REPLACE FUNCTION refuse_delete_by_place()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        if (select count(*) from pg_inherits where inhparent = tg_relid) > 1 then
          raise object_not_in_prerequisite_state using
            message = format('rows of %s are not deleted by ctid alone, which several partitions have', tg_table_name),
            hint = 'This is the clean-up of a version before migration 086: end its workers. Nothing was deleted.';
        end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION reject_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        raise exception '% is append-only', tg_table_name;
      end $function$;

CREATE OR REPLACE FUNCTION require_sendable(by_channel text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
      declare
        must_wait bool;
      begin
        select is_synchronous into must_wait from running_server where started_at = pg_postmaster_start_time();
        if not found then raise exception 'The server is not known yet.' using errcode = 'LW001'; end if;
        if must_wait and not waits_for_standby() then
          raise exception 'The server does not wait for a standby.' using errcode = 'LW002';
        end if;
        perform from restores where by_channel = any(held);
        if found then raise exception 'Messages are held.' using errcode = 'LW002'; end if;
        return true;
      end $function$;

CREATE OR REPLACE FUNCTION settle_lost_delivery()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare
        event webhook_events;
        lost lost_messages;
        listing int8;
      begin
        select * into event from webhook_events where id = new.event_id;
        listing := case event.type when 'match.created' then split_part(event.subject, ':', 2)::int8
                                   when 'listing.price_dropped' then split_part(event.subject, ':', 1)::int8 end;
        select m.* into lost from lost_messages m
         where m.user_id = new.user_id and m.channel = 'webhook' and m.kind = event.type and m.status = 'sent'
           and m.address = new.webhook_id::text
           and case when listing is null then m.data = to_jsonb(event.subject)
                    else exists (select from listings l where l.id = listing and l.source = m.source and l.external_id = m.external_id)
                         and (event.type <> 'match.created' or m.alert_id = split_part(event.subject, ':', 1)::int8)
                         and (event.type <> 'listing.price_dropped' or m.price = split_part(event.subject, ':', 2)::int4) end
         order by m.id desc limit 1;
        if not found then return new; end if;
        new.status := 'delivered';
        new.settled_at := lost.sent_at;
        return new;
      end $function$;

CREATE OR REPLACE FUNCTION settle_lost_notification()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare
        lost lost_messages;
      begin
        if new.resent or new.status <> 'waiting' then return new; end if;
        select m.* into lost
          from listings l join lost_messages m on m.source = l.source and m.external_id = l.external_id
         where l.id = new.listing_id and m.alert_id = new.alert_id and m.channel = new.channel and m.kind = new.kind
           and (new.kind <> 'price_drop' or m.price is not distinct from new.price)
           and (m.status = 'sent' or m.channel = 'sms')
         order by m.id desc limit 1;
        if not found then return new; end if;
        new.status := lost.status;
        new.settled_at := lost.sent_at;
        new.held_by := 'restored';
        if new.channel = 'email' then new.mail_id := lost.message_id::uuid; end if;
        if new.channel = 'sms' then new.text_id := lost.message_id::uuid; end if;
        if new.channel = 'push' then new.push_id := lost.message_id::uuid; end if;
        return new;
      end $function$;

CREATE OR REPLACE FUNCTION skip_lost_mail()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        perform from lost_messages m
          where m.user_id = new.user_id and m.channel = 'email' and m.kind = new.kind and m.status = 'sent'
            and m.alert_id is not distinct from new.alert_id
            and (new.kind in ('reminder', 'expired', 'idle_account') or m.data = new.data);
        if found then return null; end if;
        return new;
      end $function$;

CREATE OR REPLACE FUNCTION skip_session_without_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        perform from users where id = (new.sess ->> 'userId')::int8 for key share;
        if found then return new; end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION skip_without_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        perform from users where id = new.user_id for key share;
        if found then return new; end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION sync_alert_cells()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        update alert_cells
           set announces = new.email_notifications,
               texts = new.text_notifications,
               pushes = new.push_notifications,
               expires_at = case when new.is_active then new.expires_at else '-infinity' end
         where alert_id = new.id;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION sync_alert_throttles()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    if new.last_mailed_at is null then
      delete from alert_throttles where alert_id = new.id;
      return null;
    end if;
    update alert_throttles set last_mailed_at = new.last_mailed_at
     where alert_id = new.id and user_id = new.user_id and last_mailed_at <> new.last_mailed_at;
    if not found then
      insert into alert_throttles (alert_id, user_id, last_mailed_at)
      values (new.id, new.user_id, new.last_mailed_at) on conflict do nothing;
    end if;
    return null;
  end $function$;

CREATE OR REPLACE FUNCTION waits_for_standby()
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
        select current_setting('synchronous_standby_names') <> ''
               and current_setting('synchronous_commit') not in ('off', 'local')
      $function$;
