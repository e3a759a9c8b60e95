import { expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { camry, camryAlert, insertAlerts, insertListings, insertUsers } from '../../test/matching/match-rows.ts';
import { matchPendingListings } from './match-listings.ts';

const db = setUpDatabase();

it('keeps a listing pending when the transaction fails, and repeats it without duplicates', async () => {
  const [userId = 0] = await insertUsers(db.pool);
  await insertAlerts(db.pool, userId, [camryAlert]);
  const [id = 0] = await insertListings(db.pool, [camry]);
  await db.pool.query('alter table notifications add constraint broken check (price is null)');
  await expect(matchPendingListings(db.pool)).rejects.toThrow('broken');
  expect(await db.rows('select from matches')).toEqual([]);
  expect(await db.rows('select listing_id as id, is_news from listings_to_match')).toEqual([{ id, is_news: true }]);

  await db.pool.query('alter table notifications drop constraint broken');
  while ((await matchPendingListings(db.pool)) > 0);
  expect(await db.rows('select listing_id from matches')).toEqual([{ listing_id: id }]);
  expect(await db.rows('select listing_id from notifications')).toEqual([{ listing_id: id }]);
});
