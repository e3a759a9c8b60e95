import { afterAll, expect, it } from 'vitest';
import { interceptPool } from '../../lab/intercept-statements.ts';
import { setUpDatabase } from '../../test/database.ts';
import { insertUsers } from '../../test/matching/match-rows.ts';
import { matchPendingAlerts } from '../matching/match-alerts.ts';
import { matchPendingListings } from '../matching/match-listings.ts';
import { followChosenLayout } from '../placement/follow-layout.ts';
import { executeDeletion } from '../rights/erase-person.ts';
import { makeEventMaker } from '../webhooks/events/event-maker.ts';
import { makePool, type Pool } from './database.ts';

let pool: Pool;
/** Reads the idle timeout of the session, just before its commit. */
let limits: unknown[];
const db = setUpDatabase(async () => {
  pool = makePool(db.url, 1);
  followChosenLayout(pool);
  interceptPool(pool, async (_client, statement, send) => {
    if (statement.text === 'commit') {
      const { rows } = await send({ name: '', text: 'show idle_in_transaction_session_timeout', values: [] });
      limits.push(rows[0].idle_in_transaction_session_timeout);
    }
    return send(statement);
  });
});
afterAll(async () => {
  await pool.end();
});

it('a stopped process loses a contended lock within seconds', async () => {
  limits = [];
  await matchPendingListings(pool);
  await matchPendingAlerts(pool);
  await makeEventMaker(pool).round();
  const [, userId = 0] = await insertUsers(db.pool, 2);
  await db.pool.query(
    "insert into deletion_requests (request_id, user_id, reason, status) values ('r-1', $1, 'x', 'approved')",
    [userId],
  );
  await executeDeletion({ pool, limits: { keysOf: () => [] } }, { id: 1 }, userId);
  expect(limits).toEqual(['4s', '4s', '4s', '4s']);
});
