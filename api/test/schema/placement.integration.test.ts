import { expect, it } from 'vitest';
import { byUser, copied } from '../../src/placement/table-places.ts';
import { personalTables } from '../../src/rights/personal-tables.ts';
import { onCluster, setUpDatabase } from '../database.ts';
import { keysWithoutUser, onOneServer } from './placement.ts';

const db = setUpDatabase();
const distributed: readonly string[] = byUser;
const everywhere: readonly string[] = copied;
/** What only a cluster has, and no longer has. */
const ofShards = onCluster ? ['shard_epochs', 'shards_here'] : [];
const named = onCluster ? [] : Object.keys(keysWithoutUser);

it('each table about users has one place', () => {
  const placed = [...byUser, ...copied, ...Object.keys(onOneServer)];
  expect(placed.toSorted()).toEqual([...new Set(placed)].toSorted());
  const personal: string[] = Object.values(personalTables).map(({ table }) => table);
  expect(personal.filter((table) => !placed.includes(table))).toEqual([]);
});

it('each table with a column for users or alerts has a place', async () => {
  const found = await db.rows(
    `select distinct attrelid::regclass::text as name from pg_attribute a join pg_class c on c.oid = a.attrelid
      where attname in ('user_id', 'alert_id') and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and not c.relispartition and c.relname <> 'leaving_changes'`,
  );
  const placed = [...byUser, ...Object.keys(onOneServer), ...ofShards];
  expect(found.map(({ name }) => name).filter((name) => !placed.includes(name))).toEqual([]);
});

it('rows that lie with their user have one', async () => {
  const found = await db.rows(
    "select attrelid::regclass::text as name from pg_attribute where attname = 'user_id' and attnotnull and attrelid = any ($1::text[]::regclass[])",
    [byUser],
  );
  expect(found.map(({ name }) => name).toSorted()).toEqual(distributed);
});

interface Key {
  name: string;
  /** The table to which it refers. */
  to: string | null;
  hasUser: boolean;
}

/** Unique indexes and foreign keys of a table. A foreign key has the user if it refers to the user of the other row. */
const keysOf = (tables: readonly string[]): Promise<Key[]> =>
  db.rows(
    `select i.indrelid::regclass || ' ' || i.indexrelid::regclass as name, null as to,
            exists (select from pg_attribute where attrelid = i.indrelid and attnum = any (i.indkey) and attname = 'user_id') as "hasUser"
       from pg_index i where i.indisunique and i.indrelid = any ($1::text[]::regclass[])
     union all
     select c.conrelid::regclass || ' ' || c.conname, c.confrelid::regclass::text,
            exists (select from unnest(c.conkey, c.confkey) k (own, other)
                      join pg_attribute o on o.attrelid = c.conrelid and o.attnum = k.own and o.attname = 'user_id'
                      join pg_attribute r on r.attrelid = c.confrelid and r.attnum = k.other and r.attname = 'user_id')
       from pg_constraint c where c.contype = 'f' and c.conrelid = any ($1::text[]::regclass[])`,
    [tables],
  );

it('their keys, and the foreign keys between them, hold the user, but for those with a reason', async () => {
  const keys = await keysOf(byUser);
  const without = keys.filter(({ to, hasUser }) => !hasUser && (to === null || !everywhere.includes(to)));
  expect(without.map(({ name }) => name).toSorted()).toEqual(named);
});

it('no row on another server refers to rows of users', async () => {
  const keys = await keysOf([...copied, ...Object.keys(onOneServer)]);
  expect(keys.filter(({ to }) => to !== null && distributed.includes(to))).toEqual([]);
});
