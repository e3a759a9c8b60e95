import { afterAll, beforeAll, expect, it } from 'vitest';
import { setUpDatabase } from '../../database.ts';
import { Describer } from './describe-statement.ts';

const db = setUpDatabase();
let describer: Describer;
beforeAll(async () => {
  describer = await Describer.open(db.url);
});
afterAll(() => describer?.close());

it.each([
  ['select price from matches where alert_id = 1', true],
  ['select price from matches where alert_id = 1 and user_id = 2', false],
  ['select price from matches where listing_id = 1', false],
  ['select user_id from alerts a cross join lateral (select from matches where alert_id = a.id) m', true],
  ['select a.id from alerts a join matches m on m.alert_id = a.id where a.user_id = 1', true],
  ['select a.id from alerts a join matches m on m.alert_id = a.id and m.user_id = a.user_id', false],
  ['select a.id from alerts a where exists (select from matches m where m.alert_id = a.id)', true],
  ['update matches m set price = 1 from alerts a where a.id = m.alert_id and a.user_id = 1', true],
  ['with gone as (delete from matches where alert_id = any($1) returning price) select price from gone', true],
  ['select a.id from alerts a join matches m on m.alert_id = a.id and m.user_id = any($1)', false],
  ['select u.id from matches m join users u on u.id = m.user_id where m.alert_id = $1', true],
  ['select u.id from matches m join users u on u.id = m.user_id where m.alert_id = $1 and u.id = $2', false],
])('%s asks for matches without their user: %s', async (text, isFound) => {
  expect((await describer.describe(text)).unnamedUsers.includes('matches')).toBe(isFound);
});
