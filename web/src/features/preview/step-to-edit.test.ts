import { expect, it } from 'vitest';
import { alertFormDefaults } from '../alert-form/alert-form-values.ts';
import { readEditState, toEditState } from './step-to-edit.ts';

const step = { done: 'The maximum is $10,000 now.', changes: { priceMax: '10000' } };

it('a step reaches the form in the state of its address', () => {
  const state = toEditState({ key: 'priceMax', text: '1 more', ...step });
  expect(readEditState(structuredClone(state), alertFormDefaults)).toEqual(step);
});

it.each([
  [null, false],
  [true, false],
  [false, null],
])('a step reaches the form of an alert whose stated price is %j: %j', (priceStated, to) => {
  const values = { ...alertFormDefaults, priceStated };
  const taken = { done: 'Done.', changes: { priceStated: to } };
  expect(readEditState({ step: taken }, values)).toEqual(taken);
});

const others: readonly unknown[] = [
  null,
  'text',
  {},
  { step: null },
  { step: { ...step, done: 1 } },
  { step: { ...step, changes: null } },
  { step: { ...step, changes: { priceMax: 10_000 } } },
  { step: { ...step, changes: { priceStated: 'yes' } } },
  { step: { ...step, changes: { models: { 0: 'corolla' } } } },
  { step: { ...step, changes: { toString: 'x' } } },
  { step: { ...step, changes: { unknown: 'x' } } },
];

it.each(others.map((state) => ({ state })))('a state of another kind is no step: $state', ({ state }) => {
  expect(readEditState(state, alertFormDefaults)).toBeUndefined();
});
