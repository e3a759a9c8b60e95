import { makePool } from '../../src/base/database.ts';
import { underPrepareLock } from '../../src/launcher/postgres/prepare-database.ts';

/** Prepares the database until it is killed. */
const [url = '', silentMs = '0'] = process.argv.slice(2);
const pool = makePool(url, 1);
await underPrepareLock(
  pool,
  () => {
    process.send?.('inside');
    return new Promise<never>(() => {});
  },
  Number(silentMs),
);
