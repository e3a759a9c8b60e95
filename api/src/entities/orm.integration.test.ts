import { expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { DEFAULT_TIME_ZONE } from '../domain/time-zone.ts';
import { Alert } from './alert.ts';
import { matchChannels } from './delivery-channels.ts';
import { makeOrm } from './orm.ts';
import { sqlOf } from './sql-of.ts';
import { User } from './user.ts';

const db = setUpDatabase(async () => {
  await db.pool.query(
    "insert into plans (id, name, description, price, alert_limit, is_popular, features) values (1, 'Free', '', 0, 1, false, '{}')",
  );
});

it('stores a user and an alert and reads them back with numbers as ids', async () => {
  const em = db.orm.em.fork();
  const user = em.create(User, { username: ' Ana ', passwordHash: 'x' });
  await em.flush();
  em.create(Alert, {
    userId: user.id,
    make: 'toyota',
    location: 'la',
    place: 'Los Angeles, CA',
    lat: 34.05,
    lng: -118.24,
    radius: 50,
  });
  await em.flush();
  const alert = await db.orm.em.fork().findOneOrFail(Alert, { userId: user.id });
  expect(alert.id).toBe(1);
  expect(alert.createdAt).toBeInstanceOf(Date);
  expect(alert.expiresAt.getTime() - alert.createdAt.getTime()).toBe(42 * 86_400_000);
  expect(await db.rows('select id, username_key from users')).toEqual([{ id: user.id, username_key: 'ana' }]);
});

it('gives the time zone of a user whose own is not known, in the table as in the entity', async () => {
  const rows = await db.rows("insert into users (username, password_hash) values ('bo', 'x') returning time_zone");
  expect(rows).toEqual([{ time_zone: new User().timeZone }]);
  expect(new User().timeZone).toBe(DEFAULT_TIME_ZONE);
});

it('runs SQL in an entity manager’s transaction, with the same results as the pool', async () => {
  const text = `select $1::int8 as id, now() as at, array[$1::int8] as ids, null::text as "none"`;
  const asked = { text, values: [7] };
  const undone = db.orm.em.fork().transactional(async (tx) => {
    const sql = sqlOf(tx);
    const { rows } = await sql.query('update plans set name = $1 returning id', ['Other']);
    expect(rows).toEqual([{ id: 1 }]);
    expect((await sql.query('update plans set name = $1', ['Third'])).rowCount).toBe(1);
    expect((await sql.query('select name from plans')).rows).toEqual([{ name: 'Third' }]);
    const [ours, pools] = [await sql.query(asked), await db.pool.query(asked)];
    expect(ours.rows).toEqual([{ id: 7, at: expect.any(Date), ids: pools.rows[0]?.ids, none: null }]);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  const { rows } = await sqlOf(db.orm.em.fork()).query('select name from plans');
  expect(rows).toEqual([{ name: 'Free' }]);
});

it('accepts notifications of the channels on which matches are announced, and of no others', async () => {
  const { rows } = await db.pool.query<{ name: string }>(
    `select unnest(regexp_matches(pg_get_constraintdef(oid), '''(\\w+)''', 'g')) as name
       from pg_constraint where conname = 'notifications_channel_check' and conrelid = 'notifications'::regclass`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(matchChannels.map(({ name }) => name).sort());
});

it('has all places of its pool again after connections were lost in transactions', async () => {
  const places = 2;
  const orm = await makeOrm(db.url, places);
  const lose = async (em: typeof orm.em) => {
    const { rows } = await sqlOf(em).query<{ pid: number }>('select pg_backend_pid() as pid');
    await db.pool.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
  };
  try {
    for (let lost = 0; lost <= places; lost++) {
      const beforeAStatement = orm.em.fork().transactional(async (tx) => {
        await lose(tx);
        await sqlOf(tx).query('select 1');
      });
      await expect(beforeAStatement).rejects.toThrow(/terminat|connection/i);
      await expect(orm.em.fork().transactional(lose)).rejects.toThrow(/terminat|connection/i);
    }
    const both = Array.from({ length: places }, () =>
      orm.em.fork().transactional((tx) => sqlOf(tx).query('select pg_sleep(0.1)')),
    );
    expect(await Promise.all(both)).toHaveLength(places);
  } finally {
    await orm.close();
  }
});
