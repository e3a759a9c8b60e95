import { makePool } from '../../src/base/database.ts';
import { withPrepareLock } from '../../src/launcher/postgres/prepare-database.ts';

/** Holds the lock of the database's preparation until it is killed. */
const [url = '', silentMs = '0'] = process.argv.slice(2);
const pool = makePool(url, 1);
await withPrepareLock(
  pool,
  () => {
    process.send?.('inside');
    return new Promise<never>(() => {});
  },
  Number(silentMs),
);
