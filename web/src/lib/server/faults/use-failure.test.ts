import { expect, it } from 'vitest';
import { nextFailure } from './use-failure.ts';

const state = { variables: { id: '7' } };
const error = new Error('502');
const failed = nextFailure(undefined, { ...state, error });

it('keeps a failure while the query is fetched again', () => {
  expect(nextFailure(failed, state)).toBe(failed);
});

it('keeps the newest failure', () => {
  const again = new Error('503');
  expect(nextFailure(failed, { ...state, error: again })?.error).toBe(again);
});

it('drops the failure when data arrives, even with an error', () => {
  expect(nextFailure(failed, { ...state, data: {} })).toBeUndefined();
  expect(nextFailure(failed, { ...state, data: {}, error })).toBeUndefined();
});

it('drops the failure when the variables change', () => {
  expect(nextFailure(failed, { variables: { id: '8' } })).toBeUndefined();
});

it('has none at first', () => {
  expect(nextFailure(undefined, state)).toBeUndefined();
});
