import { describe, expect, inject, it } from 'vitest';
import { makeOldDatabase, setUpDatabase } from '../../test/database.ts';
import { triggers } from '../../test/schema/triggers.ts';
import { prepareDatabase } from '../launcher/postgres/prepare-database.ts';
import { prepareLayout, readLayout } from './prepare-layout.ts';
import { byUser, copied } from './table-places.ts';

const isCluster = inject('serverUrls').length > 1;

describe.skipIf(isCluster)('the layout of a database on one server', () => {
  const db = setUpDatabase();

  it('is not distributed without the extension, and nothing is decided', async () => {
    await expect(prepareLayout(db.pool, 'citus')).rejects.toMatchObject({ code: 'CITUS_MISSING' });
    expect(await readLayout(db.pool)).toBeUndefined();
  });

  it('is plain unless it is asked for another one, and is kept', async () => {
    expect(await prepareLayout(db.pool, undefined)).toBe('plain');
    expect(await prepareLayout(db.pool, 'plain')).toBe('plain');
    expect(await readLayout(db.pool)).toBe('plain');
  });

  it('can not be changed by the setting', async () => {
    const start = prepareDatabase(db.url, 'admin-password', undefined, false, 'citus');
    await expect(start).rejects.toMatchObject({ code: 'LAYOUT_DIFFERS' });
    await expect(start).rejects.toThrow('this database was made with plain');
  });

  it('is not read from a database of a version before it was kept', async () => {
    const old = await makeOldDatabase('115-log-of-deliveries');
    expect(await readLayout(old.pool)).toBeUndefined();
    await old.close();
  });
});

// These need CITUS_URL, the address of a coordinator. The run says so where there is none.
describe.skipIf(!isCluster)('the layout of a cluster', () => {
  const db = setUpDatabase();

  it('has each table where the list says', async () => {
    const placed = await db.rows(
      `select logicalrelid::regclass::text as name, partmethod as by, column_to_column_name(logicalrelid, partkey) as key
         from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid where not c.relispartition order by 1`,
    );
    const of = (by: string) => placed.filter((one) => one.by === by).map(({ name }) => name);
    expect(of('h')).toEqual([...byUser, 'shard_epochs', 'shards_here'].toSorted());
    expect(of('n')).toEqual([...copied].toSorted());
    expect(new Set(placed.filter(({ by }) => by === 'h').map(({ key }) => key))).toEqual(new Set(['user_id']));
  });

  it('has none of the triggers that are for the version before', async () => {
    const old = Object.keys(triggers).filter((trigger) => triggers[trigger] === 'versions before');
    const there = await db.rows(
      "select tgrelid::regclass || ' ' || tgname as trigger from pg_trigger where not tgisinternal and tgparentid = 0",
    );
    const names = there.map(({ trigger }) => trigger);
    expect(names.filter((trigger) => old.includes(trigger))).toEqual([]);
    expect(names).toContain('session session_needs_user');
  });

  it('is kept, and preparing it again changes nothing', async () => {
    expect(await prepareLayout(db.pool, 'citus')).toBe('citus');
    expect(await prepareLayout(db.pool, undefined)).toBe('citus');
    await expect(prepareLayout(db.pool, 'plain')).rejects.toMatchObject({ code: 'LAYOUT_DIFFERS' });
  });
});
