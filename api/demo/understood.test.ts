import { expect, it } from 'vitest';
import { gazetteer } from '../lab/gazetteer.ts';
import { parseMarketplacePage } from '../src/sources/marketplace-items/read-marketplace-items.ts';
import { demoStream } from './ids.ts';
import { demoItem } from './item.ts';
import { eventAt, offerAt, topPosition } from './stream.ts';

const now = new Date('2026-11-21T12:00:00Z');
const stream = demoStream(42, 2);
const top = topPosition(stream, now);
const read = (item: unknown) => parseMarketplacePage(JSON.stringify([item]), { gazetteer, now })[0];

/** @param count of positions, the newest ones */
function readsAsMeant(count: number): void {
  let promised = 0;
  for (let position = top; position > top - count; position--) {
    const offer = offerAt(stream, position, top);
    if (!offer) continue;
    const { car, price, sold } = offer;
    const item = demoItem(stream, 'http://localhost:4000/demo', { kind: 'offer', offer });
    const record = read(item);
    if (!record || !('facts' in record)) throw new Error(`not read: ${JSON.stringify(item)}`);
    const placeholder = [1, 1234, 12_345].includes(Number(item.listing_price?.amount));
    expect(record.facts).toMatchObject({
      externalId: item.id,
      title: item.marketplace_listing_title,
      make: car.make,
      model: car.model,
      year: car.year,
      price: placeholder ? null : price,
      color: item.vehicle_exterior_color,
      city: car.place.city,
      state: car.place.state,
      lat: car.lat,
      lng: car.lng,
      url: item.url,
      status: sold ? 'sold' : 'for_sale',
    });
    expect(record.facts.images).toHaveLength(item.listing_photos?.length ?? 0);
    if (offer.promised) {
      promised += 1;
      expect(record.facts).toMatchObject({ make: 'toyota', model: 'camry', mileageMiles: car.mileage });
      expect(record.facts.price).toBeGreaterThan(1000);
      expect(record.facts.price).toBeLessThan(50_000);
      expect(record.facts.images.length).toBeGreaterThan(0);
    }
  }
  expect(promised).toBeGreaterThan(count / 20);
}

it('is read as the generator meant it, car by car', () => readsAsMeant(1_000));
it('is read so in three times as many cars', { tags: 'long' }, () => readsAsMeant(3_000));

it('is rejected where a record is malformed', () => {
  const codes = new Set<string>();
  for (let position = top; position > top - 3000; position--) {
    if (eventAt(stream, position).kind !== 'bad') continue;
    const record = read(demoItem(stream, 'http://localhost:4000/demo', { kind: 'bad', position }));
    expect(record).toHaveProperty('rejection');
    if (record && 'rejection' in record) codes.add(record.rejection.code);
  }
  expect(codes).toEqual(new Set(['NO_ID', 'NOT_A_CAR', 'BAD_PRICE']));
});
