/** @module-tag plain */
// It explains statements, which on a cluster are texts within calls where they run on shards.
import { beforeAll, expect, it } from 'vitest';
import type { Client } from '../../src/base/database.ts';
import { claimLearned, claimNews, deleteMarks } from '../../src/placement/listing-marks.ts';
import { setUpDatabase } from '../database.ts';
import { rowsReadWithin } from './rows-read.ts';

const db = setUpDatabase();

/** Half of them wait with news, and as many for facts that were read for the first time. */
const WAITING = 20_000;
const LIMIT = 64;

beforeAll(async () => {
  const { pool } = db;
  // As in a new system, before the first analyze.
  for (const table of ['listings', 'listings_to_match'])
    await pool.query(`alter table ${table} set (autovacuum_enabled = false)`);
  await pool.query(
    `insert into listings (source, external_id, title, make, facts_hash, pending_match)
     select 'test', n, '', 'toyota', '', false from generate_series(1, $1::int4) n`,
    [WAITING],
  );
  await pool.query(
    'insert into listings_to_match (listing_id, version, is_news) select id, 0, id % 2 = 0 from listings order by id',
  );
});

type Work = (client: Client) => Promise<unknown>;

it.each<[string, Work]>([
  ['claims news', (client) => claimNews(client, LIMIT, 0)],
  ['claims news from a place on', (client) => claimNews(client, LIMIT, WAITING / 2)],
  ['claims what was read for the first time', (client) => claimLearned(client, LIMIT, 'true')],
  ['deletes marks', async (client) => deleteMarks(client, await claimNews(client, LIMIT, 0))],
])('a search %s by reading few marks and listings, without statistics', async (_what, work) => {
  const read = await rowsReadWithin(db, /listings_to_match/, work);
  expect(read.length).toBeGreaterThan(0);
  expect(read.filter(({ rows }) => rows > LIMIT)).toEqual([]);
});
