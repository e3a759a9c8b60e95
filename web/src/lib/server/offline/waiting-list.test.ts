import { expect, it } from 'vitest';
import { type Change, changeWords, MAX_WAITING, replaceChange, withChanges } from './waiting-list.ts';

const change = (name: string, variables: Record<string, unknown>, id = `${name} ${String(variables.id)}`): Change => ({
  id,
  userId: '7',
  key: `${name} ${String(variables.id)}`,
  name,
  variables,
  query: {},
  at: 0,
});

it('a later change of the same thing takes the place of the earlier one, at the end', () => {
  const [save, hide] = [change('SaveListing', { id: '1', saved: true }), change('HideCar', { id: '1', hidden: true })];
  const undo = change('SaveListing', { id: '1', saved: false }, 'undo');
  expect(replaceChange([save, hide], undo)).toEqual([hide, undo]);
});

it('no more than a bound waits, though one that waits may still be changed', () => {
  const many = Array.from({ length: MAX_WAITING }, (_, at) => change('HideCar', { id: String(at), hidden: true }));
  expect(() => replaceChange(many, change('HideCar', { id: 'one more', hidden: true }))).toThrow();
  expect(replaceChange(many, change('HideCar', { id: '3', hidden: false }))).toHaveLength(MAX_WAITING);
});

it('a stored answer shows its listings as the changes that wait leave them', () => {
  const listing = (id: string) => ({
    __typename: 'Listing',
    id,
    carId: `car ${id}`,
    saved: false,
    viewed: false,
    isNew: true,
  });
  const answer = { matches: { nodes: [{ listing: listing('1') }, { listing: listing('2') }, { listing: null }] } };
  const { data, hidden } = withChanges(answer, [
    change('SaveListing', { id: '1', saved: true }),
    change('MarkListingViewed', { id: '1' }),
    change('HideCar', { id: '2', hidden: true }),
    change('HideCar', { id: '3', hidden: true }),
  ]);
  expect(data).toEqual({
    matches: {
      nodes: [
        { listing: { ...listing('1'), saved: true, viewed: true, isNew: false } },
        { listing: listing('2') },
        { listing: null },
      ],
    },
  });
  expect([...hidden]).toEqual([['car 2', true]]);
});

it('a stored answer is the same while nothing waits', () => {
  const answer = { me: { id: '7' } };
  expect(withChanges(answer, []).data).toBe(answer);
});

it.each([
  ['SaveListing', { saved: true }, 'save a car'],
  ['SaveListing', { saved: false }, 'remove a car from your saved cars'],
  ['HideCar', { hidden: true }, 'hide a car'],
  ['HideCar', { hidden: false }, 'show a car again'],
  ['MarkListingViewed', {}, null],
])('%s with %j is said to fail to %s', (name, variables, words) => {
  expect(changeWords(name, variables)).toBe(words);
});
