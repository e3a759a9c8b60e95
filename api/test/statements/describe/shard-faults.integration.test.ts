import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpDatabase } from '../../database.ts';
import { makeCitusStubs } from '../citus-stubs.ts';
import { Describer } from './describe-statement.ts';
import { renamingFaults, shardFaults } from './shard-faults.ts';

const db = setUpDatabase(() => makeCitusStubs(db));
let describer: Describer;
beforeAll(async () => {
  describer = await Describer.open(db.url);
});
afterAll(() => describer?.close());

const at = (place: number) => (values: readonly unknown[]) => [values[place - 1]].flat() as number[];

describe('what is said of a statement on shards', () => {
  const found = async (text: string, listed: Parameters<typeof shardFaults>[3]) =>
    shardFaults('one', text, await describer.describe(text), listed);
  const update = 'update alerts set is_active = false where id = any ($1::int8[]) and user_id = any ($2::int8[])';
  const read = 'select id, created_at as "createdAt" from alerts where user_id = $1';
  const insert =
    'insert into alerts_to_trim (alert_id, user_id) select * from unnest($1::int8[], $2::int8[]) k (id, user_id)';

  const insertOne = 'insert into alerts_to_trim (alert_id, user_id) values ($1, $2)';

  it.each([
    ['users by a parameter', update, { changes: true, users: at(2) }],
    ['times', read, { users: at(1), times: ['createdAt'] }],
    ['copies', 'select l.id from quarantine q join listings l using (external_id) for update', { copies: true }],
    ['rows of lists', insert, { changes: true, users: at(2), split: [1, 2] }],
    ['parts without an answer', `with one as (select 1) ${update}`, { changes: true, users: at(2), silent: true }],
    ['a row that is inserted', insertOne, { changes: true, users: at(2) }],
    ['servers of users', 'select match_position() where $1::int8[] is not null', { changes: true, users: at(1) }],
    ['a limit', `${read} limit $2`, { users: at(1), times: ['createdAt'], limit: 2 }],
    ['locks', `${read} for update`, { users: at(1), times: ['createdAt'], changes: true }],
  ])('is true of %s', async (_, text, listed) => {
    expect(await found(text, listed)).toEqual([]);
  });

  it.each([
    ['another parameter', update, { changes: true, users: at(1) }, 'its users are in $1, which it compares with none'],
    ['another value', insertOne, { changes: true, users: at(1) }, 'its users are in $1, which it compares with none'],
    ['a parameter that it lacks', update, { changes: true, users: at(3) }, 'its users are in $3: no parameter'],
    ['a change that it is not', read, { users: at(1), times: ['createdAt'], changes: true }, 'it changes nothing'],
    ['no change', update, { users: at(2) }, 'it changes rows'],
    ['no lock', `${read} for update`, { users: at(1), times: ['createdAt'] }, 'it changes rows'],
    ['a time that it does not answer', read, { users: at(1), times: ['createdAt', 'now'] }, 'it answers no time now'],
    ['no time', read, { users: at(1) }, 'createdAt is a time'],
    ['one value that is split', read, { users: at(1), times: ['createdAt'], split: [1] }, 'it splits $1: bigint'],
    ['users that are left out', insert, { changes: true, users: at(2), split: [1] }, 'it does not split its users'],
    ['silence', update, { changes: true, users: at(2), silent: true }, 'it is not silent'],
    ['an answer', `with one as (select 1) ${update}`, { changes: true, users: at(2) }, 'it is silent'],
    ['no limit', read, { users: at(1), times: ['createdAt'], limit: 1 }, '$1 is no limit'],
    ['no place', update, { changes: true, users: at(2), place: 'place' }, 'it answers no place'],
    ['one copy', 'update listings set price = 1', { copies: true }, 'it changes one copy of listings'],
    ['one of copies', read, { copies: true, times: ['createdAt'] }, 'it names alerts, which lies with its user'],
    ['a table of the coordinator', 'select id from api_keys', {}, 'it names api_keys, which no shard has'],
  ])('is found where it is %s', async (_, text, listed, fault) => {
    expect(await found(text, listed)).toEqual([fault]);
  });
});

describe('the names of tables in a statement', () => {
  const found = async (text: string) => renamingFaults(db, describer, 'one', text, await describer.describe(text));

  it.each([
    'select m.price, alerts.id from alerts left join matches m on m.user_id = alerts.user_id',
    'with one as (select id from pushes) delete from mails using one where mails.id = one.id',
    "insert into texts (id) select gen_random_uuid() on conflict on constraint texts_pkey do update set status = texts.status returning pg_relation_size('texts'::regclass)",
  ])('are found: %s', async (text) => {
    expect(await found(text)).toEqual([]);
  });

  it.each([
    ['after a comma', 'select a.id from alerts a, matches m', 'one: matches is not renamed'],
    ['as a column', 'select 1 as x from alert_cells c where true is distinct from texts', 'one: '],
    [
      'as a part of the statement',
      'with texts as (select id from pushes) delete from mails using texts where mails.id = texts.id',
      'one: has other tables',
    ],
  ])('are not found %s', async (_, text, fault) => {
    expect(await found(text)).toEqual([expect.stringContaining(fault)]);
  });
});
