import { describe, expect, it } from 'vitest';
import { camry, camryAlert } from '../../test/matching/match-rows.ts';
import type { Life } from '../system/part.ts';
import type { AcceptedMail } from '../system/providers.ts';
import type { AlertLog, AlertState, CarLog, CarState } from '../world/journal.ts';
import { judgeMails, judgeTimely, type MailFacts, type TimelyMail } from './judge-mails.ts';
import { judgeMatches } from './judge-matches.ts';

const span = (begun: number, done = begun + 1) => ({ begun, done });

const alert = (over: Partial<AlertLog> = {}): AlertLog => ({
  id: 7,
  owner: 'a@example.com',
  states: [{ criteria: camryAlert, active: true, span: span(10) }],
  ...over,
});
const state = (begun: number, over: Partial<CarState> = {}): CarState => ({
  facts: camry,
  forSale: true,
  span: span(begun),
  ...over,
});
const car = (...states: CarState[]): CarLog => ({
  externalId: 'car-1',
  states: states.length > 0 ? states : [state(20)],
});
const shown = { car: 'car-1', alertId: 7, shown: true };

it('reports a pair that is missing, and one that is hidden', () => {
  expect(judgeMatches([alert()], [car()], [shown])).toMatchObject({ expected: 1, missing: [], extra: [], doubled: [] });
  expect(judgeMatches([alert()], [car()], []).missing).toEqual(['car-1:7']);
  expect(judgeMatches([alert()], [car()], [{ ...shown, shown: false }]).missing).toHaveLength(1);
});

it('requires a pair that was certainly found before the car was sold, and none that may not have been', () => {
  const searched = car(state(20, { searchedBy: 30 }), state(40, { forSale: false }));
  expect(judgeMatches([alert()], [searched], []).missing).toEqual(['car-1:7']);
  const unsure = car(state(20), state(40, { forSale: false }));
  expect(judgeMatches([alert()], [unsure], [])).toMatchObject({ expected: 0, missing: [] });
});

it('finds a pair that never fitted, one that no longer fits, and one that is there twice', () => {
  const dear = car(state(20, { facts: { ...camry, price: 90_000 } }));
  expect(judgeMatches([alert()], [dear], [shown]).extra).toEqual(['car-1:7, which never fitted']);
  const dearer = car(state(20), state(40, { facts: { ...camry, price: 90_000 } }));
  expect(judgeMatches([alert()], [dearer], [shown]).extra).toEqual(['car-1:7, which no longer fits']);
  expect(judgeMatches([alert()], [car()], [shown, shown]).doubled).toEqual(['car-1:7']);
});

it('finds a pair whose fitting states were never in force at the same time', () => {
  const off = alert({
    states: [
      { criteria: camryAlert, active: true, span: span(1) },
      { criteria: camryAlert, active: false, span: span(5) },
    ],
  });
  expect(judgeMatches([off], [car()], [shown]).extra).toHaveLength(1);
});

const mail = (over: Partial<AcceptedMail> = {}): AcceptedMail => ({
  mailId: 'm1',
  to: 'a@example.com',
  text: 'A car\n$10,000\nView on Marketplace: https://cars.faults.example/car-1\n\nfoot',
  askedAt: 50,
  at: 60,
  by: 'worker-1/1',
  how: 'accepted',
  ...over,
});
const mailFacts = (over: Partial<MailFacts> = {}): MailFacts => ({
  accepted: [mail()],
  rows: [{ id: 'm1', alertId: 7, claimedAt: null, status: 'sent', cars: ['car-1'] }],
  lives: [],
  outages: [],
  troubles: [],
  losses: [],
  ...over,
});
const death: Life = { part: 'worker-1', number: 1, pid: 1, beganAt: 0, endedAt: 65, how: 'SIGKILL' };
const twice = [mail(), mail({ askedAt: 70, at: 80, by: 'worker-2/1' })];

it('finds pairs that were not mailed, mailed again, or mailed to another user', () => {
  const none = { expected: 1, lost: [], doubled: [], explained: [], wrong: [] };
  expect(judgeMails([alert()], [car()], mailFacts())).toEqual(none);
  expect(judgeMails([alert()], [car()], mailFacts({ accepted: [], rows: [] })).lost).toEqual(['car-1:7']);
  const rows = ['m1', 'm2'].map((id) => ({ id, alertId: 7, claimedAt: null, status: 'sent', cars: ['car-1'] }));
  const other = mailFacts({ rows, accepted: [mail(), mail({ mailId: 'm2' })] });
  expect(judgeMails([alert()], [car()], other).doubled).toHaveLength(1);
  expect(judgeMails([alert()], [car()], mailFacts({ accepted: [mail({ to: 'b@example.com' })] })).wrong).toHaveLength(
    1,
  );
});

