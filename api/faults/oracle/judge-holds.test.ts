import { expect, it } from 'vitest';
import type { AlertLog } from '../world/journal.ts';
import { judgeHolds } from './judge-holds.ts';

const alert: AlertLog = {
  id: 7,
  owner: 'buyer@example.test',
  states: [],
  holds: [{ by: 'quiet', begun: { begun: 1_000, done: 2_000 }, ended: { begun: 9_000, done: 10_000 } }],
};
const mail = (claimedAt: number | null, status = 'sent', alertId = 7) => ({
  id: `mail-${claimedAt}`,
  alertId,
  status,
  claimedAt,
  cars: [],
});

it.each([
  ['before the rule came into force', 1_500],
  ['within a second of the acknowledgement', 2_900],
  ['once its end was requested', 9_000],
])('accepts a mail that was claimed %s', (_when, claimedAt) => {
  expect(judgeHolds([alert], [mail(claimedAt)], 'mail', new Map()).early).toEqual([]);
});

it('accepts a mail that a claim only recorded, as it had been accepted before', () => {
  expect(judgeHolds([alert], [mail(5_000)], 'mail', new Map([['mail-5000', 1_500]])).early).toEqual([]);
});

it('finds a mail that was claimed while a rule held it, and counts the holds of each rule', () => {
  const { early, holds } = judgeHolds(
    [alert],
    [mail(5_000), mail(6_000, 'dropped'), mail(7_000, 'sent', 8), mail(null)],
    'mail',
    new Map([['mail-5000', 5_001]]),
  );
  expect(early).toEqual(['mail mail-5000 of alert 7 was claimed 3000 ms after quiet held it']);
  expect(holds).toEqual({ quiet: 1, daily: 0, snooze: 0, pause: 0 });
});
