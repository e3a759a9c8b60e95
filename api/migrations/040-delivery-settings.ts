import { Migration } from '@mikro-orm/migrations';

/** How and when each alert notifies its owner, and which rule holds a notification that waits. */
export class Migration040DeliverySettings extends Migration {
  /** Mails of these kinds are written with their alert locked, whose user exists. All others are checked for their user. */
  private checkUserOf(exempt: readonly string[]): void {
    this.addSql('drop trigger mails_need_user on mails;');
    this.addSql(`create trigger mails_need_user before insert on mails for each row
      when (new.user_id is not null and new.kind not in (${exempt.map((kind) => `'${kind}'`).join(', ')}))
      execute function skip_without_user();`);
  }

  override up(): void {
    this.addSql(`alter table alerts
      add delivery text not null default 'instant' constraint alerts_delivery_check check (delivery in ('instant', 'daily')),
      add digest_hour int4 not null default 8,
      add quiet_hours jsonb,
      add snoozed_until timestamptz,
      add price_drops boolean not null default true,
      add max_mails_per_day int4;`);
    this.addSql('alter table users add messages_paused_at timestamptz;');
    this.addSql('alter table notifications add held_by text;');
    this.checkUserOf(['match', 'price_drop', 'digest', 'summary', 'reminder']);
  }

  override down(): void {
    this.checkUserOf(['match', 'reminder']);
    this.addSql('alter table notifications drop held_by;');
    this.addSql('alter table users drop messages_paused_at;');
    this.addSql(`alter table alerts drop delivery, drop digest_hour, drop quiet_hours, drop snoozed_until,
      drop price_drops, drop max_mails_per_day;`);
  }
}