it('excuses a mail that was delivered again only where its record was lost', () => {
  const judged = (over: Partial<MailFacts>) => judgeMails([alert()], [car()], mailFacts({ accepted: twice, ...over }));
  expect(judged({})).toMatchObject({ doubled: [expect.any(String)], explained: [] });
  expect(judged({ lives: [death] })).toMatchObject({ doubled: [], explained: [{ mail: 'm1', times: 2 }] });
  expect(judged({ lives: [{ ...death, endedAt: 45 }] }).doubled).toHaveLength(1);
  expect(judged({ lives: [{ ...death, how: 'exit 0' }] }).doubled).toHaveLength(1);
  const paused = { part: 'worker-1', what: 'paused' as const, from: 58, to: 75 };
  expect(judged({ troubles: [paused] }).explained).toHaveLength(1);
  expect(judged({ troubles: [{ ...paused, part: 'worker-2' }] }).doubled).toHaveLength(1);
  expect(judged({ losses: [{ from: 40, to: 65 }] }).explained).toHaveLength(1);
  const outbox = twice.map((one) => ({ ...one, by: 'outbox' }));
  expect(judged({ accepted: outbox, lives: [death], troubles: [paused] }).doubled).toHaveLength(1);
});

it('requires the last price of a car whose price fell', () => {
  const fallen = car(state(20), state(40, { facts: { ...camry, price: 8_800 } }));
  expect(judgeMails([alert()], [fallen], mailFacts()).lost).toEqual(['car-1:7: the drop of its price']);
  const text = mail().text.replace('$10,000', '$8,800 (price drop from $10,000)');
  expect(judgeMails([alert()], [fallen], mailFacts({ accepted: [mail({ text })] })).lost).toEqual([]);
});

it('finds a mail about a match of a backfill', () => {
  const later = alert({ states: [{ criteria: camryAlert, active: true, span: span(100) }] });
  const before = car(state(20, { searchedBy: 30 }));
  expect(judgeMails([later], [before], mailFacts()).wrong).toEqual(['car-1:7 was mailed']);
});

describe('mails about the end of an alert', () => {
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
  const acceptedOf = (mails: readonly TimelyMail[]): AcceptedMail[] =>
    mails.map(({ id, createdAt }) => ({
      ...{
        mailId: id,
        to: 'a@x',
        text: '',
        askedAt: createdAt,
        at: createdAt,
        by: 'worker-1/1',
        how: 'accepted' as const,
      },
    }));
  const judge = (mails: readonly TimelyMail[], accepted = acceptedOf(mails), alerts = [alert]) =>
    judgeTimely(alerts, mails, accepted, { lives: [], outages: [], troubles: [], losses: [] });

  it('requires one mail for each end of an alert', () => {
    expect(judge([mail()])).toEqual({ expected: 1, lost: [], doubled: [], explained: [] });
    expect(judge([]).lost).toHaveLength(1);
    expect(judge([mail(), mail({ id: 'm2', createdAt: 13 })]).doubled).toHaveLength(1);
    expect(judge([mail({ createdAt: 5 })]).doubled).toHaveLength(1);
    expect(judge([mail()], [...acceptedOf([mail()]), ...acceptedOf([mail()])]).doubled).toHaveLength(1);
    expect(judge([mail()], []).lost).toHaveLength(1);
  });

  it('requires no mail for an end that was renewed before, and accepts one for each', () => {
    const again = state(30, false);
    const renewed = { ...alert, states: [...alert.states, state(20, true)] };
    expect(judge([], [], [renewed])).toMatchObject({ expected: 0, lost: [] });
    const twice = { ...renewed, states: [...renewed.states, again], ends: [ended.span, again.span] };
    const both = [mail(), mail({ id: 'm2', createdAt: 31 })];
    expect(judge(both, acceptedOf(both), [twice])).toMatchObject({ lost: [], doubled: [] });
  });
});
