import { Migration } from '@mikro-orm/migrations';

/**
 * Webhooks, what they are told, and every try of telling them. Events are made from match rows by their cursor
 * (`webhook_positions`) and from `price_drops`, which matching writes where somebody waits for them.
 */
export class Migration018Webhooks extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table webhooks (
        id int8 generated always as identity primary key,
        user_id int8 not null references users (id),
        url text not null,
        events text[] not null,
        description text not null default '',
        state text not null default 'active' check (state in ('active', 'paused')),
        paused_because text check (paused_because in ('owner', 'failures', 'gone')),
        paused_at timestamptz,
        secret_box text not null,
        previous_secret_box text,
        previous_until timestamptz,
        failures_in_row int4 not null default 0,
        failing_since timestamptz,
        rest_until timestamptz,
        created_at timestamptz not null default now(),
        check ((state = 'paused') = (paused_because is not null))
      );
      create index webhooks_user on webhooks (user_id);

      create table webhook_positions (
        user_id int8 primary key,
        tx xid8 not null,
        listing_id int8 not null default 0,
        alert_id int8 not null default 0
      );

      create table price_drops (
        id int8 generated always as identity primary key,
        user_id int8 not null,
        alert_id int8 not null,
        listing_id int8 not null,
        price int4 not null,
        price_before int4 not null,
        created_at timestamptz not null default now()
      );
      create index price_drops_user on price_drops (user_id);

      create table webhook_events (
        id int8 generated always as identity primary key,
        user_id int8 not null,
        type text not null,
        subject text not null,
        data json not null,
        created_at timestamptz not null default now(),
        unique (user_id, type, subject)
      );
      create index webhook_events_created on webhook_events (created_at);

      create table webhook_deliveries (
        id int8 generated always as identity primary key,
        message_id text not null default 'msg_' || replace(gen_random_uuid()::text, '-', ''),
        user_id int8 not null,
        webhook_id int8 not null references webhooks (id) on delete cascade,
        event_id int8 not null references webhook_events (id) on delete cascade,
        status text not null default 'waiting' check (status in ('waiting', 'sending', 'delivered', 'failed', 'expired')),
        asked bool not null default false,
        tries int4 not null default 0,
        next_try_at timestamptz not null default now(),
        created_at timestamptz not null default now(),
        waiting_since timestamptz not null default now(),
        settled_at timestamptz,
        unique (webhook_id, event_id)
      );
      create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_try_at)
        where status in ('waiting', 'sending');
      create index webhook_deliveries_event on webhook_deliveries (event_id);
      create index webhook_deliveries_user on webhook_deliveries (user_id);

      create table webhook_attempts (
        id int8 generated always as identity primary key,
        user_id int8 not null,
        delivery_id int8 not null references webhook_deliveries (id) on delete cascade,
        at timestamptz not null default now(),
        status_code int4,
        ms int4 not null,
        error text,
        answer text
      );
      create index webhook_attempts_delivery on webhook_attempts (delivery_id, id);
      create index webhook_attempts_user on webhook_attempts (user_id);
    `);
    // A row of somebody whose account is erased meanwhile waits for that, and is then left out.
    this.addSql(/* sql */ `
      create trigger webhook_events_need_user before insert on webhook_events
        for each row execute function skip_without_user();
      create trigger webhook_positions_need_user before insert on webhook_positions
        for each row execute function skip_without_user();
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      drop table webhook_attempts, webhook_deliveries, webhook_events, price_drops, webhook_positions, webhooks;
    `);
  }
}
