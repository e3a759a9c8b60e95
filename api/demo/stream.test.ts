import { describe, expect, it } from 'vitest';
import { greatCircleMiles } from '../src/domain/places/place.ts';
import { demoId, demoStream, readDemoId } from './ids.ts';
import { type DemoItem, demoItem } from './item.ts';
import { type DemoStream, eventAt, listedAt, newestEntries, offerAt, topPosition } from './stream.ts';

const start = Date.UTC(2026, 10, 21, 12);
const base = 'http://localhost:4000/demo';

function itemsAt(stream: DemoStream, now: Date, limit = 10_000): DemoItem[] {
  return newestEntries(stream, topPosition(stream, now), 0, limit).map((entry) => demoItem(stream, base, entry));
}

/** Whether an item fits a first alert with the form's defaults, by its public fields. */
function isPromised(item: DemoItem): boolean {
  const { latitude = 0, longitude = 0 } = item.location ?? {};
  const price = Number(item.listing_price?.amount);
  return (
    item.id !== undefined &&
    /^\d{4} Toyota Camry .*· Demo$/.test(item.marketplace_listing_title?.replace('Camry ·', 'Camry · ·') ?? '') &&
    (item.listing_photos?.length ?? 0) > 0 &&
    price > 1500 &&
    price < 50_000 &&
    item.is_sold === false &&
    greatCircleMiles(34.05223, -118.24368, latitude, longitude) < 30
  );
}

describe('the guaranteed Camry', () => {
  it.each([
    [1, 2],
    [2, 0.1],
    [3, 0.2],
    [4, 0.37],
    [5, 1],
    [6, 7.5],
    [7, 50],
    [8, 0.01],
    [4_294_967_295, 2],
  ])('seed %d at %d a second lists a Camry near Los Angeles in any 10 s', (seed, perSecond) => {
    const stream = demoStream(seed, perSecond);
    const seen = new Map<string, number>();
    for (let at = start; at <= start + 120_000; at += 5000) {
      for (const item of itemsAt(stream, new Date(at))) {
        if (isPromised(item) && item.id) seen.set(item.id, (item.creation_time ?? 0) * 1000);
      }
    }
    const times = [...seen.values()].filter((at) => at >= start).sort((a, b) => a - b);
    const gaps = times.map((at, index) => at - (times[index - 1] ?? start));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(10_000);
    expect((times.at(-1) ?? 0) - start).toBeGreaterThanOrEqual(110_000);
  });
});

