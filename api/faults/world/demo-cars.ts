import { demoId } from '../../demo/ids.ts';
import { photoCount } from '../../demo/item.ts';
import { type DemoStream, eventAt, listedAt, type Offer, offerAt, topPosition, windowSize } from '../../demo/stream.ts';
import type { TestAlert, TestListing } from '../../test/matching/match-rows.ts';
import { haversineMiles } from '../../test/matching/match-world.ts';
import type { City } from './draw.ts';
import type { CarLog, CarState } from './journal.ts';

const losAngeles = { name: 'Los Angeles', state: 'CA', lat: 34.05223, lng: -118.24368 };
const newYork = { name: 'New York', state: 'NY', lat: 40.71427, lng: -74.00597 };
/** How far the place of an alert may be from the generator's. */
const BORDER_MILES = 2;
/** How many positions before its change or relisting a car may have been listed. */
const OLDEST_OFFERS = 2_000;

/** Alerts for the demo marketplace's cars, without criteria that its sellers may leave out or change. */
export function demoAlerts(): { city: City; criteria: TestAlert }[] {
  const asked = { yearMin: null, yearMax: null, priceMin: null, priceMax: null, color: null, radius: 100 };
  return [losAngeles, newYork].flatMap((city) =>
    ['toyota', 'honda', 'ford', 'chevrolet'].map((make, index) => ({
      city,
      criteria: { ...asked, make, model: null, onlyWithImages: index % 2 === 0, lat: city.lat, lng: city.lng },
    })),
  );
}

function factsOf(stream: DemoStream, { car, position, origin, promised, price }: Offer): TestListing {
  const { make, model, year, lat, lng } = car;
  const hasPhoto = photoCount(stream, origin, promised) > 0;
  return { make, model, year, price, color: null, imageUrl: hasPhoto ? `photo of ${position}` : null, lat, lng };
}

function isOnBorder({ lat, lng }: TestListing): boolean {
  return [losAngeles, newYork].some(
    (city) => Math.abs(haversineMiles(city.lat, city.lng, lat ?? 0, lng ?? 0) - 100) < BORDER_MILES,
  );
}

/** Times of a run; `reads` are the ends of complete reads of the marketplace, as the database records them. */
interface DemoTimes {
  from: Date;
  /** The end of the first read of the source, from which on new cars are announced. */
  announcedFrom: Date;
  to: Date;
  reads: readonly Date[];
}

/** How long a read takes at most. */
const READ_MS = 15_000;

/**
 * The demo marketplace's cars by its generator, in their state at the end. The marketplace shows its newest 400 lines: a
 * car that no complete read could see, as every worker was killed during its read, is not missed.
 */
export function demoCars(stream: DemoStream, { from, announcedFrom, to, reads }: DemoTimes): CarLog[] {
  const windowMs = (windowSize(stream) / stream.perSecond) * 1_000;
  const wasShown = (listed: number) =>
    reads.some((read) => read.getTime() >= listed + READ_MS && read.getTime() <= listed + windowMs - READ_MS);
  const top = topPosition(stream, to);
  const alike = new Map<string, number>();
  const changed = new Set<number>();
  const offers: Offer[] = [];
  for (let position = Math.max(0, top - OLDEST_OFFERS); position <= top; position++) {
    const happening = eventAt(stream, position);
    if ('of' in happening) changed.add(happening.of).add(position);
    const offer = offerAt(stream, position, top);
    if (!offer) continue;
    const key = `${offer.car.make} ${offer.car.model} ${offer.car.year}`;
    alike.set(key, (alike.get(key) ?? 0) + 1);
    if (position > topPosition(stream, from)) offers.push(offer);
  }
  return offers.flatMap((offer) => {
    const facts = factsOf(stream, offer);
    const begun = listedAt(stream, offer.position).getTime();
    if (isOnBorder(facts) || !wasShown(begun)) return [];
    const state = (one: Partial<CarState>): CarState => ({
      facts,
      forSale: true,
      span: { begun, done: to.getTime() },
      ...one,
    });
    const states = [
      ...(offer.priceBefore === null ? [] : [state({ facts: { ...facts, price: offer.priceBefore } })]),
      state({}),
      ...(offer.sold ? [state({ forSale: false })] : []),
    ];
    const { make, model, year } = offer.car;
    const isAlone = (alike.get(`${make} ${model} ${year}`) ?? 0) === 1;
    const mayBeUnannounced = !isAlone || changed.has(offer.position) || begun <= announcedFrom.getTime();
    return [{ externalId: demoId(stream, offer.position), states, mayBeUnannounced }];
  });
}
