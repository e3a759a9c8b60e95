import { describe, expect, it } from 'vitest';
import { csvAddress, readChoice, withChoice } from './use-list-choice.ts';

describe('the choice of a list', () => {
  it.each([
    ['', { sort: 'newest', only: [] }],
    ['sort=price&only=price_drop,new', { sort: 'price', only: ['new', 'price_drop'] }],
    ['sort=constructor&only=__proto__,,NEW,saved', { sort: 'newest', only: ['saved'] }],
    ['sort=&only=', { sort: 'newest', only: [] }],
  ])('is read from ?%s', (query, choice) => {
    expect(readChoice(new URLSearchParams(query))).toEqual(choice);
  });

  it('stands in the address only where something is chosen, beside what else is there', () => {
    const before = new URLSearchParams('sort=price&only=new&map=on');
    expect(withChoice(before, { sort: 'newest', only: [] }).toString()).toBe('map=on');
    const after = withChoice(before, { sort: 'nearest', only: ['new', 'saved'] });
    expect(readChoice(after)).toEqual({ sort: 'nearest', only: ['new', 'saved'] });
    expect(after.get('map')).toBe('on');
  });

  it('is part of the address of the file', () => {
    expect(csvAddress('/api/x', { sort: 'newest', only: [] })).toBe('/api/x');
    expect(csvAddress('/api/x', { sort: 'price', only: ['new'] }, { alertId: '7' })).toBe(
      '/api/x?alertId=7&sort=price&only=new',
    );
  });
});
