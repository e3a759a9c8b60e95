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

const texts = (asked: typeof camry | typeof anything, other?: Partial<Record<Criterion, VerdictKind>>) =>
  verdictChips(verdicts(other), asked).map((chip) => chip.text);

describe('verdictChips', () => {
  it('names what was asked and met', () => {
    expect(texts(camry)).toEqual(['Model', '2015–2020', 'under $18,000', 'with photos', 'within 50 mi']);
  });

  it('names the make only where no model was asked, and nothing that was not asked', () => {
    expect(texts(anything)).toEqual(['Make', 'within 50 mi']);
  });

  it('puts what was not stated last and in grey', () => {
    const chips = verdictChips(verdicts({ color: 'not_stated', image: 'not_stated' }), anything);
    expect(chips.slice(-2)).toEqual([
      { criterion: 'color', text: 'color not stated', tone: 'not_stated' },
      { criterion: 'image', text: 'no photo', tone: 'not_stated' },
    ]);
  });

  it('says so when a fact that was asked is no longer met', () => {
    expect(texts(camry, { price: 'not_met' })).toContain('not under $18,000');
  });

  it.each([
    [{ yearMin: 2015 }, '2015 or newer'],
    [{ yearMax: 2010 }, '2010 or older'],
    [{ yearMin: 2018, yearMax: 2018 }, '2018'],
    [{ priceMin: 5000 }, 'over $5,000'],
    [{ priceMin: 5000, priceMax: 9000 }, '$5,000–$9,000'],
    [{ color: 'silver' }, 'Silver'],
  ])('%j is %s', (asked, text) => {
    expect(texts({ ...anything, ...asked })).toContain(text);
  });
});
