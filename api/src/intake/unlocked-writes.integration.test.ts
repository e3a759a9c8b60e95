import { beforeEach, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { lockCopies } from '../../test/everywhere.ts';
import { buildFacts, storePage } from '../../test/factories.ts';
import { inTransaction } from '../base/database.ts';
import { storePhotoHash } from './photo-candidates.ts';
import { retireAbsent } from './retire-listings.ts';

/* Who writes a listing that no statement has locked waits for another writer of it, and that one never waits for it. */

const db = setUpDatabase();
const car = buildFacts();
let id: number;
beforeEach(async () => {
  await db.pool.query('truncate listings, listings_to_match, price_changes');
  const { results } = await storePage(db.pool, 'lot', [car]);
  id = results[0]?.listingId ?? 0;
  await db.pool.query('update listings set missed_reads = 1');
});

it.each([
  ['the hash of a photo', () => storePhotoHash(db.pool, id, new Uint8Array([1])), { isHashed: true, missed: 1 }],
  [
    'the end of a count of missing reads',
    () => retireAbsent(db.pool, 'lot', new Set([car.externalId])),
    { isHashed: false, missed: 0 },
  ],
])('%s is written beside a change of the listing', async (_what, write, written) => {
  let writing: Promise<unknown> | undefined;
  await inTransaction(db.pool, async (client) => {
    await lockCopies(client, 'select from listings where id = $1 for update', [id]);
    writing = write();
    await expect.poll(() => db.lockWaits()).toBe(1);
    await client.query('update listings set price = 5 where id = $1', [id]);
  });
  await writing;
  expect(
    await db.row('select price, photo_hash is not null as "isHashed", missed_reads as missed from listings'),
  ).toEqual({ price: 5, ...written });
});
