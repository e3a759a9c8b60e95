import { describe, expect, it } from 'vitest';
import { onCluster, setUpDatabase } from '../../test/database.ts';
import { hashOfUser, shardKeysOf } from './user-shards.ts';

const db = setUpDatabase();
const users = [0, 1, 2, 3, 7, 1_000, 65_536, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 40 + 5, 2 ** 53 - 1];

it('the hash of a user is that of the database', async () => {
  const ids = [...users, ...Array.from({ length: 2_000 }, (_, at) => at * 7_919)];
  const rows = await db.rows(
    'select hashint8(u) as hash from unnest($1::int8[]) with ordinality as u (u, place) order by place',
    [ids],
  );
  expect(ids.map(hashOfUser)).toEqual(rows.map(({ hash }) => hash));
});

describe.runIf(onCluster)('on a cluster', () => {
  it('a user is in the same shard as the least user of it', async () => {
    const ids = [...users.slice(1), ...Array.from({ length: 300 }, (_, at) => at + 4)];
    const shardSql = `select get_shard_id_for_distribution_column('alerts', u) as shard
                        from unnest($1::int8[]) with ordinality as u (u, place) order by place`;
    const least = shardKeysOf(ids);
    expect(await db.rows(shardSql, [least])).toEqual(await db.rows(shardSql, [ids]));
    expect(new Set(least).size).toBe((await db.rows('select from shards_here')).length);
  });
});
