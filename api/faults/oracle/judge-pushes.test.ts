import { expect, it } from 'vitest';
import { camry, camryAlert } from '../../test/matching/match-rows.ts';
import type { Life } from '../system/part.ts';
import type { AcceptedPush } from '../system/push-provider.ts';
import type { AlertLog, CarLog, Device } from '../world/journal.ts';
import { judgePushes, type PushRow } from './judge-pushes.ts';

const span = (begun: number) => ({ begun, done: begun + 1 });
const OWNER = 'a@example.com';
const alert: AlertLog = { id: 7, owner: OWNER, states: [{ criteria: camryAlert, active: true, span: span(10) }] };
const car: CarLog = { externalId: 'car-1', states: [{ facts: camry, forSale: true, span: span(20) }] };
const device = (path = '/a', over: Partial<Device> = {}): Device => ({
  path,
  owner: OWNER,
  subscribed: span(5),
  ...over,
});
const row: PushRow = { id: 'p', alertId: 7, status: 'sent', claimedAt: 30, cars: ['car-1'] };
const take = (over: Partial<AcceptedPush> = {}): AcceptedPush => ({
  pushId: 'p',
  path: '/a',
  text: '',
  url: 'https://lotwatch.example/alert/7',
  askedAt: 40_000,
  at: 40_001,
  by: 'worker-1/1',
  how: 'accepted',
  ...over,
});
const life = (over: Partial<Life> = {}): Life => ({ part: 'worker-1', number: 1, pid: 1, beganAt: 0, ...over });

interface Given {
  accepted?: AcceptedPush[];
  refused?: Parameters<typeof judgePushes>[2]['refused'];
  rows?: PushRow[];
  devices?: Device[];
  lives?: Life[];
  alerts?: AlertLog[];
  cars?: CarLog[];
}
const judged = ({ alerts = [alert], cars = [car], ...facts }: Given = {}) =>
  judgePushes(alerts, cars, {
    ...{ accepted: [take()], refused: [], rows: [row], devices: [device()], lives: [life()] },
    ...{ outages: [], troubles: [], losses: [] },
    ...facts,
  });
const nothing = { lost: [], doubled: [], again: [], wrong: [], explained: {} };

it('is content with one acceptance by each device', () => {
  const devices = [device(), device('/b')];
  const accepted = [take(), take({ path: '/b' })];
  expect(judged({ devices, accepted })).toEqual({ expected: 2, ...nothing });
});

it('finds a device that did not get a pair, although another one of its owner did', () => {
  expect(judged({ devices: [device(), device('/b')] }).lost).toEqual(['car-1:7 to /b']);
  expect(judged({ accepted: [], rows: [] }).lost).toEqual(['car-1:7 to /a']);
  expect(judged({ accepted: [] }).lost).toContain('message p, recorded as sent, was never accepted');
});

it('requires nothing of a device that was added after the car, or has ended its subscription', () => {
  const devices = [device(), device('/late', { subscribed: span(25) }), device('/gone', { endedAt: 30 })];
  expect(judged({ devices })).toEqual({ expected: 1, ...nothing });
});

it('finds a message that was accepted again although its process lived on', () => {
  const again = [take(), take({ askedAt: 70_000, at: 70_001, by: 'worker-2/1' })];
  expect(judged({ accepted: again }).doubled).toHaveLength(1);
  const later = [life({ how: 'SIGKILL', endedAt: 90_000 })];
  expect(judged({ accepted: again, lives: later }).doubled).toHaveLength(1);
});

it.each<[string, Partial<AcceptedPush>, Partial<Life>]>([
  ['killed before it recorded the first', {}, { how: 'SIGKILL', endedAt: 40_050 }],
  ['shut down while it waited for the answer', {}, { stoppedAt: 40_000, endedAt: 40_100, how: 'exit 0' }],
  ['cut off by the push service', { how: 'reset after accepting' }, {}],
])('accepts a repetition whose first process was %s, and counts it', (_why, first, process) => {
  const accepted = [take(first), take({ askedAt: 70_000, at: 70_001, by: 'worker-2/1' })];
  const verdict = judged({ accepted, lives: [life(process)] });
  expect(verdict).toMatchObject({ ...nothing, explained: expect.anything() });
  expect(Object.values(verdict.explained)).toEqual([1]);
});

it('finds a pair in two messages, and a message whose cars are in another one', () => {
  const rows = [row, { ...row, id: 'q' }];
  const accepted = [take(), take({ pushId: 'q' })];
  expect(judged({ rows, accepted }).doubled).toEqual(['car-1:7: in messages p, q']);
  expect(judged({ rows: [row, { ...row, id: 'q', cars: [] }], accepted }).doubled).toEqual([
    'message q was accepted, and its cars are in another one too',
  ]);
});

it('finds a device that was told again after it was known to be gone', () => {
  const gone = (askedAt: number, by = 'worker-1/1') => ({ path: '/g', askedAt, at: askedAt, by });
  expect(judged({ refused: [gone(40_000), gone(54_900)] }).again).toEqual([]);
  const often = [gone(40_000), gone(48_000), gone(56_000), gone(64_000)];
  expect(judged({ refused: often }).again).toHaveLength(1);
  const refused = [gone(40_000), gone(55_100)];
  expect(judged({ refused }).again).toHaveLength(1);
  expect(judged({ refused, lives: [life({ how: 'SIGKILL', endedAt: 40_020 })] }).again).toEqual([]);
});

it('finds a message to the device of another user, to another page, and of a pair that never fitted', () => {
  expect(judged({ devices: [device('/a', { owner: 'b@example.com' })] }).wrong).toEqual([
    `message p of ${OWNER} went to /a`,
  ]);
  expect(judged({ accepted: [take({ url: 'https://lotwatch.example/alert/8' })] }).wrong).toHaveLength(1);
  const dear = { ...car, states: car.states.map((state) => ({ ...state, facts: { ...camry, price: 90_000 } })) };
  expect(judged({ cars: [dear] }).wrong).toEqual(['car-1:7 was pushed']);
});
