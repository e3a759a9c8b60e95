import { expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { claimKey } from './idempotency-key.ts';

const db = setUpDatabase();

it('a call with a key may wait for a vendor longer than other transactions may be idle', async () => {
  const shown = await db.orm.em.fork().transactional(async (tx) => {
    await claimKey(tx, { userId: 1, key: 'k', call: 'POST /x', bodyHash: 'h' });
    return tx.execute('show idle_in_transaction_session_timeout');
  });
  expect(shown).toEqual([{ idle_in_transaction_session_timeout: '25s' }]);
});

it('a call with a key that has written nothing yet does not delay readers by cursor', async () => {
  const written = await db.orm.em.fork().transactional(async (tx) => {
    await claimKey(tx, { userId: 1, key: 'k', call: 'POST /x', bodyHash: 'h' });
    return tx.execute('select pg_current_xact_id_if_assigned() as id');
  });
  expect(written).toEqual([{ id: null }]);
});
