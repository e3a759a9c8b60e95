import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePool } from '../../src/base/database.ts';
import { migrateDatabase } from '../../src/launcher/postgres/migrate.ts';
import { endMigrationsAt, makeOldDatabase, type TestDatabase } from '../database.ts';

const BEFORE = '085-restored-databases';
const ROWS = 5_000;
const WRITERS = 3;
const role = `partition_upgrade_${process.pid}`;

let db: TestDatabase;
beforeAll(async () => {
  db = await makeOldDatabase(BEFORE);
  // The next one changes the key of matches, whose columns this version before names.
  await endMigrationsAt(db, '116-users-in-keys-of-notifications');
  await db.pool.query(
    `create role ${role} login password 'x'; grant select, insert, update, delete on all tables in schema public to ${role}`,
  );
  await db.pool.query(
    `insert into matches (listing_id, alert_id, alert_version, distance_miles, announced, position)
     select n, 1, 1, 1, true, n from generate_series(1, $1::int4) n`,
    [ROWS],
  );
  await db.pool.query(
    `insert into notifications (user_id, alert_id, listing_id, due_at) select 1, 1, n, now() from generate_series(1, $1::int4) n`,
    [ROWS],
  );
  await db.pool.query(
    'create trigger settle_lost before insert on notifications for each row execute function settle_lost_notification()',
  );
});
afterAll(async () => {
  await db.pool.query(`drop owned by ${role}; drop role ${role}`);
  await db.close();
});

const statements = [
  {
    name: 'insert-match',
    text: `insert into matches (listing_id, alert_id, alert_version, distance_miles, announced, position) values ($1, $2, 1, 1, true, 1)
           on conflict (listing_id, alert_id) do update set price = 1`,
  },
  { name: 'update-match', text: 'update matches set price = price + 1 where alert_id = $2 and listing_id = $1' },
  {
    name: 'insert-notification',
    text: 'insert into notifications (user_id, alert_id, listing_id, due_at) values (1, $2, $1, now())',
  },
  {
    name: 'claim-notification',
    text: `update notifications set status = 'sending' where id in (
             select id from notifications where status = 'waiting' and channel = 'email' and alert_id = $2 and listing_id = $1
              order by due_at limit 1 for update skip locked)`,
  },
  {
    name: 'read-pair',
    text: 'select m.price, n.id from matches m join notifications n using (alert_id, listing_id) where listing_id = $1 and alert_id = $2',
  },
];

it('partitions both tables while the version before writes by prepared statements as a role of fewer privileges', async () => {
  const url = new URL(db.url);
  url.username = role;
  url.password = 'x';
  const pool = makePool(url.href, WRITERS);
  let hasEnded = false;
  const written = await Promise.all([
    migrateDatabase(db.url).then(async (names) => {
      // Some more of each statement on the same connections.
      const until = performance.now() + 300;
      await expect.poll(() => performance.now() > until).toBe(true);
      hasEnded = true;
      return names.length;
    }),
    ...Array.from({ length: WRITERS }, async (_, writer) => {
      let at = 0;
      for (; !hasEnded; at += 1)
        for (const { name, text } of statements) await pool.query({ name, text, values: [ROWS + at, 10 + writer] });
      return at;
    }),
  ]);
  await pool.end();
  const sum = written.slice(1).reduce((total, one) => total + one, 0);
  expect(sum).toBeGreaterThan(WRITERS * 10);
  const counts = await db.row(
    `select (select count(*)::int4 from matches) as matches, (select count(*)::int4 from notifications) as notifications,
            (select count(distinct id)::int4 from notifications) as ids,
            (select count(*)::int4 from notifications where status = 'sending') as claimed`,
  );
  expect(counts).toEqual({ matches: ROWS + sum, notifications: ROWS + sum, ids: ROWS + sum, claimed: sum });
  expect(
    await db.rows(
      "select relname, relkind::text as kind from pg_class where relname in ('matches', 'notifications') order by 1",
    ),
  ).toEqual([
    { relname: 'matches', kind: 'p' },
    { relname: 'notifications', kind: 'p' },
  ]);
  expect(
    await db.rows(
      "select tgrelid::regclass::text as on from pg_trigger where tgname = 'settle_lost' and tgparentid = 0",
    ),
  ).toEqual([{ on: 'notifications' }]);
});
