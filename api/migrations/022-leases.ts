import { Migration } from '@mikro-orm/migrations';

/**
 * Who reads a source, and who is at a user's payments, until when. Whoever takes over gets another token, by which every
 * write of the one before is refused.
 */
export class Migration022Leases extends Migration {
  override up(): void {
    this.addSql(`
      alter table sources
        add column claim_token int8 not null default 0,
        add column claimed_until timestamptz;
      create table billing_leases (
        user_id int8 primary key,
        token uuid not null,
        until timestamptz not null
      );
    `);
  }

  override down(): void {
    this.addSql(`
      drop table billing_leases;
      alter table sources drop column claim_token, drop column claimed_until;
    `);
  }
}
