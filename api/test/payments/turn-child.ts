import { once } from 'node:events';
import { makePool } from '../../src/base/database.ts';
import { makeUserTurns } from '../../src/billing/state/user-turns.ts';

/** Takes the turn of a user, writes when it is told to, and says what came of that. */
const [url = '', userId = '0', leaseMs = '0'] = process.argv.slice(2);
const pool = makePool(url, 2);
const turn = makeUserTurns(pool, { leaseMs: Number(leaseMs), waitMs: 1_000 });
const outcome = await turn(Number(userId), async (lease) => {
  process.send?.('inside');
  await once(process, 'message');
  await lease.query("insert into written values ('who was stopped')");
  return 'written';
}).catch((error: Error) => error.constructor.name);
process.send?.(outcome);
await pool.end();
process.disconnect();
