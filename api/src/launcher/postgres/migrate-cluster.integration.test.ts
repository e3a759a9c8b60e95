import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { allMigrations } from '../../../migrations/all-migrations.ts';
import { OnlineMigration } from '../../../migrations/online-migration.ts';
import { PartitionedMigration } from '../../../migrations/partitioned-migration.ts';
import { onCluster, setUpDatabase } from '../../../test/database.ts';
import { readSchema } from '../../../test/schema/read-schema.ts';
import { differingShards } from '../../../test/schema/schemas-of-shards.ts';
import { inTransaction } from '../../base/database.ts';
import { inRetriedTransaction } from '../../base/retried-transaction.ts';
import { moveShard } from '../../placement/move-shard.ts';
import { prepareLayout } from '../../placement/prepare-layout.ts';
import { nameOf, readServers, readShards } from '../../placement/servers.ts';
import { migrateDatabase } from './migrate.ts';
import { prepareDatabase } from './prepare-database.ts';

type MigrationClass = (typeof allMigrations)[number]['class'];

/** Clusters are there from this version on. */
const FIRST = '119-layouts';
const USERS = 40;
const ALERTS = 3_000;

/** What later versions may do to tables of each place. */
class Migration990Everything extends OnlineMigration {
  override up(): void {
    for (const table of ['alerts', 'matches', 'listings', 'api_keys', 'listings_to_match', 'mails'])
      this.addSql(`alter table ${table} add column if not exists tried text;`);
    this.fill('alerts', 'tried', "'of ' || t.user_id || ' 100%s'");
    this.fill('matches', 'tried', "'found'");
    this.fill('listings', 'tried', "t.make || ''''");
    this.fill('listings_to_match', 'tried', "'waits'");
    this.setNotNull('api_keys', 'tried', "'at the coordinator'");
    this.setNotNull('alerts', 'tried', "''");
    this.setNotNull('mails', 'tried', "'mailed to ' || t.to_address");
    this.buildIndex('alerts_tried', 'alerts (user_id, tried)');
    this.replaceIndex('alerts_tried', 'alerts (tried, user_id)');
    this.buildIndex('listings_tried', 'listings (tried) where tried is not null');
    this.dropIndex('listings_tried');
    this.replaceCheck('alerts', 'alerts_tried_check', "tried like 'of %'");
    this.replaceKey('texts', 'user_id, id');
    this.addSql(`alter table alert_cells add constraint cells_alert foreign key (alert_id, user_id)
      references alerts (id, user_id) on delete cascade;`);
    this.validate('alert_cells', 'cells_alert');
    this.addSql(`create or replace function note_try() returns trigger language plpgsql as $$
      begin new.tried := 'of nobody'; return new; end $$;`);
    this.addSql(`create or replace trigger note_try before insert on alerts for each row
      when (new.tried is null) execute function note_try();`);
    this.addSql('alter table alerts drop column if exists pending_match;');
  }
}

class Migration991PartitionedKey extends PartitionedMigration {
  override up(): Promise<void> {
    return this.replacePartitionedKey('matches', 'listing_id, user_id, alert_id');
  }
}

class Migration992WrongValue extends OnlineMigration {
  override up(): void {
    this.addSql('alter table alerts add column if not exists wrong int4;');
    this.fill('alerts', 'wrong', '1 / (t.id - t.id)');
  }
}

class Migration993Column extends OnlineMigration {
  override up(): void {
    this.addSql('alter table alerts add column if not exists further text;');
  }
}

/** Makes tables again, as a new version makes those of its own, and one that is to stay at the coordinator. */
class Migration994Tables extends OnlineMigration {
  override up(): void {
    for (const table of ['mail_events', 'push_subscriptions', 'webhook_attempts', 'suppressed_addresses']) {
      this.addSql(`create table made (like ${table} including all);`);
      this.addSql(`drop table ${table};`);
      this.addSql(`alter table made rename to ${table};`);
      this.addSql(`alter sequence if exists made_id_seq rename to ${table}_id_seq;`);
    }
    const reference = (table: string, columns: string, other: string) =>
      this.addSql(`alter table ${table} add foreign key (${columns}) references ${other} on delete cascade;`);
    reference('mail_events', 'mail_id, user_id', 'mails (id, user_id)');
    reference('webhook_attempts', 'delivery_id, user_id', 'webhook_deliveries (id, user_id)');
    reference('push_subscriptions', 'user_id', 'users (id)');
    this.addSql(`create table tries (
      id int8 generated always as identity primary key, user_id int8 not null references users (id) on delete cascade);`);
  }
}

