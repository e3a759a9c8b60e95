import { describe, expect, it } from 'vitest';
import type { Criterion, VerdictKind } from '../../gql/graphql.ts';
import { verdictChips } from './verdict-chips.ts';

const anything = { color: 'any', radius: 50, onlyWithImages: false };
const camry = {
  ...anything,
  model: 'camry',
  yearMin: 2015,
  yearMax: 2020,
  priceMin: 0,
  priceMax: 18_000,
  onlyWithImages: true,
};
const order: Criterion[] = ['make', 'model', 'year', 'price', 'color', 'image', 'distance'];

function verdicts(other: Partial<Record<Criterion, VerdictKind>> = {}) {
  return order.map((criterion) => ({ criterion, verdict: other[criterion] ?? ('met' as const) }));
}

const vehicles = { asked: 'Toyota Camry and 3 more', found: 'Toyota Corolla' };

const texts = (criteria: typeof camry | typeof anything, other?: Partial<Record<Criterion, VerdictKind>>) =>
  verdictChips(verdicts(other), criteria, vehicles).map((chip) => chip.text);

describe('verdictChips', () => {
  it('names the car and the criteria that are met', () => {
    expect(texts(camry)).toEqual(['Toyota Corolla', '2015–2020', 'under $18,000', 'with photos', 'within 50 mi']);
  });

  it('names the car once, and no criterion that the alert lacks', () => {
    expect(texts(anything)).toEqual(['Toyota Corolla', 'within 50 mi']);
  });

  it('lists unstated facts last and in grey', () => {
    const silver = { ...anything, color: 'silver' };
    const chips = verdictChips(verdicts({ color: 'not_stated', image: 'not_stated' }), silver, vehicles);
    expect(chips.slice(-2)).toEqual([
      { criterion: 'color', text: 'color not stated', tone: 'not_stated' },
      { criterion: 'image', text: 'no photo', tone: 'not_stated' },
    ]);
  });

  it('says nothing of an unstated fact that the alert does not ask for', () => {
    const bare = { model: 'not_stated', year: 'not_stated', price: 'not_stated', color: 'not_stated' } as const;
    expect(texts(anything, bare)).toEqual(['Toyota Corolla', 'within 50 mi']);
  });

  it('marks a criterion that is no longer met', () => {
    expect(texts(camry, { price: 'not_met' })).toContain('not under $18,000');
    expect(texts(camry, { model: 'not_met' })).toContain('not Toyota Camry and 3 more');
  });

  it.each([
    [{ yearMin: 2015 }, '2015 or newer'],
    [{ yearMax: 2010 }, '2010 or older'],
    [{ yearMin: 2018, yearMax: 2018 }, '2018'],
    [{ priceMin: 5000 }, 'over $5,000'],
    [{ priceMin: 5000, priceMax: 9000 }, '$5,000–$9,000'],
    [{ color: 'silver' }, 'Silver'],
  ])('%j is %s', (criteria, text) => {
    expect(texts({ ...anything, ...criteria })).toContain(text);
  });
});
