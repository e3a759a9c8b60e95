import { expect, it } from 'vitest';
import { makeMarket } from '../market/market.ts';
import { checkPreviews } from './check-previews.ts';

const alert = {
  ...makeMarket(1).alert(),
  ...{ make: 'toyota', model: 'camry', yearMin: null, yearMax: null, priceMin: null, priceMax: 10_000 },
  ...{ color: null, onlyWithImages: false, radius: 50, mileageMax: 100_000, titleStatus: 'clean' as const },
};
const car = {
  ...{ make: 'toyota', model: 'camry', year: 2018, price: 9_000, color: null, imageUrl: null, mileage: 50_000 },
  ...{ lat: alert.lat, lng: alert.lng },
};
const listings = [
  ...[car, { ...car, titleStatus: 'clean' }, { ...car, make: 'honda', model: 'civic' }],
  ...[
    { ...car, price: 10_500 },
    { ...car, price: null },
    { ...car, mileage: 105_000 },
  ],
  ...[
    { ...car, titleStatus: 'salvage' },
    { ...car, model: 'corolla' },
    { ...car, titleStatus: 'salvage', price: 10_500 },
  ],
];
const nearMisses = [
  { field: 'priceMax', to: '11000', more: 1 },
  { field: 'mileageMax', to: '110000', more: 1 },
  { field: 'noPrice', to: null, more: 1 },
  { field: 'filters', to: null, more: 1 },
  { field: 'model', to: null, more: 1 },
];

it('finds counts and near misses that differ from the facts, and no others', () => {
  const right = { ms: 1, alert, matchCount: 2, nearMisses };
  expect(checkPreviews([right], listings)).toEqual({ wrongCounts: 0, nearMisses: 5, wrongNearMisses: 0 });
  const [first = nearMisses[0], ...others] = nearMisses;
  const wrong = [
    { ...right, matchCount: 3 },
    { ...right, nearMisses: [{ ...first, field: 'priceMax', to: '11000', more: 2 }, ...others] },
  ];
  expect(checkPreviews(wrong, listings)).toEqual({ wrongCounts: 1, nearMisses: 10, wrongNearMisses: 1 });
});
