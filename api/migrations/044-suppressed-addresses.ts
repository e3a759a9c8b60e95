import { Migration } from '@mikro-orm/migrations';

/** Addresses to which no mails about cars go, as one came back or was reported as spam. */
export class Migration044SuppressedAddresses extends Migration {
  override up(): void {
    this.addSql(`create table suppressed_addresses (
      address text primary key check (address = lower(address)),
      reason text not null check (reason in ('bounced', 'complained', 'unsubscribed')),
      detail text,
      since timestamptz not null,
      resumed_at timestamptz
    );`);
  }

  override down(): void {
    this.addSql('drop table suppressed_addresses;');
  }
}
