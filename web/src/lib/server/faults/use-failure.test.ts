import { expect, it } from 'vitest';
import { nextFailure } from './use-failure.ts';

const asked = { variables: { id: '7' } };
const error = new Error('502');
const failed = nextFailure(undefined, { ...asked, error });

it('keeps a failure while the query is asked again', () => {
  expect(nextFailure(failed, asked)).toBe(failed);
});

it('takes the newest failure', () => {
  const again = new Error('503');
  expect(nextFailure(failed, { ...asked, error: again })?.error).toBe(again);
});

it('forgets it when data comes, even with an error beside it', () => {
  expect(nextFailure(failed, { ...asked, data: {} })).toBeUndefined();
  expect(nextFailure(failed, { ...asked, data: {}, error })).toBeUndefined();
});

it('forgets it when something else is asked', () => {
  expect(nextFailure(failed, { variables: { id: '8' } })).toBeUndefined();
});

it('knows none at first', () => {
  expect(nextFailure(undefined, asked)).toBeUndefined();
});
