import { beforeEach, expect, it } from 'vitest';
import { setUpDatabase } from '../../../test/database.ts';
import { purge } from '../../../test/until-done.ts';
import { makeRateLimits } from '../../http/limits/rate-limits.ts';
import { retention, retentionSteps } from './retention.ts';

const db = setUpDatabase();
beforeEach(() => db.pool.query('truncate rate_limits, source_hours, source_lags, idempotency_keys'));

const select = (sql: string) => db.rows(sql);

it('deletes counts of attempts when their window has ended, and keeps all others', async () => {
  const logins = { loginsPerAccount: 1, loginsPerAccountEverywhere: 1, loginsPerAddress: 1 };
  const limits = makeRateLimits(db.pool, {
    on: true,
    requestsPerUser: 1,
    keyRequestsPerHour: 1,
    keyRequestsAtOnce: 1,
    ...logins,
    registrationsPerAddress: 1,
  });
  await limits.registration('192.0.2.1');
  await limits.registration('192.0.2.2');
  await db.pool.query("update rate_limits set expire = expire - 3600000 - 61000 where key like '%192.0.2.1'");
  expect(await purge(db.pool, 'rate-limits')).toMatchObject({ removed: 1 });
  await limits.registration('192.0.2.1');
  await expect(limits.registration('192.0.2.2')).rejects.toThrow('Too many tries');
});

it('deletes all of many rows in batches, by an index', async () => {
  await db.pool.query(
    `insert into rate_limits select 'k' || n, 1, extract(epoch from now()) * 1000 + case when n <= 7 then -70000 else 0 end
       from generate_series(1, 9) n`,
  );
  expect(await purge(db.pool, 'rate-limits', 3)).toEqual({ removed: 7, batches: 3 });
  expect(await select('select key from rate_limits order by key')).toEqual([{ key: 'k8' }, { key: 'k9' }]);
});

it('reads a few pages in each batch where the table has no suitable index', async () => {
  await db.pool.query(
    `insert into source_hours (source, hour)
     select 'a source with a name of fifty letters or something' || n, now() - n % 2 * interval '4 days'
       from generate_series(1, 3000) n`,
  );
  const step = retentionSteps.find(({ name }) => name === 'source-hours');
  const first = await step?.run(db.pool, { after: null, rows: 200 }, { keptDays: { matches: 120, messages: 120 } });
  expect(first?.after).toBe('4');
  expect(first?.removed).toBeGreaterThan(0);
  expect(first?.removed).toBeLessThan(600);
  const { removed } = await purge(db.pool, 'source-hours', 200);
  expect(removed + (first?.removed ?? 0)).toBe(1_500);
});

it('deletes contact messages and their mails after a year, and no other mail', async () => {
  const message = `insert into contact_messages (name, email, subject, message, created_at)
    values ('Ana', 'ana@example.com', $1::text, '', now() - $1::text::interval)`;
  const mail = `insert into mails (kind, user_id, to_address, status, created_at) values ($1, 0, $2::text, 'sent', now() - $2::text::interval)`;
  for (const age of ['364 days', '367 days']) {
    await db.pool.query(message, [age]);
    await db.pool.query(mail, ['contact', age]);
    await db.pool.query(mail, ['reset', age]);
  }
  expect(await purge(db.pool, 'contact-messages')).toMatchObject({ removed: 1 });
  expect(await purge(db.pool, 'contact-mails')).toMatchObject({ removed: 1 });
  expect(await select('select subject from contact_messages')).toEqual([{ subject: '364 days' }]);
  expect(await select('select kind, to_address from mails order by 1, 2')).toEqual([
    { kind: 'contact', to_address: '364 days' },
    { kind: 'reset', to_address: '364 days' },
    { kind: 'reset', to_address: '367 days' },
  ]);
});

it('deletes mails and texts when their time is over, but none that may still leave, nor what tells whose number stopped texts', async () => {
  await db.pool.query('truncate mails, texts, text_stops cascade');
  for (const status of ['sent', 'failed', 'waiting'])
    for (const age of [119, 121])
      await db.pool.query(
        `insert into mails (kind, user_id, to_address, status, created_at) values ('match', 0, $1 || $2::text, $1, now() - $2::int4 * interval '1 day')`,
        [status, age],
      );
  for (const [phone, status] of [
    ['+15125550100', 'sent'],
    ['+15125550101', 'sending'],
    ['+15125550102', 'sent'],
  ])
    await db.pool.query(
      `insert into texts (id, kind, user_id, to_phone, status, created_at)
       values (gen_random_uuid(), 'match', 1, $1, $2, now() - interval '121 days')`,
      [phone, status],
    );
  await db.pool.query("insert into text_stops (phone) values ('+15125550102')");
  expect(await purge(db.pool, 'old-mails')).toMatchObject({ removed: 2 });
  expect(await purge(db.pool, 'old-texts')).toMatchObject({ removed: 1 });
  expect(await select('select to_address from mails order by 1')).toEqual([
    { to_address: 'failed119' },
    { to_address: 'sent119' },
    { to_address: 'waiting119' },
    { to_address: 'waiting121' },
  ]);
  expect(await select('select to_phone from texts order by 1')).toEqual([
    { to_phone: '+15125550101' },
    { to_phone: '+15125550102' },
  ]);
  await db.pool.query('truncate mails, texts, text_stops cascade');
});

it('deletes hourly counts and lags of sources when no page shows them any more', async () => {
  await db.pool.query(
    `insert into source_hours (source, hour) values ('lot', now() - interval '73 hours'), ('yard', now())`,
  );
  await db.pool.query(
    `insert into source_lags (source, hour, bucket, listings)
     values ('lot', now() - interval '73 hours', 1, 1), ('yard', now(), 1, 1)`,
  );
  await purge(db.pool, 'source-hours');
  await purge(db.pool, 'source-lags');
  expect(await select('select source from source_hours')).toEqual([{ source: 'yard' }]);
  expect(await select('select source from source_lags')).toEqual([{ source: 'yard' }]);
});

it('deletes locks of users that a killed process did not release', async () => {
  await db.pool.query(
    `insert into billing_leases (user_id, token, until)
     values (1, gen_random_uuid(), now() - interval '2 hours'), (2, gen_random_uuid(), now())`,
  );
  await purge(db.pool, 'billing-leases');
  expect(await select('select user_id from billing_leases')).toEqual([{ user_id: 2 }]);
});

it('finds rows by an index wherever the table of retention names its column', async () => {
  const rows = await db.rows(
    `select i.indrelid::regclass::text as table, a.attname as column
       from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]`,
  );
  const indexed = rows.map(({ table, column }) => `${table} ${column}`);
  const named = retention.flatMap(({ table, orderBy }) => (orderBy ? [`${table} ${orderBy}`] : []));
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((one) => !indexed.includes(one))).toEqual([]);
});
