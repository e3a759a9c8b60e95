import { expect, it } from 'vitest';
import { gazetteer } from '../lab/gazetteer.ts';
import { cautionKinds, cautionsOf } from '../src/domain/cautions/cautions.ts';
import type { ListingFacts } from '../src/domain/facts/listing-facts.ts';
import { fitPriceModel, type PricedCar } from '../src/domain/prices/fit-price-model.ts';
import { priceBand } from '../src/domain/prices/price-band.ts';
import { priceRatings, ratePrice } from '../src/domain/prices/rate-price.ts';
import { parseMarketplacePage } from '../src/sources/marketplace-items/read-marketplace-items.ts';
import { demoStream } from './ids.ts';
import { demoItem } from './item.ts';
import { offerAt, topPosition } from './stream.ts';

const now = new Date('2026-11-21T12:00:00Z');
const stream = demoStream(42, 2);

/** The newest cars of the stream, as a poll reads them. */
function readNewest(count: number): ListingFacts[] {
  const top = topPosition(stream, now);
  const offers = Array.from({ length: count }, (_, back) => offerAt(stream, top - back, top) ?? []).flat();
  const items = offers.map((offer) => demoItem(stream, 'http://localhost:4000/demo', { kind: 'offer', offer }));
  const records = parseMarketplacePage(JSON.stringify(items), { gazetteer, now });
  return records.flatMap((record) => ('facts' in record ? record.facts : []));
}

const cars = readNewest(5_000);
const priced = cars.flatMap(({ make, model, year, price, mileageMiles, state, title, ...rest }) =>
  price === null || year === null
    ? []
    : [{ ...rest, car: { make, model, year, price, mileage: mileageMiles, state, title } satisfies PricedCar }],
);
const half = priced.length >> 1;
const model = fitPriceModel(
  priced.slice(half).map(({ car }) => car),
  2026.8,
);
const rest = priced.slice(0, half);
const rated = rest.flatMap(({ car, ...facts }) => {
  const answer = priceBand(model, car);
  return 'band' in answer ? [{ ...facts, ...car, band: answer.band, rating: ratePrice(answer.band, car.price) }] : [];
});

it('has prices of which the fitted model calls most fair, and some each of the rest', () => {
  const share = Object.fromEntries(
    priceRatings.map((name) => [name, rated.filter(({ rating }) => rating === name).length / rated.length]),
  );
  expect(rated.length).toBeGreaterThan(rest.length * 0.9);
  for (const name of priceRatings) expect([name, (share[name] ?? 0) > 0.04]).toEqual([name, true]);
  expect(share.fair).toBeGreaterThan(0.3);
  expect(share.fair).toBe(Math.max(...Object.values(share)));
  expect((share.good ?? 0) + (share.fair ?? 0) + (share.high ?? 0)).toBeGreaterThan(0.72);
  expect((share.good ?? 0) + (share.fair ?? 0) + (share.high ?? 0)).toBeLessThan(0.88);
});

it('prices a car by its trim', () => {
  const middleOf = (trim: string) => {
    const car = { make: 'toyota', model: 'camry', year: 2018, mileage: 90_000, state: 'CA', price: 1 };
    const answer = priceBand(model, { ...car, title: `2018 Toyota Camry ${trim} · Demo` });
    return 'band' in answer ? answer.band.middle : Number.NaN;
  };
  expect(middleOf('XSE') / middleOf('LE')).toBeGreaterThan(1.1);
});

it('has a few cars with each caution that a seller’s words and numbers can cause', () => {
  const found = rated.map((car) => cautionsOf({ ...car, bandLow: car.band.low }, now).map(({ kind }) => kind));
  const share = (kind: string) => found.filter((kinds) => kinds.some((one) => one === kind)).length / found.length;
  // No demo car has a real maker's code in its VIN.
  for (const kind of cautionKinds.filter((one) => one !== 'photo_elsewhere' && one !== 'vin_car')) {
    expect([kind, share(kind) > 0.003 && share(kind) < 0.06]).toEqual([kind, true]);
  }
  expect(found.filter(({ length }) => length > 0).length / found.length).toBeLessThan(0.1);
});
