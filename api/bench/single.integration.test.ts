/** @module-tag long */
import { expect, it } from 'vitest';
import { startThrowAway } from '../lab/throw-away.ts';
import { timeSingles } from './single.ts';

it('announces every pushed listing, with all of its matches and no other', async () => {
  await using db = await startThrowAway();
  const times = await timeSingles(db, 2, { alerts: 2_000, stored: 200, measured: 25, warmUp: 5 });
  expect(times).toMatchObject({ missing: 0, extra: 0 });
  expect(times.listingMs).toHaveLength(25);
  expect(times.emptyCommitsMs).toHaveLength(25);
  expect(times.matches).toBeGreaterThanOrEqual(30);
}, 60_000);
