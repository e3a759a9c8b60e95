import { readDataFile } from '../src/base/data-folder.ts';
import { type Body, type DemoModel, demoModels } from './models.ts';
import { type DemoPlace, everywhere, nearLosAngeles, placeByPopulation } from './places.ts';
import { Dice } from './random.ts';

export interface DemoCar {
  make: string;
  model: string;
  makeLabel: string;
  modelLabel: string;
  trim: string | null;
  body: Body;
  year: number;
  price: number;
  mileage: number;
  manual: boolean;
  /** A colour of the catalogue. */
  color: string;
  place: DemoPlace;
  lat: number;
  lng: number;
  condition: string;
}

interface Catalogue {
  makes: { value: string; label: string }[];
  models: Record<string, { value: string; label: string; years: [number, number] | null }[]>;
}

const catalogue = JSON.parse(readDataFile('catalogue.json')) as Catalogue;
const makeLabels = new Map(catalogue.makes.map(({ value, label }) => [value, label]));

const modelWeights = demoModels.map((model) => [model, model.weight] as const) as [
  readonly [DemoModel, number],
  ...(readonly [DemoModel, number])[],
];
const camry = demoModels.find(({ make, model }) => make === 'toyota' && model === 'camry') ?? modelWeights[0][0];

const paints = [
  ['white', 24],
  ['black', 22],
  ['silver', 15],
  ['gray', 16],
  ['blue', 10],
  ['red', 9],
  ['green', 2],
  ['beige', 1.5],
  ['brown', 1.5],
  ['gold', 1],
  ['orange', 1],
  ['yellow', 0.7],
  ['purple', 0.3],
] as const;

/** Rounds a price as sellers do: 4,950, 8,500, 12,995. */
function asAsked(dollars: number, dice: Dice): number {
  const step = dollars < 3000 ? 50 : dollars < 10_000 ? 100 : dollars < 30_000 ? 250 : 500;
  const round = Math.max(800, Math.round(dollars / step) * step);
  return dice.chance(0.25) ? round - dice.pick([1, 5, 50] as const) : round;
}

function ageOf(dice: Dice, oldest: number): number {
  // Most are six to fourteen years old; few are new, few are very old.
  return Math.max(0, Math.min(oldest, Math.round(9 + dice.bell() * 10)));
}

function drawCar(model: DemoModel, dice: Dice, thisYear: number, places: readonly DemoPlace[], age?: number): DemoCar {
  const known = catalogue.models[model.make]?.find(({ value }) => value === model.model);
  const [first, last] = known?.years ?? [thisYear - 20, thisYear];
  const year = Math.min(last, Math.max(first, thisYear - (age ?? ageOf(dice, 27))));
  const years = Math.max(0, thisYear - year);
  const mileage = Math.round(Math.max(900, (years + 0.4) * 11_500 * (1 + dice.bell() * 0.55)));
  const expected = (years + 0.4) * 11_500;
  const worn = Math.max(0.6, 1 - (mileage - expected) / 350_000);
  const price = asAsked(model.newPrice * 0.87 ** years * worn * (1 + dice.bell() * 0.14), dice);
  const place = placeByPopulation(places, dice.next());
  return {
    make: model.make,
    model: model.model,
    makeLabel: makeLabels.get(model.make) ?? model.make,
    modelLabel: known?.label ?? model.model,
    trim:
      model.trims.length > 0 && dice.chance(0.8) ? (model.trims[dice.whole(0, model.trims.length - 1)] ?? null) : null,
    body: model.body,
    year,
    price,
    mileage,
    manual: dice.chance(model.body === 'coupe' ? 0.3 : 0.04),
    color: dice.weighted(paints),
    place,
    lat: Number((place.lat + dice.bell() * 0.03).toFixed(5)),
    lng: Number((place.lng + dice.bell() * 0.03).toFixed(5)),
    condition: dice.pick(['EXCELLENT', 'VERY_GOOD', 'GOOD', 'GOOD', 'FAIR'] as const),
  };
}

/** Draws any car, anywhere in the country. @param thisYear the year in which it is listed */
export function randomCar(seed: number, position: number, thisYear: number): DemoCar {
  const dice = new Dice(seed, position, 1);
  return drawCar(dice.weighted(modelWeights), dice, thisYear, everywhere);
}

/** Draws the promised car: a Toyota Camry near Los Angeles, two to twelve years old and so well below $50,000. */
export function guaranteedCamry(seed: number, position: number, thisYear: number): DemoCar {
  const dice = new Dice(seed, position, 2);
  return { ...drawCar(camry, dice, thisYear, nearLosAngeles, dice.whole(2, 12)), manual: false };
}
