import { OnlineMigration } from './online-migration.ts';

/** How long matches took until their messages left, counted by channel and hour in the buckets of `source_lags`. */
export class Migration075DeliveryDelays extends OnlineMigration {
  override up(): void {
    this.addSql(`create table if not exists delivery_delays (
      channel text not null,
      hour timestamptz not null,
      bucket int2 not null,
      matches int8 not null,
      primary key (channel, hour, bucket));`);
  }

  override down(): void {
    this.addSql('drop table delivery_delays;');
  }
}
