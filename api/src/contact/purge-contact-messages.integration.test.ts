import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../../test/database.ts';
import { purgeContactMails, purgeContactMessages } from './purge-contact-messages.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await makeTestDatabase();
});
afterAll(() => db.close());

it('purges contact messages and their mails after a year, and no other mail', async () => {
  const message = `insert into contact_messages (name, email, subject, message, created_at)
    values ('Ana', 'ana@example.com', $1::text, '', now() - $1::text::interval)`;
  const mail = `insert into mails (kind, to_address, status, created_at) values ($1, $2::text, 'sent', now() - $2::text::interval)`;
  for (const age of ['364 days', '367 days']) {
    await db.pool.query(message, [age]);
    await db.pool.query(mail, ['contact', age]);
    await db.pool.query(mail, ['reset', age]);
  }
  expect(await purgeContactMessages(db.pool)).toMatchObject({ removed: 1 });
  expect(await purgeContactMails(db.pool)).toMatchObject({ removed: 1 });
  expect((await db.pool.query('select subject from contact_messages')).rows).toEqual([{ subject: '364 days' }]);
  expect((await db.pool.query('select kind, to_address from mails order by 1, 2')).rows).toEqual([
    { kind: 'contact', to_address: '364 days' },
    { kind: 'reset', to_address: '364 days' },
    { kind: 'reset', to_address: '367 days' },
  ]);
});
