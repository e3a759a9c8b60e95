import { expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { databaseFault } from './database-fault.ts';
import { inRetriedTransaction } from './retried-transaction.ts';

const db = setUpDatabase();

it('is ended within seconds when its process stops, since readers by cursor wait for it', async () => {
  const shown = await inRetriedTransaction(db.pool, (client) =>
    client.query('show idle_in_transaction_session_timeout'),
  );
  expect(shown.rows).toEqual([{ idle_in_transaction_session_timeout: '4s' }]);
});

it('gets UNAVAILABLE when it was ended so', async () => {
  const late = Object.assign(new Error('terminating connection due to idle-in-transaction timeout'), { code: '25P03' });
  expect(databaseFault(late)).toMatchObject({ code: 'UNAVAILABLE' });
});
