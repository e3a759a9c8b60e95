import { afterAll, beforeAll, expect, it } from 'vitest';
import { setUpDatabase } from '../../database.ts';
import { Describer } from './describe-statement.ts';

const db = setUpDatabase();
let describer: Describer;
beforeAll(async () => {
  describer = await Describer.open(db.url);
});
afterAll(() => describer?.close());

const found = async (text: string) => (await describer.describe(text)).unboundUsers;

it.each([
  ['no user', 'select price from matches where alert_id = $1'],
  [
    'no user, for several',
    'with gone as (delete from matches where alert_id = any($1) returning price) select from gone',
  ],
  ['no user, for rows of a query', 'select price from matches where alert_id in (select id from alerts)'],
  [
    'the user of another row alone',
    'select from matches m where m.alert_id = $1 and exists (select from users u where u.id = m.user_id)',
  ],
  ['a user who is joined alone', 'select u.id from matches m join users u on u.id = m.user_id where m.alert_id = $1'],
  ["the alert's user", 'select from alerts a join matches m on m.alert_id = a.id where a.user_id = $1'],
  [
    "the alert's user, in an update",
    'update matches m set price = 1 from alerts a where a.id = m.alert_id and a.user_id = $1',
  ],
  [
    "an alert's user in a lateral",
    'select from alerts a cross join lateral (select from matches where alert_id = a.id) m where a.user_id = $1',
  ],
  [
    "an alert's user in a subquery",
    'select from alerts a where a.user_id = $1 and exists (select from matches m where m.alert_id = a.id)',
  ],
  ['one of two users', 'select price from matches where alert_id = $1 and (user_id = $2 or price = 3)'],
  ['a user or none', 'select price from matches where alert_id = $1 and ($2::int8 is null or user_id = $2)'],
  ['users beyond one', 'select price from matches where alert_id = $1 and user_id > $2'],
  ['all users but some', 'select price from matches where alert_id = $1 and user_id <> all($2)'],
  ['a user who is all of some', 'select price from matches where alert_id = $1 and user_id = all($2)'],
  ['the user of an outer join', 'select from matches m left join users u on m.user_id = $2 where m.alert_id = $1'],
  ['a user by a column of the same row', 'select from matches m where m.alert_id = $1 and m.user_id = m.listing_id'],
  [
    'a user by name',
    "select from users u join matches m on m.user_id = u.id where u.username = 'a' and m.alert_id = $1",
  ],
])('rows that are asked for with %s are found: %s', async (_, text) => {
  expect(await found(text)).toEqual(['matches']);
});

it('two tables that name the user of each other, whom nothing binds, are found', async () => {
  const both = ['alerts', 'matches'];
  const joined = 'from alerts a join matches m on m.alert_id = a.id and m.user_id = a.user_id';
  expect(await found(`select ${joined} where a.id = $1`)).toEqual(both);
  expect(await found(`select ${joined} where m.alert_id = $1`)).toEqual(both);
  expect(
    await found(`select from alerts a left join matches m using (user_id) where a.id = $1 and m.alert_id = a.id`),
  ).toEqual(both);
  expect(
    await found('select from alerts a join matches m using (user_id) where m.alert_id = any(array[a.id, $1])'),
  ).toEqual(both);
  const inner = 'select from matches m where m.alert_id = a.id and m.user_id = a.user_id';
  expect(await found(`select from alerts a where a.id = $1 and exists (${inner})`)).toEqual(both);
  expect(await found(`select from alerts a cross join lateral (${inner}) m where a.id = $1`)).toEqual(both);
  expect(
    await found(
      `select from (select * from alerts where place = '') a join matches m on m.alert_id = a.id and m.user_id = a.user_id`,
    ),
  ).toEqual(['matches']);
});

it.each([
  'select price from matches where alert_id = $1 and user_id = $2',
  'select price from matches where alert_id = any($1) and user_id = any($2)',
  'select price from matches where (alert_id, user_id) = ($1, $2)',
  'select price from matches where (alert_id = $1 or alert_id = $3) and user_id = $2',
  'select price from matches where alert_id = $1 and user_id = $2 or alert_id is null and user_id = $3',
  'select from matches m join unnest($1::int8[], $2::int8[]) as k (id, user_id) on m.alert_id = k.id and m.user_id = k.user_id',
  'select from json_to_recordset($1) as k (id int8, user_id int8) cross join lateral (select from matches m where m.alert_id = k.id and m.user_id = k.user_id) m',
  'select from alerts a join matches m on m.alert_id = a.id and m.user_id = a.user_id where a.id = $1 and a.user_id = $2',
  'select from alerts a left join matches m on m.alert_id = a.id and m.user_id = a.user_id where a.id = $1 and a.user_id = $2',
  'select from alerts a join matches m using (user_id) where a.id = $1 and m.alert_id = $1 and user_id = $2',
  'select from matches m join users u on u.id = m.user_id where m.alert_id = $1 and u.id = $2',
  'with gone as (delete from alerts where id = $1 and user_id = $2 returning id, user_id) delete from matches m using gone g where m.alert_id = g.id and m.user_id = g.user_id',
  "with due as (select id, user_id from alerts where place = '' limit 1) update matches m set price = 1 from due where m.alert_id = due.id and m.user_id = due.user_id",
  "select from (select id, user_id from alerts where place = '' limit 1) a join matches m on m.alert_id = a.id and m.user_id = a.user_id",
  "delete from matches where (alert_id, user_id) in (select id, user_id from alerts where place = '')",
])('rows that are asked for with their user are not: %s', async (text) => {
  expect(await found(text)).toEqual([]);
});

it.each([
  'select price from matches where listing_id = $1',
  "select from alerts a join matches m on m.alert_id = a.id and m.user_id = a.user_id where a.place = ''",
  "select from alerts a where a.place = '' and exists (select from matches m where m.alert_id = a.id and m.user_id = a.user_id)",
  'select id from alerts where id > $1 order by id limit 500',
  "select from alerts a join matches m on m.alert_id = a.id and m.user_id = a.user_id where a.place = '' and (m.listing_id, m.alert_id) not in (select 1, 2)",
])('a walk of rows of everybody is not: %s', async (text) => {
  expect(await found(text)).toEqual([]);
});
