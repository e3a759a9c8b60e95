import { once } from 'node:events';
import { makePool } from '../../src/base/database.ts';
import { makeUserLock } from '../../src/billing/user-lock.ts';

/** Acquires a user's lock, writes when it gets a message, and reports the outcome. */
const [url = '', userId = '0', leaseMs = '0'] = process.argv.slice(2);
const pool = makePool(url, 2);
const withUserLock = makeUserLock(pool, { leaseMs: Number(leaseMs), waitMs: 1_000 });
const outcome = await withUserLock(Number(userId), async (lease) => {
  process.send?.('inside');
  await once(process, 'message');
  await lease.query("insert into written values ('who was stopped')");
  return 'written';
}).catch((error: Error) => error.constructor.name);
process.send?.(outcome);
await pool.end();
process.disconnect();
