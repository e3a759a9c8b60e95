import { expect, it } from 'vitest';
import { makeRandom } from '../test/matching/match-world.ts';
import { makeKillPlan } from './kill-plan.ts';
import { type Moment, momentAfter, momentBefore, newDoing, noMoments } from './moments/moments.ts';
import type { Life } from './system/part.ts';

const life = (part: string, killedAt?: Moment): Life => ({
  part,
  number: 1,
  pid: 1,
  beganAt: 0,
  report: {
    reached: noMoments(),
    planted: 0,
    ...(killedAt && { killedAt }),
  },
});

it('gives each named moment its fifth, and again what ended otherwise', () => {
  const random = makeRandom(1);
  const plan = makeKillPlan(100, random);
  for (let n = 0; !plan.isDone() && n < 2_000; n++) {
    const part = ['api', 'worker-1', 'worker-2'][n % 3] ?? '';
    const orders = plan.orders(part);
    // Every fourth life ends by something else than it was told to.
    plan.ended(life(part, n % 4 === 0 ? undefined : orders?.moment));
    if (plan.isRandomDue()) plan.nextRandom();
  }
  expect(plan.total()).toBe(100);
  expect(plan.counts.moments).toEqual({
    ...noMoments(),
    'after-commit': 20,
    'mid-match': 20,
    'after-claim': 20,
    'before-record': 20,
  });
  expect(plan.counts.random.database).toBeGreaterThan(3);
  expect(plan.orders('worker-1')).toBeUndefined();
});

it('leaves all kills to the moment at which a defect shows', () => {
  const plan = makeKillPlan(10, makeRandom(1), 0, 'mid-match');
  expect(plan.nextRandom()).toBeUndefined();
  for (let n = 0; n < 200; n++) {
    const part = n % 2 === 0 ? 'api' : 'worker-1';
    plan.ended(life(part, plan.orders(part)?.moment));
  }
  expect(plan.isDone()).toBe(true);
  expect(plan.counts.moments).toMatchObject({ 'mid-match': 10, 'after-claim': 0 });
});

it('knows the moments by the statements and their transaction', () => {
  const doing = newDoing();
  const after = (text: string, { name = '', command = '', rowCount = 1, rows = [] as unknown[] } = {}) =>
    momentAfter({ name, text, values: [] }, { command, rowCount, rows }, doing);
  after('begin');
  expect(after('with n as (select 1) insert into listings (id) select 1')).toBeNull();
  expect(after('commit', { command: 'COMMIT' })).toBe('after-commit');
  after('begin');
  expect(after('insert into matches select 1', { rows: [{ ids: [] }] })).toBeNull();
  expect(after('insert into matches select 1', { rows: [{ ids: [1] }] })).toBe('mid-match');
  expect(after('with mail as (insert into mails …)', { name: 'notify-claim' })).toBeNull();
  expect(after('commit', { command: 'ROLLBACK' })).toBeNull();
  after('begin');
  after('with mail as (insert into mails …)', { name: 'notify-claim' });
  expect(after('commit', { command: 'COMMIT' })).toBe('after-claim');
  const settle = 'update mails m set status = $2, sent_at = now()';
  expect(momentBefore({ name: '', text: settle, values: [['id'], 'sent', null] })).toBe('before-record');
  expect(momentBefore({ name: '', text: settle, values: [['id'], 'failed', null] })).toBeNull();
});
