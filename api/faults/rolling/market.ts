import { makeDraws, makeRandom } from '../../lab/random.ts';
import type { TestAlert } from '../../test/matching/match-rows.ts';
import { type Car, cities, itemOf, models, requestedNow } from '../world/draw.ts';

const FIRST_YEAR = 2000;
const YEARS = 22;
const colors = ['black', 'white', 'red'] as const;
const BANDS = 4;
const BAND = 4_000;
const LOWEST = 6_000;
const KINDS = cities.length * models.length * YEARS * colors.length * BANDS;
const FIRST_MILES = 190_000;
/** Each car of a city, model and year has fewer miles than the one before, so that no two count as one. */
const MILES_LESS = 900;

/** What an alert asks for and a car is: the same for both. */
function kindAt(index: number) {
  let left = index % KINDS;
  const take = (count: number) => {
    const at = left % count;
    left = Math.floor(left / count);
    return at;
  };
  const pickOf = <T>(list: readonly T[]) => list[take(list.length)] as T;
  const city = pickOf(cities);
  const model = pickOf(models);
  const year = FIRST_YEAR + take(YEARS);
  const color = pickOf(colors);
  const lowest = LOWEST + BAND * take(BANDS);
  return { city, model, year, color, lowest };
}

/** The cars that are listed, of which each fits one alert at least. */
export interface Market {
  alerts: TestAlert[];
  /** @param name what stands before its number in its id */
  car(name: string): Car;
  itemOf(car: Car): object;
}

/** Makes alerts that hardly overlap, so that about as many matches come as cars. */
export function makeMarket(alertCount: number, seed: number): Market {
  const { whole } = makeDraws(makeRandom(seed));
  const listed = new Map<string, number>();
  let made = 0;
  const alerts = Array.from({ length: alertCount }, (_, at): TestAlert => {
    const { city, model, year, color, lowest } = kindAt(at);
    return {
      ...{ make: model.make, model: model.model, yearMin: year, yearMax: year, color, onlyWithImages: false },
      ...{ priceMin: lowest, priceMax: lowest + BAND - 1, lat: city.lat, lng: city.lng, radius: 25 },
    };
  });
  return {
    alerts,
    car(name) {
      made += 1;
      const { city, model, year, color, lowest } = kindAt(whole(0, alertCount - 1));
      const key = `${city.name} ${model.model} ${year}`;
      const mileage = (listed.get(key) ?? FIRST_MILES) - MILES_LESS;
      listed.set(key, mileage);
      const facts = {
        ...{ title: `${year} ${model.words}`, make: model.make, model: model.model, year, color },
        ...{ price: lowest + 50 * whole(0, BAND / 50 - 1), imageUrl: null, lat: city.lat, lng: city.lng, mileage },
      };
      const drawn = { city, words: model.words, facts, mileage };
      return { externalId: `${name}-${made}`, drawn, states: [requestedNow(facts)] };
    },
    itemOf: (car) => itemOf(car, car.states[0] ?? requestedNow(car.drawn.facts)),
  };
}
