import { expect, it } from 'vitest';
import { makeOldDatabase } from '../../test/database.ts';

it('keeps the admin’s earlier actions', async () => {
  const { pool, orm, close } = await makeOldDatabase('028-look-back-times');
  try {
    await pool.query(
      `insert into admin_acts (at, admin_id, act, subject)
       values ('2026-01-02T03:04:05Z', 1, 'approved', 'deletion request DR-7F3K2Q'),
              ('2026-01-03T03:04:05Z', 1, 'changed the notes of', 'deletion request DR-7F3K2Q'),
              ('2026-01-04T03:04:05Z', 1, 'erased', 'user 12'),
              ('2026-01-04T03:04:05Z', 1, 'completed', 'deletion request DR-7F3K2Q')`,
    );
    await orm.migrator.up();
    const { rows } = await pool.query('select at, action, subject, outcome from audit_log order by id');
    expect(rows.map((row) => [row.at.toISOString().slice(0, 10), row.action, row.subject, row.outcome])).toEqual([
      ['2026-01-02', 'deletion-request.update', 'deletion request DR-7F3K2Q', 'approved'],
      ['2026-01-03', 'deletion-request.update', 'deletion request DR-7F3K2Q', 'notes changed'],
      ['2026-01-04', 'deletion-request.execute', 'user 12', 'done'],
      ['2026-01-04', 'deletion-request.execute', 'deletion request DR-7F3K2Q', 'completed'],
    ]);
  } finally {
    await close();
  }
});
