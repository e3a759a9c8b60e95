import { setTimeout as sleep } from 'node:timers/promises';
import type { Draw, DrawnCar } from './draw.ts';
import type { CarLog, CarState } from './journal.ts';

export const SOURCE = 'faults';
const carUrl = (externalId: string) => `https://cars.faults.example/${externalId}`;

export interface PusherOptions {
  url: string;
  token: string;
  draw: Draw;
  /** Between two pushes. */
  everyMs: number;
  signal: AbortSignal;
}

export interface Pusher {
  cars: CarLog[];
  /** Tries that were not acknowledged. */
  retries(): number;
  ended: Promise<void>;
}

const AGAIN_MS = 150;
const PATIENCE_MS = 8_000;
const DROPS = 2;

interface Known extends CarLog {
  drawn: DrawnCar;
}

function item({ externalId, drawn }: Known, { facts, forSale }: CarState) {
  return {
    id: externalId,
    marketplace_listing_title: `${facts.year} ${drawn.words}`,
    listing_price: { amount: String(facts.price), currency: 'USD' },
    location: {
      latitude: facts.lat,
      longitude: facts.lng,
      reverse_geocode: { city: drawn.city.name, state: drawn.city.state },
    },
    vehicle_exterior_color: facts.color,
    vehicle_odometer_data: { unit: 'MILES', value: drawn.mileage },
    listing_photos: facts.imageUrl === null ? [] : [{ image: { uri: facts.imageUrl } }],
    url: carUrl(externalId),
    is_live: forSale,
    is_sold: !forSale,
  };
}

/** Pushes cars, now and then a lower price or a sale, each body again and again until it is acknowledged. */
export function startPusher({ url, token, draw, everyMs, signal }: PusherOptions): Pusher {
  const cars: Known[] = [];
  let retries = 0;

  async function send(items: object[]): Promise<void> {
    for (;;) {
      try {
        const response = await fetch(`${url}/api/ingest/${SOURCE}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(items),
          signal: AbortSignal.timeout(PATIENCE_MS),
        });
        const answer = (await response.json()) as { rejected?: number };
        if (response.status === 200 && answer.rejected === 0) return;
        if (response.status < 500) throw new TypeError(`a push was refused: ${JSON.stringify(answer).slice(0, 500)}`);
      } catch (error) {
        if (error instanceof TypeError && error.message.startsWith('a push')) throw error;
      }
      retries += 1;
      await sleep(AGAIN_MS);
    }
  }

  const newState = (facts: CarState['facts'], forSale = true): CarState => ({
    facts,
    forSale,
    span: { begun: Date.now(), done: Number.POSITIVE_INFINITY },
  });

  function listed(): Known {
    const drawn = draw.car();
    const car = { externalId: `car-${cars.length + 1}`, drawn, states: [newState(drawn.facts)] };
    cars.push(car);
    return car;
  }

  /** Cars of a while ago as well as of just now: a change may come before the first search. */
  function changed(): Known[] {
    const recent = cars.slice(-60);
    const car = recent.length > 0 && draw.random() < 0.5 ? draw.pick(recent) : undefined;
    const last = car?.states.at(-1);
    if (!car || !last?.forSale) return [];
    if (draw.random() < 0.25) {
      car.states.push(newState(last.facts, false));
      return [car];
    }
    if (car.states.length > DROPS) return [];
    const price = Math.floor(((last.facts.price ?? 0) * 0.88) / 50) * 50;
    car.states.push(newState({ ...last.facts, price }));
    return [car];
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const together = [...changed(), ...Array.from({ length: draw.whole(1, 4) }, listed)];
      await send(together.flatMap((car) => car.states.slice(-1).map((state) => item(car, state))));
      const done = Date.now();
      for (const car of together) {
        const state = car.states.at(-1);
        if (state) state.span.done = done;
      }
      await sleep(everyMs, undefined, { signal }).catch(() => {});
    }
  }

  return { cars, retries: () => retries, ended: run() };
}
