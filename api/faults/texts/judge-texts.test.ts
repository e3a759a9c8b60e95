import { expect, it } from 'vitest';
import { camry, camryAlert } from '../../test/matching/match-rows.ts';
import type { AlertLog, CarLog } from '../world/journal.ts';
import { judgeTexts, type TextFacts } from './judge-texts.ts';

const done = { begun: 1, done: 2 };
const alert: AlertLog = { id: 7, owner: 'a@x', states: [{ criteria: camryAlert, active: true, span: done }] };
const car: CarLog = {
  externalId: 'car-1',
  states: [{ facts: camry, forSale: true, span: { begun: 3, done: 4 } }],
};
const row = { id: 't1', alertId: 7, to: '+1', status: 'sent', notifications: 1, alertIsThere: true };
const take = { textId: 't1', to: '+1', at: 5, by: 'worker-1/1', how: 'accepted' as const };
const note = { car: 'car-1', alertId: 7, kind: 'match', status: 'sent', textId: 't1' };
const facts: TextFacts = {
  accepted: [take],
  texts: [row],
  notifications: [note],
  listed: [],
  phones: new Map([['a@x', '+1']]),
};
const judge = (more: Partial<TextFacts>) => judgeTexts([alert], [car], { ...facts, ...more });
const none = { expected: 1, doubled: [], lost: [], unlisted: [], wrong: [] };

it('finds nothing in a correct run', () => {
  expect(judge({})).toEqual(none);
  const unknown = { ...row, status: 'unknown' };
  const notifications = [{ ...note, status: 'unknown' }];
  expect(judge({ accepted: [], texts: [unknown], notifications, listed: ['t1'] })).toEqual(none);
});

it('takes a pair for announced once where its first notification was dropped before it could leave', () => {
  const dropped = { ...note, status: 'dropped', textId: null };
  expect(judge({ notifications: [dropped, note] }).doubled).toEqual([]);
  expect(judge({ notifications: [dropped, dropped, note] }).doubled).toEqual([]);
});

it.each([
  ['doubled', { accepted: [take, { ...take, by: 'worker-2/1' }] }],
  ['doubled', { accepted: [take, { ...take, textId: 't0' }], texts: [row, { ...row, id: 't0', notifications: 0 }] }],
  ['doubled', { notifications: [note, note] }],
  [
    'doubled',
    {
      notifications: [
        { ...note, status: 'unknown' },
        { ...note, status: 'waiting', textId: null },
      ],
    },
  ],
  [
    'doubled',
    {
      notifications: [
        { ...note, status: 'dropped' },
        { ...note, textId: 't2' },
      ],
    },
  ],
  ['lost', { notifications: [] }],
  ['lost', { notifications: [{ ...note, status: 'dropped' }] }],
  ['lost', { notifications: [{ ...note, status: 'waiting' }] }],
  ['unlisted', { texts: [{ ...row, status: 'unknown' }] }],
  ['wrong', { accepted: [] }],
  ['wrong', { texts: [{ ...row, status: 'failed' }] }],
  ['wrong', { texts: [{ ...row, status: 'sending' }] }],
  ['wrong', { texts: [{ ...row, to: '+2' }] }],
  ['wrong', { texts: [] }],
  ['wrong', { listed: ['t1'] }],
] as const)('finds what is %s', (kind, more) => {
  expect(judge(more)[kind]).toHaveLength(1);
});
