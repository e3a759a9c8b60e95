import { OnlineMigration } from './online-migration.ts';

/**
 * A restored database has forgotten what was sent after its moment. `restores` says which channels are held until an operator
 * has seen what that may have been, and `lost_messages` what is known of it. The triggers that use it are created by a
 * restore only, so that no other database pays for them.
 */
export class Migration085RestoredDatabases extends OnlineMigration {
  override up(): void {
    this.addSql(`create table if not exists restores (
      id int8 generated always as identity primary key,
      restored_to timestamptz not null,
      known_until timestamptz not null,
      is_complete bool not null,
      held text[] not null,
      created_at timestamptz not null default now());`);
    this.addSql(`create table if not exists lost_messages (
      id int8 generated always as identity primary key,
      restore_id int8 not null,
      channel text not null,
      kind text not null,
      status text not null check (status in ('sent', 'unknown')),
      user_id int8,
      alert_id int8,
      address text,
      message_id text,
      source text,
      external_id text,
      price int4,
      data jsonb,
      sent_at timestamptz not null);`);
    this.addSql('create index if not exists lost_messages_alert on lost_messages (alert_id);');
    this.addSql('create index if not exists lost_messages_user on lost_messages (user_id);');
    this.addSql(/* sql */ `
      create or replace function settle_lost_notification() returns trigger language plpgsql as $$
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
      end $$;`);
    this.addSql(/* sql */ `
      create or replace function skip_lost_mail() returns trigger language plpgsql as $$
      begin
        perform from lost_messages m
          where m.user_id = new.user_id and m.channel = 'email' and m.kind = new.kind and m.status = 'sent'
            and m.alert_id is not distinct from new.alert_id
            and (new.kind in ('reminder', 'expired', 'idle_account') or m.data = new.data);
        if found then return null; end if;
        return new;
      end $$;`);
    this.addSql(/* sql */ `
      create or replace function settle_lost_delivery() returns trigger language plpgsql as $$
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
      end $$;`);
  }

  override down(): void {
    this.addSql('drop function settle_lost_notification() cascade;');
    this.addSql('drop function skip_lost_mail() cascade;');
    this.addSql('drop function settle_lost_delivery() cascade;');
    this.addSql('drop table lost_messages;');
    this.addSql('drop table restores;');
  }
}
