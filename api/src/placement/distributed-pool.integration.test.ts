import { describe, expect, it } from 'vitest';
import { onCluster, setUpDatabase } from '../../test/database.ts';

const db = setUpDatabase();

describe.runIf(onCluster)('on a cluster', () => {
  it('all who change the same row of a copied table do so', async () => {
    await db.pool.query("insert into users (username, email, password_hash) values ('ann', 'ann@example.test', '')");
    const changes = Array.from({ length: 40 }, () =>
      db.pool.query("update users set phone = '+15125550100' where username = 'ann'"),
    );
    expect((await Promise.allSettled(changes)).filter(({ status }) => status === 'rejected')).toEqual([]);
  });
});
