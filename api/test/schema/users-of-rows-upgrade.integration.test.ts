import { afterAll, beforeAll, expect, it } from 'vitest';
import { NOBODY } from '../../src/domain/mail-kinds.ts';
import { makeOldDatabase, type TestDatabase } from '../database.ts';
import { insertAlert, insertPlan, insertUser } from '../mail/mail-fixtures.ts';

const DELETED = 987_654;

let db: TestDatabase;
let owner = 0;
let alertId = 0;
let mails: string[] = [];
beforeAll(async () => {
  db = await makeOldDatabase('106-throttles-by-statements');
  await insertPlan(db.pool);
  owner = await insertUser(db.pool);
  alertId = await insertAlert(db.pool, owner);
  const sent = await db.rows(
    `insert into mails (kind, user_id, to_address) values ('match', $1, 'a@example.com'), ('contact', $2, 'b@example.com')
     returning id`,
    [owner, NOBODY],
  );
  mails = sent.map(({ id }) => id);
  await writeAsBefore('old');
  await db.orm.migrator.up();
  await writeAsBefore('beside');
});
afterAll(() => db.close());

/** As the version before writes these rows. */
async function writeAsBefore(tag: string): Promise<void> {
  await db.pool.query('insert into alerts_to_trim (alert_id) values ($1), ($2)', [alertId, DELETED]);
  const event =
    "insert into mail_events (id, mail_id, kind, at) values ($1, $2, 'delivered', now()) on conflict do nothing";
  for (const [at, mail] of mails.entries()) {
    await db.pool.query(event, [`${tag}-${at}`, mail]);
    await db.pool.query(event, [`${tag}-${at}`, mail]);
  }
  await db.pool.query(
    `insert into lost_messages (restore_id, channel, kind, status, user_id, sent_at)
     values (1, 'email', 'match', 'sent', $1, now()), (1, 'email', 'contact', 'sent', null, now())`,
    [owner],
  );
}

it('gives notes of alerts their user; who would only note a deleted alert notes nothing', async () => {
  const notes = 'select alert_id as id, user_id as owner from alerts_to_trim order by id';
  expect(await db.rows(notes)).toEqual([
    { id: alertId, owner },
    { id: alertId, owner },
    { id: DELETED, owner: NOBODY },
  ]);
});

it('gives what the vendor reports of mails the user of the mail, and keeps each report once', async () => {
  expect(await db.rows('select id, user_id as owner from mail_events order by id')).toEqual([
    { id: 'beside-0', owner },
    { id: 'beside-1', owner: NOBODY },
    { id: 'old-0', owner },
    { id: 'old-1', owner: NOBODY },
  ]);
});

it('gives what a restored database has lost of nobody the user 0', async () => {
  const lost = 'select kind, user_id as owner, count(*)::int4 from lost_messages group by 1, 2 order by 1';
  expect(await db.rows(lost)).toEqual([
    { kind: 'contact', owner: NOBODY, count: 2 },
    { kind: 'match', owner, count: 2 },
  ]);
});

it('is undone and done again', async () => {
  await db.orm.migrator.down({ to: '106-throttles-by-statements' });
  await writeAsBefore('again');
  await db.orm.migrator.up();
  expect(await db.rows('select from mail_events where user_id is null')).toEqual([]);
  expect(await db.rows("select from mail_events where id like 'again-%'")).toHaveLength(2);
});
