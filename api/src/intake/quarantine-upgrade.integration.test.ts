import { expect, it } from 'vitest';
import { makeOldDatabase } from '../../test/database.ts';
import { rejected } from '../domain/facts/listing-facts.ts';
import { quarantineRecords } from './quarantine.ts';

it('a quarantine of before goes on: one row a record, cut ones marked, and the same record is counted', async () => {
  const { pool, orm, close } = await makeOldDatabase('001-start');
  try {
    await pool.query(
      `insert into quarantine (source, external_id, code, reason, record, record_hash, times) values
         ('lot', '1', 'BAD_YEAR', 'then', '{"id":1}', 'a', 3), ('lot', '1', 'UNKNOWN_MAKE', 'later', '{"id":1}', 'b', 2),
         ('yard', '1', 'BAD_YEAR', 'then', '{"id":1}', 'a', 1),
         ('lot', '2', 'NOT_A_CAR', 'cut', repeat('x', 8000), 'c', 1), ('lot', '3', 'NOT_A_CAR', 'cut', repeat('x', 8000), 'd', 1)`,
    );
    await orm.migrator.up();
    expect(await quarantineRecords(pool, 'lot', [again('UNKNOWN_MAKE')], { announce: true })).toBe(0);
    const { rows } = await pool.query('select source, code, whole, retryable, times from quarantine order by id');
    expect(rows).toEqual([
      { source: 'lot', code: 'UNKNOWN_MAKE', whole: true, retryable: true, times: 3 },
      { source: 'yard', code: 'BAD_YEAR', whole: true, retryable: true, times: 1 },
      { source: 'lot', code: 'NOT_A_CAR', whole: false, retryable: false, times: 1 },
      { source: 'lot', code: 'NOT_A_CAR', whole: false, retryable: false, times: 1 },
    ]);
  } finally {
    await close();
  }
});

function again(code: 'UNKNOWN_MAKE') {
  const made = rejected('items', '1', code, 'later', '{"id":1}');
  if (!('rejection' in made)) throw new Error('taken');
  return made.rejection;
}
