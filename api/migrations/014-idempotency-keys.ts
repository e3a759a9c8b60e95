import { Migration } from '@mikro-orm/migrations';

/**
 * Calls that happen once under a key of the caller's. No reference to the user: it would lock the user's row before the
 * call does, in another order than everyone else.
 */
export class Migration014IdempotencyKeys extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table idempotency_keys (
        user_id int8 not null,
        key text not null,
        call text not null,
        body_hash text not null,
        status int4,
        answer json,
        created_at timestamptz not null default now(),
        primary key (user_id, key)
      );
      create index idempotency_keys_created_at on idempotency_keys (created_at);
    `);
  }

  override down(): void {
    this.addSql('drop table idempotency_keys;');
  }
}