// These need CITUS_URL, the address of a coordinator. The run says so where there is none.
describe.skipIf(!onCluster)('migrations of a cluster', () => {
  const db = setUpDatabase(async () => {
    await db.pool.query(
      "insert into plans (id, name, description, price, alert_limit, is_popular, features) values (1, 'Free', '', 0, 1, false, '{}') on conflict do nothing",
    );
    await db.pool.query(
      "insert into users (username, password_hash) select 'u' || n, '' from generate_series(1, $1::int) n",
      [USERS],
    );
    await db.pool.query(
      `insert into alerts (user_id, make, location, place, lat, lng, radius)
       select n % ${USERS} + 1, 'kia', '', '', 0, 0, 50 from generate_series(1, ${ALERTS}) n`,
    );
    await db.pool.query(
      `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced)
       select 1, id, user_id, version, 3, true from alerts`,
    );
    await db.pool.query(
      "insert into mails (kind, user_id, to_address) select 'contact', id, id || '@example.org' from users",
    );
    await db.pool.query(
      'insert into listings_to_match (listing_id, version, is_news) values (1, 1, true), (20000, 1, true)',
    );
  });

  let nextListing = 2;

  /** Writes as the version before does, to tables of a user. A move or a deadlock may end a transaction, which is repeated. */
  async function write(user: number, isOver: () => boolean): Promise<number> {
    let written = 0;
    for (; !isOver(); nextListing += 1) {
      const listing = nextListing;
      await inRetriedTransaction(db.pool, async (client) => {
        await client.query('update alerts set last_mailed_at = now() where user_id = $1', [user]);
        await client.query(
          `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced)
           select $2, id, user_id, version, 3, true from alerts where user_id = $1 limit 1`,
          [user, listing],
        );
      });
      written += 1;
    }
    return written;
  }

  /** The functions of each server. */
  const functions = () =>
    db.rows(
      `select nodeid, result from run_command_on_all_nodes(
         $$ select md5(string_agg(oid::regprocedure || prosrc, '' order by oid::regprocedure::text)) from pg_proc
             where pronamespace = 'public'::regnamespace $$) order by 1`,
    );
  const migrate = (Class: MigrationClass, name: string, options = {}) =>
    migrateDatabase(db.url, { ...options, migrations: [...allMigrations, { name, class: Class }] });

  afterEach(async () => expect(await differingShards(db.pool)).toEqual([]));

  it('are undone and done again, and leave what the cluster does otherwise', { timeout: 120_000 }, async () => {
    const [schema, before] = [await readSchema(db.pool), await functions()];
    await db.orm.migrator.down({ to: FIRST });
    expect(await readSchema(db.pool)).not.toBe(schema);
    const later = allMigrations.map(({ name }) => name).filter((name) => name > FIRST);
    expect(await migrateDatabase(db.url)).toEqual(later);
    expect(await functions()).toEqual(before);
    await prepareLayout(db.pool, 'citus');
    expect(await readSchema(db.pool)).toBe(schema);
    expect(await functions()).toEqual(before);
  });

  it('change tables of each place while a shard is moved and rows are written', { timeout: 300_000 }, async () => {
    // The last one is moved before it is filled.
    const shard = (await readShards(db.pool)).at(-1);
    const other = (await readServers(db.pool)).find((one) => shard && nameOf(one) !== nameOf(shard));
    let hasEnded = false;
    const writers = [1, 2, 3].map((user) => write(user, () => hasEnded));
    const moved = moveShard(db.pool, { shard: shard?.id ?? 0 }, nameOf(other ?? { host: '', port: 0 }));
    expect(await migrate(Migration990Everything, '990-everything')).toEqual(['990-everything']);
    await moved;
    hasEnded = true;
    for (const written of await Promise.all(writers)) expect(written).toBeGreaterThan(10);
    expect(
      await db.row(
        "select count(*)::int4 as all, count(*) filter (where tried = 'of ' || user_id || ' 100%s')::int4 as filled from alerts",
      ),
    ).toEqual({ all: ALERTS, filled: ALERTS });
    expect(
      await db.row("select count(*)::int4 as found from matches where tried = 'found' and listing_id = 1"),
    ).toEqual({ found: ALERTS });
    expect(await db.row("select count(*)::int4 as mails from mails where tried = 'mailed to ' || to_address")).toEqual({
      mails: USERS,
    });
    expect(await db.row("select count(*)::int4 as marks from listings_to_match where tried = 'waits'")).toEqual({
      marks: 2,
    });
    await expect(db.pool.query("update alerts set tried = 'wrong' where user_id = 1")).rejects.toMatchObject({
      code: '23514',
    });
    await db.pool.query(
      "insert into alerts (user_id, make, location, place, lat, lng, radius) values (1, 'kia', '', '', 0, 0, 50)",
    );
    expect(await db.row("select count(*)::int4 as told from alerts where tried = 'of nobody'")).toEqual({ told: 1 });
  });

  it('change the key of a partitioned table', async () => {
    await migrate(Migration991PartitionedKey, '991-partitioned-key');
    expect(
      await db.row("select pg_get_constraintdef(oid) as key from pg_constraint where conname = 'matches_pkey'"),
    ).toEqual({ key: 'PRIMARY KEY (listing_id, user_id, alert_id)' });
  });

  it('fail with what a server says of a value, and not again and again', async () => {
    await expect(migrate(Migration992WrongValue, '992-wrong-value')).rejects.toThrow('division by zero');
  });

  it('give way to who holds a lock on a server alone', { timeout: 60_000 }, async () => {
    const holder = await db.pool.connect();
    let migrated: Promise<unknown> | undefined;
    try {
      // A statement on shards holds no lock of the table at the coordinator.
      await holder.query(
        "begin; select run_on_shard(user_id, 'held', 'select id from alerts limit 1', '{}') from shards_here",
      );
      migrated = migrate(Migration993Column, '993-column', { lockMs: 200 });
      const waits: number[] = [];
      for (let at = 0; at < 30; at += 1) {
        const began = performance.now();
        await db.pool.query('select count(*) from alerts where user_id = 1');
        waits.push(performance.now() - began);
        await sleep(100);
      }
      expect(await db.rows("select from migrations where name = '993-column'")).toEqual([]);
      expect(Math.max(...waits)).toBeLessThan(2_000);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect(await migrated).toEqual(['993-column']);
  });

  it('make tables, which are then distributed with what refers to others', async () => {
    const schema = async () =>
      (await readSchema(db.pool))
        .replaceAll(/(constraint|INDEX) \w+/g, '$1')
        .replace(/create table tries .*?;\n\n/s, '');
    const code = await functions();
    const before = await schema();
    await migrate(Migration994Tables, '994-tables');
    await db.pool.query('create or replace function hold_shard() returns trigger language plpgsql as $$ begin end $$');
    await prepareLayout(db.pool, undefined);
    expect(await functions()).toEqual(code);
    expect(await schema()).toBe(before);
    expect(
      await db.row(
        "select count(*)::int4 as keys from pg_constraint where conrelid = 'tries'::regclass and contype = 'f'",
      ),
    ).toEqual({ keys: 0 });
  });

  it('are followed by what else a version needs, while rows are written', { timeout: 60_000 }, async () => {
    const schema = await readSchema(db.pool);
    await inTransaction(db.pool, async (client) => {
      await client.query('set local citus.enable_unsafe_triggers = on');
      await client.query('drop trigger hold_shard on mails');
    });
    await db.pool.query('update database_layout set cluster_version = null');
    let hasEnded = false;
    const writers = [1, 2, 3].map((user) => write(user, () => hasEnded));
    await prepareLayout(db.pool, undefined);
    hasEnded = true;
    for (const written of await Promise.all(writers)) expect(written).toBeGreaterThan(0);
    expect(await readSchema(db.pool)).toBe(schema);
  });

  it('give way to the version of a cluster that is newer', async () => {
    await db.pool.query('update database_layout set cluster_version = 999');
    await prepareDatabase(db.url, 'admin-password');
    expect(await db.row('select cluster_version from database_layout')).toEqual({ cluster_version: 999 });
  });
});
