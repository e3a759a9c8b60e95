import { expect, it } from 'vitest';
import { summaryOf } from './traced-statements.ts';

it.each([
  ['select 1', 'select'],
  ['\n  select m.id from matches m join alerts a on true', 'select matches'],
  ['insert into "users" ("name") values (\'from bob\')', 'insert users'],
  ["select 'mail from bob' from mails", 'select mails'],
  ["select E'it''s from bob' as x from texts", 'select texts'],
  ['update alerts set name = $1', 'update alerts'],
  ['with due as (select id from mails) update mails set error = null', 'with mails'],
  [
    'with x as (insert into a_b values (1) on conflict do update set c = 1) select from mails for no key update of mails',
    'with a_b',
  ],
  ['with due as (select id from mails) select * from due', 'with mails'],
  ['delete from sessions where id = $1', 'delete sessions'],
  ['/* lock-plan-use */ select id from users where id = $1 for update', 'select users'],
  ['begin; set local enable_seqscan = off', 'begin'],
])('%s is called %s', (text, summary) => {
  expect(summaryOf(text)).toBe(summary);
});
