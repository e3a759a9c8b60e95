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
  ['select max(id) as x from users', true],
  ['select count(*) as x from users', false],
  ['select user_id as x, max(id) from alerts group by 1', false],
  ['select email as x from users where lower(email) = $1', false],
  ['update users set email = null returning email as x', true],
  ['update users set email = lower($1) returning email as x', false],
  ['insert into users (username, password_hash) values ($1, $2) returning email as x', true],
  [`with gone as (delete from mails returning data) select data ->> 'a' as x from gone`, true],
  ['select coalesce(email, username) as x from users union all select null', true],
  ['select coalesce(email, username) as x from users', false],
  ['select (select username from users where id = $1) as x', true],
  ['select (select count(*) from users) as x', false],
  [`select case when email is null then '' end as x from users`, true],
])('in "%s" that null may come: %s', async (text, isNullable) => {
  const { columns } = await describer.describe(text);
  expect(columns[0]).toMatchObject({ name: 'x', isNullable });
});
