import { expect, it } from 'vitest';
import { interceptPool } from '../../../lab/intercept-statements.ts';
import { onCluster, setUpDatabase } from '../../../test/database.ts';
import { camryAlert, insertAlerts, insertUsers } from '../../../test/matching/match-rows.ts';
import { partsOf } from '../../../test/matching/old-partitions.ts';
import { inTransaction, makePool } from '../../base/database.ts';
import { partitionSteps } from './partitions.ts';

const db = setUpDatabase();

// Where the tables are distributed, no partition gets an end.
it.skipIf(onCluster)('a partition gets its end later where the change conflicts with what others do', async () => {
  const [userId = 0] = await insertUsers(db.pool);
  const [alert] = await insertAlerts(db.pool, userId, [camryAlert]);
  await db.pool.query(
    `with listed as (
       insert into listings (source, external_id, title, make, facts_hash, status, pending_match, seen_at, last_seen_at)
       select 'lot', n, '', 'toyota', '', 'gone', false, now() - interval '200 days', now() - interval '200 days'
         from generate_series(1, 1000) n returning id)
     insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced, position, matched_at)
     select id, $1, $2, 1, 1, true, id, now() - interval '200 days' from listed`,
    [alert, userId],
  );
  let code = '';
  const pool = makePool(db.url, 1);
  interceptPool(pool, async (_client, statement, send) => {
    if (!statement.text.includes('bound_last_partition')) return send(statement);
    throw Object.assign(new Error('refused'), { code });
  });
  const step = partitionSteps.find(({ name }) => name === 'bounded-matches');
  const parts = { ...partsOf(db), pool };
  const bound = () => inTransaction(db.pool, async (client) => step?.run(client, { after: null, rows: 1 }, parts));
  for (code of ['40001', '40P01', '55P03', '57014']) expect(await bound()).toEqual({ after: null, removed: 0 });
  code = 'XX000';
  await expect(bound()).rejects.toThrow('refused');
  await pool.end();
});
