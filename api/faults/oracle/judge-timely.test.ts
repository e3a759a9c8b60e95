import { expect, it } from 'vitest';
import { camryAlert } from '../../test/matching/match-rows.ts';
import type { TakenMail } from '../provider/provider.ts';
import type { AlertLog, AlertState } from '../world/journal.ts';
import { judgeTimely, type TimelyMail } from './judge-mails.ts';

const state = (begun: number, active: boolean): AlertState => ({
  criteria: camryAlert,
  active,
  span: { begun, done: begun + 1 },
});
const ended = state(10, false);
const alert: AlertLog = { id: 7, owner: 'a@x', states: [state(1, true), ended], ends: [ended.span] };
const mail = (over: Partial<TimelyMail> = {}): TimelyMail => ({
  ...{ id: 'm1', kind: 'expired', alertId: 7, status: 'sent', createdAt: 12 },
  ...over,
});
const takenOf = (mails: readonly TimelyMail[]): TakenMail[] =>
  mails.map(({ id, createdAt }) => ({
    ...{ mailId: id, to: 'a@x', text: '', askedAt: createdAt, at: createdAt, by: 'worker-1/1', how: 'taken' as const },
  }));
const judge = (mails: readonly TimelyMail[], taken = takenOf(mails), alerts = [alert]) =>
  judgeTimely(alerts, mails, taken, { lives: [], outages: [], troubles: [], losses: [] });

it('wants one mail for each end of an alert', () => {
  expect(judge([mail()])).toEqual({ expected: 1, lost: [], doubled: [], explained: [] });
  expect(judge([]).lost).toHaveLength(1);
  expect(judge([mail(), mail({ id: 'm2', createdAt: 13 })]).doubled).toHaveLength(1);
  expect(judge([mail({ createdAt: 5 })]).doubled).toHaveLength(1);
  expect(judge([mail()], [...takenOf([mail()]), ...takenOf([mail()])]).doubled).toHaveLength(1);
  expect(judge([mail()], []).lost).toHaveLength(1);
});

it('does not want a mail for an end that was renewed before it was told, and takes one for each', () => {
  const again = state(30, false);
  const renewed = { ...alert, states: [...alert.states, state(20, true)] };
  expect(judge([], [], [renewed])).toMatchObject({ expected: 0, lost: [] });
  const twice = { ...renewed, states: [...renewed.states, again], ends: [ended.span, again.span] };
  const both = [mail(), mail({ id: 'm2', createdAt: 31 })];
  expect(judge(both, takenOf(both), [twice])).toMatchObject({ lost: [], doubled: [] });
});
