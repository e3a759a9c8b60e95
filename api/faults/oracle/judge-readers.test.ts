import { expect, it } from 'vitest';
import { camry, camryAlert } from '../../test/matching/match-rows.ts';
import type { AlertLog, CarLog } from '../world/journal.ts';
import { judgeCursorReader, judgePages, judgeWebhook, type ReaderFacts } from './judge-readers.ts';

const MINUTE = 60_000;
const alert: AlertLog = {
  id: 7,
  owner: 'a@x',
  states: [{ criteria: camryAlert, active: true, span: { begun: 1, done: 2 } }],
};
const car: CarLog = { externalId: 'car-1', states: [{ facts: camry, forSale: true, span: { begun: 3, done: 4 } }] };
const pair = 'car-1:7';
const facts: ReaderFacts = {
  alerts: [alert],
  cars: [car],
  shown: [pair],
  announced: new Map([[pair, 5]]),
  hiddenAt: new Map(),
  losses: [],
  onItsWayMs: 30_000,
};
const read = (times: number[], more: Partial<ReaderFacts> = {}, restarts: number[] = []) =>
  judgeCursorReader({ name: 'r', restarts, deliveries: times.map((at) => ({ pair, at })) }, { ...facts, ...more });
const none = { lost: [], doubled: [], extra: [] };

it('requires each visible pair once, and again after it was hidden', () => {
  expect(read([5])).toEqual(none);
  expect(read([]).lost).toHaveLength(1);
  expect(read([5], { hiddenAt: new Map([[pair, 6]]) }).lost).toHaveLength(1);
  expect(read([5, 9], { hiddenAt: new Map([[pair, 6]]) }).lost).toEqual([]);
});

it('finds pairs that are received twice without an edit, another price, a loss or a restart between', () => {
  const twice = [10 * MINUTE, 20 * MINUTE];
  expect(read(twice).doubled).toHaveLength(1);
  const span = { begun: 15 * MINUTE, done: 15 * MINUTE };
  const edited = { ...alert, states: [...alert.states, { criteria: camryAlert, active: true, span }] };
  expect(read(twice, { alerts: [edited] })).toEqual(none);
  const repriced = { ...car, states: [...car.states, { facts: camry, forSale: true, span }] };
  expect(read(twice, { cars: [repriced] })).toEqual(none);
  expect(read(twice, { losses: [{ from: 15 * MINUTE, to: 16 * MINUTE }] })).toEqual(none);
  expect(read(twice, {}, [15 * MINUTE])).toEqual(none);
});

it('allows for a pair that was on its way while the alert was edited, for as long as that may take', () => {
  const span = { begun: 9 * MINUTE, done: 9 * MINUTE };
  const edited = { ...alert, states: [...alert.states, { criteria: camryAlert, active: true, span }] };
  const twice = [10 * MINUTE, 20 * MINUTE];
  expect(read(twice, { alerts: [edited] }).doubled).toHaveLength(1);
  expect(read(twice, { alerts: [edited], onItsWayMs: 2 * MINUTE })).toEqual(none);
});

it('finds pairs that belong to another user or never fitted', () => {
  expect(read([5], { alerts: [], shown: [] }).extra).toHaveLength(1);
  const dear = { ...car, states: [{ facts: { ...camry, price: 90_000 }, forSale: true, span: { begun: 3, done: 4 } }] };
  expect(read([5], { cars: [dear] }).extra).toHaveLength(1);
});

it('requires each announced pair of a webhook under one id, however often it came', () => {
  const came = (...ids: string[]) => ids.map((id, n) => ({ id, pair, at: n * MINUTE, accepted: true }));
  const judge = (messages: ReturnType<typeof came>, more: Partial<ReaderFacts> = {}, since = 0) =>
    judgeWebhook({ name: 'w', since, messages }, { ...facts, ...more });
  expect(judge(came('a', 'a'))).toEqual(none);
  expect(judge([]).lost).toHaveLength(1);
  // The webhook was created after the match.
  expect(judge([], {}, 6)).toEqual(none);
  expect(judge(came('a').map((one) => ({ ...one, accepted: false }))).lost).toHaveLength(1);
  expect(judge(came('a', 'b')).doubled).toHaveLength(1);
  expect(judge(came('a', 'b'), { losses: [{ from: 0, to: 1 }] })).toEqual(none);
});

it('requires every visible pair on the pages once', () => {
  expect(judgePages('p', [pair], [pair])).toEqual(none);
  expect(judgePages('p', [], [pair]).lost).toHaveLength(1);
  expect(judgePages('p', [pair, pair], [pair]).doubled).toHaveLength(1);
  expect(judgePages('p', [pair], []).extra).toHaveLength(1);
});
