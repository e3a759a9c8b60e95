import { beforeEach, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { camry, camryAlert, insertAlerts, insertListings, insertUsers } from '../../test/matching/match-rows.ts';
import { ClaimScan } from '../base/claim-scan.ts';
import { matchPendingListings } from '../matching/match-listings.ts';
import { claimEnqueued, findDueAlerts } from '../notify/channels/email/claim-mails.ts';
import { findDueAlerts as findDueTexts } from '../notify/channels/one-alert.ts';

let userId: number;
let alerts: number[];
const db = setUpDatabase(async () => {
  [userId = 0] = await insertUsers(db.pool);
  alerts = await insertAlerts(db.pool, userId, [camryAlert, camryAlert]);
});
beforeEach(() => db.pool.query('truncate listings, matches, notifications, mails restart identity cascade'));

/** As after slow claims from the beginning of the index, the last of which found this. */
function slowScan<Place>(place: Place): ClaimScan<Place> {
  const scan = new ClaimScan<Place>();
  for (let at = 0; at < 10; at += 1) scan.done(null, 30, place);
  return scan;
}
const rested = (scan: ClaimScan<unknown>) => expect.poll(() => scan.restMs).toBeNull();

it('matches new listings while the whole index is slow, and one that changed behind them a little later', async () => {
  await insertListings(db.pool, [camry, camry, camry]);
  while ((await matchPendingListings(db.pool)) > 0);
  await insertListings(db.pool, [camry]);
  await db.pool.query('update listings set pending_match = true where id = 1');
  const waiting = async () =>
    (await db.rows('select id from listings where pending_match order by id')).map(({ id }) => id);
  const scan = slowScan(3);
  expect(await matchPendingListings(db.pool, 64, scan)).toBe(1);
  expect(await waiting()).toEqual([1]);
  expect(await matchPendingListings(db.pool, 64, scan)).toBe(0);
  await rested(scan);
  expect(await matchPendingListings(db.pool, 64, scan)).toBe(1);
  expect(await waiting()).toEqual([]);
});

it.each([
  ['email', (scan: ClaimScan<string>) => findDueAlerts(db.pool, [], scan)],
  [
    'sms',
    async (scan: ClaimScan<string>) => (await findDueTexts(db.pool, 'sms', [], scan)).map(({ alertId }) => alertId),
  ],
] as const)(
  'finds what became due lately on the channel %s, and what waits for longer after a rest',
  async (channel, find) => {
    const insertDue = (alertId: number | undefined, ago: string) =>
      db.pool.query(
        'insert into notifications (user_id, alert_id, listing_id, channel, due_at) values ($1, $2, 1, $3, now() - $4::interval)',
        [userId, alertId, channel, ago],
      );
    await insertDue(alerts[0], '1 hour');
    await insertDue(alerts[1], '3 seconds');
    const { place } = await db.row("select (now() - interval '5 seconds')::text as place");
    const scan = slowScan(place);
    expect(await find(scan)).toEqual([alerts[1]]);
    await rested(scan);
    expect((await find(scan)).toSorted()).toEqual(alerts.toSorted());
  },
);

it('claims mails that became due lately, and those that a process left behind after a rest', async () => {
  await db.pool.query(
    `insert into mails (kind, to_address, status, next_try_at, claimed_at)
     values ('reset', 'left@example.test', 'sending', now() - interval '1 hour', now() - interval '1 hour'),
            ('reset', 'new@example.test', 'waiting', now(), null)`,
  );
  const { place } = await db.row("select (now() - interval '5 seconds')::text as place");
  const scan = slowScan(place);
  expect(await claimEnqueued(db.pool, 10, 60_000, [], scan)).toMatchObject([{ to: 'new@example.test' }]);
  await rested(scan);
  expect(await claimEnqueued(db.pool, 10, 60_000, [], scan)).toMatchObject([
    { to: 'left@example.test', leftBehind: true },
  ]);
});
