import type { Pool } from '../../../api/src/base/database.ts';
import type { Account } from './session.ts';

/** As if all sessions of someone had been given the password so many minutes earlier. */
export async function letMinutesPass(pool: Pick<Pool, 'query'>, { name }: Pick<Account, 'name'>, minutes: number) {
  await pool.query(
    `update session set sess = jsonb_set(sess::jsonb, '{passwordGivenAt}',
       to_jsonb((sess ->> 'passwordGivenAt')::int8 - $2::int8))::json
      where sess ->> 'userId' = (select id::text from users where username = $1)`,
    [name, minutes * 60_000],
  );
}
