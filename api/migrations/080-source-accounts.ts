import { OnlineMigration } from './online-migration.ts';

/**
 * What sources with the same keys share: the calls that they may still make of a quota, and a token. And the details of
 * items, each of which cost a call.
 */
export class Migration080SourceAccounts extends OnlineMigration {
  override up(): void {
    this.addSql(`create table if not exists source_accounts (
      account text primary key,
      calls_left float8 not null,
      counted_at timestamptz not null,
      token_ciphertext text,
      token_expires_at timestamptz);`);
    this.addSql(`create table if not exists source_details (
      source text not null,
      external_id text not null,
      details jsonb not null,
      read_at timestamptz not null default now(),
      primary key (source, external_id));`);
  }

  override down(): void {
    this.addSql('drop table source_details;');
    this.addSql('drop table source_accounts;');
  }
}
