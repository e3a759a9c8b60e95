import { expect, it } from 'vitest';
import { interceptPool } from '../../lab/intercept-statements.ts';
import { onCluster, setUpDatabase } from '../../test/database.ts';
import { makePool } from '../base/database.ts';
import { seedPlans } from '../billing/plans.ts';
import { recordSeen } from '../entities/user-activity.ts';
import { exportData } from './export-data.ts';

const db = setUpDatabase(async () => {
  await seedPlans(db.pool);
  await db.pool.query(`
    insert into users (username, password_hash) values ('ana', ''), ('bo', '');
    insert into alerts (user_id, make, location, place, lat, lng, radius)
    select 1 + n % 2, 'toyota', '', '', 34, -118, 50 from generate_series(1, 400) n;
    insert into listings (source, external_id, title, make, facts_hash)
    select 'lot', n::text, 'Car ' || n, 'toyota', '' from generate_series(1, 5000) n;
    insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced)
    select n, a, 1 + a % 2, 1, 3, false from generate_series(1, 5000) n, (values (2), (3)) alerts (a);
    insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced) values (9999, 2, 1, 1, 3, false);
  `);
});

it('holds many rows completely, each once, also in concurrent exports', async () => {
  const [ana, bo] = await Promise.all([exportData(db.pool, { id: 1 }), exportData(db.pool, { id: 2 })]);
  expect([ana.alerts.length, bo.alerts.length]).toEqual([200, 200]);
  const listingIds = (matches: Record<string, unknown>[]) => new Set(matches.map(({ listingId }) => listingId));
  expect([ana.matches.length, listingIds(ana.matches).size]).toEqual([5001, 5001]);
  expect([bo.matches.length, listingIds(bo.matches).size]).toEqual([5000, 5000]);
  expect(ana.matches[0]).toMatchObject({ alertId: 2, listing: { title: 'Car 1' }, viewedAt: null, mailedAt: null });
  expect(ana.matches.at(-1)).toMatchObject({ listingId: 9999, listing: null });
});

it('has the latest time at which its user was seen', async () => {
  await db.pool.query("update users set last_seen_at = '2026-01-01' where id = 1");
  await recordSeen(db.pool, [1]);
  const { profile } = await exportData(db.pool, { id: 1 });
  const { at } = await db.row('select last_seen_at as at from user_activity');
  expect(profile).toMatchObject({ lastSeenAt: at, notificationsReadAt: expect.any(Date) });
});

it('is refused for a deleted account, and does not block the next one', async () => {
  const [gone, bo] = await Promise.allSettled([exportData(db.pool, { id: 99 }), exportData(db.pool, { id: 2 })]);
  expect(gone).toMatchObject({ status: 'rejected', reason: { code: 'UNAUTHENTICATED' } });
  expect(bo.status).toBe('fulfilled');
});

it('refuses more than ten concurrent ones, and admits new ones afterwards', async () => {
  const all = await Promise.allSettled(Array.from({ length: 12 }, () => exportData(db.pool, { id: 99 })));
  const codes = all.map((one) => one.status === 'rejected' && one.reason.code);
  expect(codes).toEqual([...Array(10).fill('UNAUTHENTICATED'), 'RATE_LIMITED', 'RATE_LIMITED']);
  expect((await exportData(db.pool, { id: 2 })).alerts).toHaveLength(200);
});

// Rows leave distributed tables by deletion, and not with a partition.
it.skipIf(onCluster)('is whole where old partitions would be exchanged while it reads', async () => {
  await db.pool.query("select bound_last_partition('matches', 100000)");
  const own = makePool(db.url, 1);
  let outcome = '';
  interceptPool(own, async (_client, statement, send) => {
    if (/from matches/.test(statement.text) && outcome === '') {
      outcome = 'tried';
      await db.pool.query("select begin_leaving('matches', 100000, interval '1000 days')").catch(() => {});
      await db.pool.query("select copy_staying('matches', 100000)");
      outcome = await db.pool.query("set local lock_timeout = 100; select finish_leaving('matches')").then(
        () => 'exchanged',
        () => 'gave way',
      );
    }
    return send(statement);
  });
  try {
    expect((await exportData(own, { id: 1 })).matches).toHaveLength(5001);
    expect(outcome).toBe('gave way');
  } finally {
    await own.end();
  }
  await db.pool.query("select finish_leaving('matches')");
  expect((await exportData(db.pool, { id: 1 })).matches).toHaveLength(5001);
});
