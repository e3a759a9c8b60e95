import { beforeAll, describe, expect, it } from 'vitest';
import { makeRandom } from '../../../lab/random.ts';
import { fitPriceModel, type PricedCar } from './fit-price-model.ts';
import { bandColumns, priceBand } from './price-band.ts';
import type { PriceModel } from './price-model.ts';
import { ratePrice } from './rate-price.ts';

const NOW = 2026.5;
const random = makeRandom(7);
/** A normal variable, as far as twelve uniform ones make it. */
const normal = (): number => Array.from({ length: 12 }, random).reduce((sum, one) => sum + one, -6);
const NOISE = 0.15;

const newPrices = { camry: 30_000, corolla: 22_000, supra: 60_000 } as const;

/** A car whose price follows a law: it loses 13 % a year and 2 % for each 10,000 miles, and a limited costs 20 % more. */
function drawCar(model: keyof typeof newPrices, noise = normal() * NOISE): PricedCar {
  const year = 2010 + Math.floor(random() * 15);
  const age = NOW - year;
  const mileage = Math.round(age * 11_000 * (0.6 + random() * 0.8));
  const isLimited = random() < 0.3;
  const log = Math.log(newPrices[model]) + age * Math.log(0.87) - mileage * 2e-6 + (isLimited ? Math.log(1.2) : 0);
  const title = `${year} Toyota ${model}${isLimited ? ' Limited' : ''}`;
  return { make: 'toyota', model, year, mileage, state: 'CA', title, price: Math.round(Math.exp(log + noise)) };
}

const bandOf = (model: PriceModel, car: Parameters<typeof priceBand>[1]) => {
  const answer = priceBand(model, car);
  if ('refusal' in answer) throw new Error(answer.refusal);
  return answer.band;
};

describe('a model of cars whose prices follow a law', () => {
  let model: PriceModel;
  beforeAll(() => {
    const cars = [
      ...Array.from({ length: 600 }, () => drawCar('camry')),
      ...Array.from({ length: 300 }, () => drawCar('corolla')),
      ...Array.from({ length: 8 }, () => drawCar('supra')),
    ];
    // Down payments and typing errors are no prices of cars.
    for (let at = 0; at < 30; at++) cars.push({ ...drawCar('camry'), price: 999 + at });
    model = fitPriceModel(cars, NOW);
  });

  it('expects the price of the law', () => {
    for (let at = 0; at < 50; at++) {
      const car = drawCar('camry', 0);
      expect(Math.abs(Math.log(bandOf(model, car).middle / car.price))).toBeLessThan(0.12);
    }
  });

  it('holds 80 of 100 prices that it has not seen', () => {
    const cars = Array.from({ length: 2000 }, () => drawCar('corolla'));
    const inside = cars.filter((car) => {
      const { low, high } = bandOf(model, car);
      return car.price >= low && car.price <= high;
    });
    expect(inside.length / cars.length).toBeGreaterThan(0.72);
    expect(inside.length / cars.length).toBeLessThan(0.88);
  });

  it('knows what a trim, mileage and age are worth', () => {
    const car = { ...drawCar('camry'), year: 2018, mileage: 80_000, title: '2018 Toyota Camry' };
    const { middle } = bandOf(model, car);
    expect(bandOf(model, { ...car, title: '2018 Toyota Camry Limited' }).middle).toBeGreaterThan(middle * 1.1);
    expect(bandOf(model, { ...car, mileage: 130_000 }).middle).toBeLessThan(middle * 0.98);
    expect(bandOf(model, { ...car, year: 2015 }).middle).toBeLessThan(middle * 0.8);
  });

  it('refuses where it does not know enough', () => {
    const car = drawCar('camry');
    expect(priceBand(model, { ...car, model: null })).toMatchObject({ refusal: 'no_model' });
    expect(priceBand(model, { ...car, year: null })).toMatchObject({ refusal: 'no_year' });
    expect(priceBand(model, { ...car, year: 1975 })).toEqual({ refusal: 'few_cars', n: 0 });
    expect(priceBand(model, { ...car, model: 'prius' })).toEqual({ refusal: 'few_cars', n: 0 });
  });

  it('is data that survives JSON', () => {
    const car = drawCar('camry');
    expect(priceBand(JSON.parse(JSON.stringify(model)), car)).toEqual(priceBand(model, car));
  });

  it('counts an offer that is published in many towns once', () => {
    const cars = Array.from({ length: 200 }, () => drawCar('camry'));
    const [first] = cars;
    if (!first) throw new Error('no car');
    const copies = Array.from({ length: 500 }, () => ({ ...first, price: 40_000, state: 'NV' }));
    const [plain, spammed] = [fitPriceModel(cars, NOW), fitPriceModel([...cars, ...copies], NOW)];
    expect(bandOf(spammed, first).middle / bandOf(plain, first).middle).toBeLessThan(1.05);
    expect(bandOf(spammed, first).n).toBe(bandOf(plain, first).n + 1);
  });

  it('knows no prices beyond those of cars, whatever a seller states', () => {
    const steep = { ...model, shared: { ...model.shared, 'mileage by age': 9, level: 30 } };
    expect(priceBand(steep, drawCar('camry'))).toMatchObject({ refusal: 'wide_spread' });
    const [far, farther] = [300_000, 2_000_000].map((mileage) => priceBand(model, { ...drawCar('camry'), mileage }));
    expect('band' in (far ?? {}) && 'band' in (farther ?? {})).toBe(true);
    const car = drawCar('camry');
    expect(priceBand(model, { ...car, mileage: 2_000_000 })).toEqual(priceBand(model, { ...car, mileage: 300_000 }));
  });

  it('has no more terms when sellers invent words', () => {
    const words = (at: number) => Array.from({ length: 30 }, (_, n) => `zq${Math.floor(at / 3)}x${n}`).join(' ');
    const cars = Array.from({ length: 300 }, (_, at) => ({ ...drawCar('camry'), title: `Camry ${words(at)}` }));
    const { makes, shared } = fitPriceModel(cars, NOW);
    const terms = Object.keys(makes.toyota ?? {}).filter((name) => name.startsWith('trim '));
    expect(terms.length).toBeGreaterThan(0);
    expect(terms.length).toBeLessThanOrEqual(75);
    expect(Object.keys(shared).length).toBeLessThan(200);
  });

  it('is not misled by words that name members of every object', () => {
    const car = { ...drawCar('camry'), title: '2018 Toyota Camry constructor toString valueOf' };
    expect(bandOf(model, car).middle).toBeGreaterThan(0);
  });
});

it('no cars make no bands', () => {
  const model = fitPriceModel([], NOW);
  expect(priceBand(model, drawCar('camry'))).toEqual({ refusal: 'few_cars', n: 0 });
});

it.each([
  [9_999, 'great'],
  [10_000, 'good'],
  [12_000, 'fair'],
  [13_500, 'high'],
  [15_000, 'high'],
  [15_001, 'overpriced'],
])('%i dollars in a band from 10,000 to 15,000 are %s', (price, rating) => {
  expect(ratePrice({ low: 10_000, middle: 12_000, high: 15_000, n: 9 }, price)).toBe(rating);
});

it('without a model nothing is stored', () => {
  expect(Object.values(bandColumns(null, drawCar('camry')))).toEqual([null, null, null, null, null]);
});
