import { Migration } from '@mikro-orm/migrations';

const tables = [
  ['billing_farewells', 'customer_deletions'],
  ['alert_paces', 'alert_throttles'],
] as const;

const columns = [
  ['webhooks', 'secret_box', 'secret_ciphertext'],
  ['webhooks', 'previous_secret_box', 'previous_secret_ciphertext'],
  ['webhooks', 'rest_until', 'backoff_until'],
  ['webhook_deliveries', 'asked', 'resend_requested'],
  ['second_factors', 'secret_box', 'secret_ciphertext'],
  ['sources', 'header_box', 'header_ciphertext'],
  ['alerts', 'look_back_asked_at', 'backfill_requested_at'],
  ['billing_customers', 'make_key', 'creation_key'],
  ['billing_customers', 'told_grace', 'grace_notified_for'],
  ['billing_customers', 'warned_grace', 'grace_warned_for'],
  ['billing_customers', 'next_look_at', 'next_check_at'],
  ['billing_checkouts', 'next_look_at', 'next_check_at'],
  ['mail_counts', 'of_kinds', 'by_kind'],
] as const;

const indexes = [
  ['billing_farewells_pkey', 'customer_deletions_pkey'],
  ['alert_paces_pkey', 'alert_throttles_pkey'],
  ['listings_look_back', 'listings_backfill'],
  ['billing_checkouts_look', 'billing_checkouts_check'],
  ['billing_customers_look', 'billing_customers_check'],
] as const;

const functions = [
  ['alert_cells_follow', 'sync_alert_cells'],
  ['alert_paces_follow', 'sync_alert_throttles'],
  ['alert_leaves', 'delete_alert_copies'],
  ['stays_as_written', 'reject_changes'],
  ['tell_keys_ended', 'notify_keys_ended'],
] as const;

const triggers = [
  ['alerts', 'alert_cells_follow', 'alert_cells_sync'],
  ['alerts', 'alert_paces_follow', 'alert_throttles_sync'],
  ['alerts', 'alert_leaves', 'alert_deleted'],
  ['audit_log', 'audit_log_stays', 'audit_log_append_only'],
  ['users', 'users_plan_tells_keys', 'users_plan_notifies_keys'],
] as const;

/** A function's body keeps the name that a table had: these two are written again. */
const bodies = (throttles: string, deleted: string, sync: string) => /* sql */ `
  create or replace function ${deleted}() returns trigger language plpgsql as $$
  begin
    delete from alert_cells where alert_id = old.id;
    delete from ${throttles} where alert_id = old.id;
    insert into former_alerts values (old.id, old.user_id) on conflict do nothing;
    return null;
  end $$;
  create or replace function ${sync}() returns trigger language plpgsql as $$
  begin
    if new.last_mailed_at is null then
      delete from ${throttles} where alert_id = new.id;
    else
      insert into ${throttles} values (new.id, new.last_mailed_at)
      on conflict (alert_id) do update set last_mailed_at = excluded.last_mailed_at;
    end if;
    return null;
  end $$;`;

type Pair = readonly [string, string];
const reversed = ([from, to]: Pair): Pair => [to, from];

/** Gives tables, columns, indexes and functions the terms that the code uses. */
export class Migration038PlainNames extends Migration {
  private rename(pairs: readonly Pair[], say: (pair: Pair) => string): void {
    for (const pair of pairs) this.addSql(say(pair));
  }

  private renameAll(way: (pair: Pair) => Pair): void {
    for (const [table, ...pair] of columns)
      this.rename([way(pair)], ([from, to]) => `alter table ${table} rename column ${from} to ${to};`);
    for (const [table, ...pair] of triggers)
      this.rename([way(pair)], ([from, to]) => `alter trigger ${from} on ${table} rename to ${to};`);
    this.rename(indexes.map(way), ([from, to]) => `alter index ${from} rename to ${to};`);
    this.rename(tables.map(way), ([from, to]) => `alter table ${from} rename to ${to};`);
    this.rename(functions.map(way), ([from, to]) => `alter function ${from}() rename to ${to};`);
  }

  override up(): void {
    this.renameAll((pair) => pair);
    this.addSql(bodies('alert_throttles', 'delete_alert_copies', 'sync_alert_throttles'));
  }

  override down(): void {
    this.renameAll(reversed);
    this.addSql(bodies('alert_paces', 'alert_leaves', 'alert_paces_follow'));
  }
}
