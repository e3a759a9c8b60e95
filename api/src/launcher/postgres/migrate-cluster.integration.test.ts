import { afterEach, describe, expect, it } from 'vitest';
import { allMigrations } from '../../../migrations/all-migrations.ts';
import { OnlineMigration } from '../../../migrations/online-migration.ts';
import { PartitionedMigration } from '../../../migrations/partitioned-migration.ts';
import { onCluster, setUpDatabase } from '../../../test/database.ts';
import { readSchema } from '../../../test/schema/read-schema.ts';
import { differingShards } from '../../../test/schema/schemas-of-shards.ts';
import { inRetriedTransaction } from '../../base/retried-transaction.ts';
import { moveShard } from '../../placement/move-shard.ts';
import { prepareLayout } from '../../placement/prepare-layout.ts';
import { nameOf, readServers, readShards } from '../../placement/servers.ts';
import { migrateDatabase } from './migrate.ts';
import { prepareDatabase } from './prepare-database.ts';

/** Clusters are there from this version on. */
const FIRST = '119-layouts';
const USERS = 40;
const ALERTS = 3_000;

/** What later versions may do to tables of each place. */
class Migration990Everything extends OnlineMigration {
  override up(): void {
    for (const table of ['alerts', 'matches', 'listings', 'api_keys'])
      this.addSql(`alter table ${table} add column if not exists tried text;`);
    this.fill('alerts', 'tried', "'of ' || t.user_id || ' 100%s'");
    this.fill('matches', 'tried', "'found'");
    this.fill('listings', 'tried', "t.make || ''''");
    this.setNotNull('api_keys', 'tried', "'at the coordinator'");
    this.setNotNull('alerts', 'tried', "''");
    this.buildIndex('alerts_tried', 'alerts (user_id, tried)');
    this.replaceIndex('alerts_tried', 'alerts (tried, user_id)');
    this.buildIndex('listings_tried', 'listings (tried) where tried is not null');
    this.dropIndex('listings_tried');
    this.replaceCheck('alerts', 'alerts_tried_check', "tried like 'of %'");
    this.replaceKey('texts', 'user_id, id');
    this.addSql(`alter table alert_cells add constraint cells_alert foreign key (alert_id, user_id)
      references alerts (id, user_id) on delete cascade not valid;`);
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
  });

  /** Writes as the version before does, to tables of a user. A move or a deadlock may end a transaction, which is repeated. */
  async function write(user: number, isOver: () => boolean): Promise<number> {
    let written = 0;
    for (let listing = 2; !isOver(); listing += 1) {
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

  const functions = () =>
    db.rows(
      "select oid::regprocedure::text as name, prosrc from pg_proc where pronamespace = 'public'::regnamespace order by 1",
    );

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
  });

  it('change tables of each place while a shard is moved and rows are written', { timeout: 300_000 }, async () => {
    const [shard] = await readShards(db.pool);
    const other = (await readServers(db.pool)).find((one) => shard && nameOf(one) !== nameOf(shard));
    let hasEnded = false;
    const writers = [1, 2, 3].map((user) => write(user, () => hasEnded));
    const moved = moveShard(db.pool, { shard: shard?.id ?? 0 }, nameOf(other ?? { host: '', port: 0 }));
    const ran = await migrateDatabase(db.url, {
      migrations: [...allMigrations, { name: '990-everything', class: Migration990Everything }],
    });
    await moved;
    hasEnded = true;
    for (const written of await Promise.all(writers)) expect(written).toBeGreaterThan(10);
    expect(ran).toEqual(['990-everything']);
    expect(
      await db.row(
        "select count(*)::int4 as all, count(*) filter (where tried = 'of ' || user_id || ' 100%s')::int4 as filled from alerts",
      ),
    ).toEqual({ all: ALERTS, filled: ALERTS });
    expect(
      await db.row("select count(*)::int4 as found from matches where tried = 'found' and listing_id = 1"),
    ).toEqual({ found: ALERTS });
    await expect(db.pool.query("update alerts set tried = 'wrong' where user_id = 1")).rejects.toMatchObject({
      code: '23514',
    });
    await db.pool.query(
      "insert into alerts (user_id, make, location, place, lat, lng, radius) values (1, 'kia', '', '', 0, 0, 50)",
    );
    expect(await db.row("select count(*)::int4 as told from alerts where tried = 'of nobody'")).toEqual({ told: 1 });
  });

  it('change the key of a partitioned table', async () => {
    const ran = await migrateDatabase(db.url, {
      giveUpMs: 1,
      migrations: [
        ...allMigrations,
        { name: '990-everything', class: Migration990Everything },
        { name: '991-partitioned-key', class: Migration991PartitionedKey },
      ],
    });
    expect(ran).toEqual(['991-partitioned-key']);
  });

  it('make tables, which are then distributed with what refers to others', async () => {
    const schema = async () => (await readSchema(db.pool)).replaceAll(/(constraint|INDEX) \w+/g, '$1');
    const before = await schema();
    for (const table of ['mail_events', 'listing_notes', 'webhook_attempts', 'suppressed_addresses']) {
      await db.pool.query(`create table made (like ${table} including all)`);
      await db.pool.query(`drop table ${table}`);
      await db.pool.query(`alter table made rename to ${table}`);
      await db.pool.query(`alter sequence if exists made_id_seq rename to ${table}_id_seq`);
    }
    await db.pool.query(
      'alter table mail_events add foreign key (mail_id, user_id) references mails (id, user_id) on delete cascade',
    );
    await db.pool.query(
      `alter table webhook_attempts add foreign key (delivery_id, user_id)
         references webhook_deliveries (id, user_id) on delete cascade`,
    );
    await db.pool.query("update database_layout set cluster_version = '119-layouts x'");
    await prepareLayout(db.pool, undefined);
    expect(await schema()).toBe(before);
  });

  it('give way to the version of a cluster that is newer', async () => {
    await db.pool.query("update database_layout set cluster_version = '999-later x'");
    await prepareDatabase(db.url, 'admin-password');
    expect(await db.row('select cluster_version from database_layout')).toEqual({ cluster_version: '999-later x' });
  });
});
