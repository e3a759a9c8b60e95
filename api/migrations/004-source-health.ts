import { Migration } from '@mikro-orm/migrations';

/** What is set aside can be read again, and a source's counts and lags are kept by the hour. */
export class Migration004SourceHealth extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table quarantine
        add column reader text not null default 'items' check (reader in ('items', 'feed')),
        add column whole bool not null default true,
        add column announce bool not null default true,
        add column retried_at timestamptz;
      update quarantine set whole = false where length(record) >= 8000;
      alter table quarantine
        add column retryable bool not null generated always as (whole and code <> 'DUPLICATE_ID') stored;

      -- A record is one row, whatever today's code for it: its hash no longer includes the code.
      delete from quarantine q using quarantine later
       where q.source = later.source and q.id < later.id and q.record = later.record
         and (q.whole or q.external_id is not distinct from later.external_id);
      update quarantine
         set record_hash = encode(sha256(convert_to(
               case when whole then record else concat(external_id, ' ', record) end, 'UTF8')), 'hex');

      create index quarantine_code on quarantine (source, code, id) include (retryable);
      create index quarantine_listing on quarantine (source, external_id) where external_id is not null;

      alter table sources add column last_complete_at timestamptz;

      create table source_hours (
        source text not null,
        hour timestamptz not null,
        accepted int8 not null default 0,
        updated int8 not null default 0,
        unchanged int8 not null default 0,
        rejected int8 not null default 0,
        primary key (source, hour)
      );

      create table source_lags (
        source text not null,
        hour timestamptz not null,
        bucket int2 not null,
        listings int8 not null,
        primary key (source, hour, bucket)
      );
    `);
  }

  override down(): void {
    throw new Error('What was set aside is not thrown away again.');
  }
}
