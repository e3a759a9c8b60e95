import { Migration } from '@mikro-orm/migrations';

/**
 * What is known about payments: who a user is at Stripe and what follows from their subscriptions, the payment pages we
 * sent them to, the events that came, and the customers of erased accounts that Stripe is still to forget.
 */
export class Migration015Billing extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table billing_customers (
        user_id int8 primary key references users (id),
        customer_id text unique,
        make_key uuid not null default gen_random_uuid(),
        subscription_id text,
        status text not null default 'active' check (status in ('active', 'past_due', 'canceling')),
        current_period_end timestamptz,
        grace_ends_at timestamptz,
        told_grace timestamptz,
        warned_grace timestamptz,
        synced_at timestamptz,
        next_look_at timestamptz,
        created_at timestamptz not null default now()
      );
      create index billing_customers_look on billing_customers (next_look_at) where next_look_at is not null;

      create table billing_checkouts (
        id int8 generated always as identity primary key,
        user_id int8 not null references users (id),
        plan_id int4 not null references plans (id),
        key uuid not null default gen_random_uuid(),
        session_id text unique,
        url text,
        status text not null default 'starting' check (status in ('starting', 'open', 'complete', 'expired', 'failed')),
        created_at timestamptz not null default now(),
        expires_at timestamptz,
        next_look_at timestamptz
      );
      create unique index billing_checkouts_open on billing_checkouts (user_id) where status in ('starting', 'open');
      create index billing_checkouts_user on billing_checkouts (user_id);
      create index billing_checkouts_look on billing_checkouts (next_look_at) where status = 'open';

      create table billing_events (
        id text primary key,
        type text not null,
        object_id text,
        customer_id text,
        received_at timestamptz not null default now(),
        settled_at timestamptz,
        attempts int4 not null default 0,
        next_try_at timestamptz not null default now(),
        error text
      );
      create index billing_events_due on billing_events (next_try_at) where settled_at is null;
      create index billing_events_customer on billing_events (customer_id);

      create table billing_farewells (
        customer_id text primary key,
        session_ids text[] not null default '{}',
        attempts int4 not null default 0,
        next_try_at timestamptz not null default now(),
        created_at timestamptz not null default now()
      );

      alter table alerts add column paused_by_plan_at timestamptz;
      create index alerts_paused_by_plan on alerts (user_id) where paused_by_plan_at is not null;
    `);
  }

  override down(): void {
    throw new Error('What was paid is not forgotten.');
  }
}
