import { expect, it } from 'vitest';
import type { Car } from '../world/draw.ts';
import type { CallResult } from './calls.ts';
import { judgeCalls, judgeCars, judgeRecovery } from './judge-rolling.ts';
import { makeMarket } from './market.ts';

const call = (kind: string, begun: number, ended: number, fault: string | null = null): CallResult => ({
  kind,
  begun,
  ended,
  fault,
});

it('only an outage excuses a failure, and its requests are judged by no other figure', () => {
  const results = [
    call('query', 900, 950),
    call('query', 990, 1_010, 'ECONNRESET'),
    call('page', 1_100, 1_110),
    call('query', 1_200, 1_210, '503'),
    call('rest', 1_900, 2_000),
    call('rest', 2_100, 2_200, '503'),
  ];
  const { failed, failedInOutages, kinds } = judgeCalls(results, [{ from: 1_000, to: 2_000 }]);
  expect([failed.map(({ begun }) => begun), failedInOutages]).toEqual([[2_100], 2]);
  expect(kinds.query).toMatchObject({ sent: 3, failed: 0, failedInOutages: 2, p50Ms: 50 });
  expect(kinds.rest).toMatchObject({ sent: 2, failed: 1 });
});

const market = makeMarket(50, 1);
const cars = Array.from({ length: 20 }, (_, at): Car => {
  const car = market.car(at % 2 === 0 ? 'car' : 'polled');
  for (const { span } of car.states) Object.assign(span, { begun: 1_000 + at, done: 1_100 + at });
  return car;
});
const nothing = { lives: [], outages: [], troubles: [], losses: [], mails: [], accepted: [] };
const whole = judgeCars({ ...nothing, alerts: market.alerts, cars, rows: [], deliveries: new Map() });
const pairs = [...whole.expected];
const rowsOf = pairs.map(([, { car, alertId }]) => ({ car: car.externalId, alertId, shown: true }));
const times = new Map(pairs.map(([pair]) => [pair, [5_000]]));

it('each car fits an alert, and what is missing, extra or doubled is found in rows, live and mails', () => {
  expect(new Set(pairs.map(([, { car }]) => car.externalId)).size).toBe(20);
  const judged = judgeCars({ ...nothing, alerts: market.alerts, cars, rows: rowsOf, deliveries: times });
  expect([judged.missing, judged.extra, judged.doubled, judged.lost, judged.twice]).toEqual([[], [], [], [], []]);
  expect(judged.mails.lost).toHaveLength(judged.mails.expected);

  const [first, second] = pairs.map(([pair]) => pair);
  const faulty = judgeCars({
    ...nothing,
    alerts: market.alerts,
    cars,
    rows: [...rowsOf.slice(1), ...rowsOf.slice(-1), { car: 'car-999', alertId: 1, shown: true }],
    deliveries: new Map([...times, [second ?? '', [1, 2]]].filter(([pair]) => pair !== first) as [string, number[]][]),
  });
  expect([faulty.missing, faulty.extra]).toEqual([[first], ['car-999:1']]);
  expect(faulty.doubled).toEqual([pairs.at(-1)?.[0]]);
  expect([faulty.lost, faulty.twice]).toEqual([[first], [second]]);
});

it('a recovery is over when a pushed and a polled car came live and one was mailed', () => {
  const mailedAt = new Map(pairs.map(([pair]) => [pair, 9_000]));
  const [recovery] = judgeRecovery([{ what: 'kill', from: 1_000, to: 2_000 }], {
    expected: whole.expected,
    deliveries: times,
    mailedAt,
  });
  expect(recovery).toMatchObject({ what: 'kill', tookMs: 1_000, recoveryMs: 8_000, latestMs: 4_000 });
});