describe('the stream', () => {
  const stream = demoStream(42, 2);
  const now = new Date(start);

  it('is the same for one seed, and another for another seed', () => {
    expect(itemsAt(stream, now)).toEqual(itemsAt(demoStream(42, 2), now));
    expect(itemsAt(demoStream(43, 2), now)).not.toEqual(itemsAt(stream, now));
  });

  it('lists each item from its time on, never in the future', () => {
    const items = itemsAt(stream, now);
    for (const item of items) expect((item.creation_time ?? 0) * 1000).toBeLessThanOrEqual(now.getTime());
    const top = topPosition(stream, now);
    expect(listedAt(stream, top).getTime()).toBeLessThanOrEqual(now.getTime());
    expect(listedAt(stream, top + 1).getTime()).toBeGreaterThan(now.getTime());
    expect(topPosition(stream, listedAt(stream, top + 1))).toBe(top + 1);
  });

  it('shows every id once in a window of 400, and pages join without a gap', () => {
    const ids = itemsAt(stream, now).flatMap(({ id }) => id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(370);
    const top = topPosition(stream, now);
    const pages = [0, 50, 100].flatMap((offset) => newestEntries(stream, top, offset, 50));
    expect(pages).toEqual(newestEntries(stream, top, 0, 150));
  });

  it('says Demo on every car', () => {
    for (const item of itemsAt(stream, now)) expect(item.marketplace_listing_title).toMatch(/ · Demo$/);
  });

  it('lowers prices, sells and relists, and lists changed offers first', () => {
    let [drops, sales, relists] = [0, 0, 0];
    for (let minute = 0; minute < 5; minute++) {
      const before = new Map(itemsAt(stream, new Date(start + minute * 60_000)).map((item) => [item.id, item]));
      const after = itemsAt(stream, new Date(start + (minute + 1) * 60_000));
      const known = ({ id }: DemoItem) => (id === undefined ? undefined : before.get(id));
      const dropped = after.filter(
        (item) =>
          item.strikethrough_price &&
          Number(item.listing_price?.amount) < Number(known(item)?.listing_price?.amount ?? 0),
      );
      const sold = after.filter((item) => item.is_sold && known(item)?.is_sold === false);
      for (const item of [...dropped, ...sold]) expect(after.indexOf(item)).toBeLessThan(120);
      const cars = after.map(({ marketplace_listing_title: title, vehicle_odometer_data: odometer }) =>
        odometer ? `${title} ${odometer.value}` : '',
      );
      drops += dropped.length;
      sales += sold.length;
      relists += cars.filter((car, index) => car !== '' && cars.indexOf(car) < index).length;
    }
    expect(drops).toBeGreaterThan(10);
    expect(sales).toBeGreaterThan(3);
    expect(relists).toBeGreaterThan(3);
  });

  it('never raises a lowered price again', () => {
    const lowered = new Map<string, number>();
    for (let at = start; at < start + 240_000; at += 500) {
      for (const { id, listing_price: price, strikethrough_price: before } of itemsAt(stream, new Date(at), 200)) {
        if (id === undefined) continue;
        const known = lowered.get(id);
        if (known !== undefined) expect(Number(price?.amount)).toBe(known);
        if (before) lowered.set(id, Number(price?.amount));
      }
    }
    expect(lowered.size).toBeGreaterThan(20);
  });

  it('has a few bad records', () => {
    const top = topPosition(stream, now);
    const bad = Array.from({ length: 2000 }, (_, back) => eventAt(stream, top - back)).filter(
      ({ kind }) => kind === 'bad',
    );
    expect(bad.length).toBeGreaterThan(20);
    expect(bad.length).toBeLessThan(100);
    const items = itemsAt(demoStream(42, 60), now);
    expect(items.some(({ id }) => id === undefined)).toBe(true);
    expect(items.some(({ listing_price: price }) => Number(price?.amount) > 1e9)).toBe(true);
    expect(items.some(({ marketplace_listing_title: title }) => /couch|engine|doors/.test(title ?? ''))).toBe(true);
  });

  it('prices new cars above old ones and those with many miles', () => {
    const top = topPosition(stream, now);
    const offers = Array.from({ length: 4000 }, (_, back) => offerAt(stream, top - back, top)).flatMap(
      (offer) => offer ?? [],
    );
    const mean = (from: number, to: number) => {
      const some = offers.filter(({ car }) => car.year >= from && car.year <= to);
      return some.reduce((sum, { car }) => sum + car.price, 0) / some.length;
    };
    expect(mean(2022, 2026)).toBeGreaterThan(mean(2014, 2017) * 1.6);
    expect(mean(2014, 2017)).toBeGreaterThan(mean(1995, 2010) * 1.4);
    for (const { car } of offers) {
      expect(car.price).toBeGreaterThan(500);
      expect(car.price).toBeLessThan(300_000);
    }
  });
});

it('reads the ids that it writes, and no others', () => {
  for (const stream of [demoStream(0, 0.1), demoStream(4_294_967_295, 1000)]) {
    expect(readDemoId(demoId(stream, 123_456_789))).toEqual({ stream, position: 123_456_789 });
  }
  for (const id of ['', 'demo', 'demo-1-2', 'demo-1-0-5', 'demo-1-2-3-4', 'demo-A-1-1'])
    expect(readDemoId(id)).toBeNull();
});
