import { readDataFile } from '../src/base/data-folder.ts';
import { type Body, type DemoModel, demoModels } from './models.ts';
import { type DemoPlace, everywhere, nearLosAngeles, placeByPopulation } from './places.ts';
import { Dice } from './random.ts';

/** Why a car is far too cheap: its title, or a seller who asks for money before anybody sees it. */
export type Trouble = 'salvage' | 'rebuilt' | 'asks first';

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
  trouble: Trouble | null;
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

/** Rounds a price as sellers do: 4,950, 8,500, 12,995. @param less how many dollars it stays below a round number */
function asAsked(dollars: number, less: number): number {
  const step = dollars < 3000 ? 50 : dollars < 10_000 ? 100 : dollars < 30_000 ? 250 : 500;
  return Math.max(800, Math.round(dollars / step) * step) - less;
}

/** By how much each trim is dearer than the one before. */
const TRIM_STEP = 0.07;

/** The trim's share of the price of a car whose trim nobody states. */
function trimFactor({ trims }: DemoModel, trim: string | null): number {
  return trim === null ? 1 : 1 + (trims.indexOf(trim) - (trims.length - 1) / 2) * TRIM_STEP;
}

const troubles = [
  [null, 945],
  ['rebuilt', 25],
  ['salvage', 15],
  ['asks first', 15],
] as const;
/** The share of the usual price. */
const troubleFactors: Record<Trouble, number> = { rebuilt: 0.75, salvage: 0.6, 'asks first': 0.5 };

function ageOf(dice: Dice, oldest: number): number {
  // Most are six to fourteen years old; few are new, few are very old.
  return Math.max(0, Math.min(oldest, Math.round(9 + dice.bell() * 10)));
}

interface Draw {
  dice: Dice;
  thisYear: number;
  places: readonly DemoPlace[];
  age?: number;
  trouble: Trouble | null;
}

function drawCar(model: DemoModel, { dice, thisYear, places, age, trouble }: Draw): DemoCar {
  const known = catalogue.models[model.make]?.find(({ value }) => value === model.model);
  const [first, last] = known?.years ?? [thisYear - 20, thisYear];
  const year = Math.min(last, Math.max(first, thisYear - (age ?? ageOf(dice, 27))));
  const years = Math.max(0, thisYear - year);
  const mileage = Math.round(Math.max(900, (years + 0.4) * 11_500 * (1 + dice.bell() * 0.55)));
  const expected = (years + 0.4) * 11_500;
  const worn = Math.max(0.6, 1 - (mileage - expected) / 350_000);
  const usualPrice = model.newPrice * 0.87 ** years * worn * (1 + dice.bell() * 0.14);
  const less = dice.chance(0.25) ? dice.pick([1, 5, 50] as const) : 0;
  const place = placeByPopulation(places, dice.next());
  const trim =
    model.trims.length > 0 && dice.chance(0.8) ? (model.trims[dice.whole(0, model.trims.length - 1)] ?? null) : null;
  const factor = trimFactor(model, trim) * (trouble === null ? 1 : troubleFactors[trouble]);
  return {
    make: model.make,
    model: model.model,
    makeLabel: makeLabels.get(model.make) ?? model.make,
    modelLabel: known?.label ?? model.model,
    trim,
    body: model.body,
    year,
    price: asAsked(usualPrice * factor, less),
    mileage,
    manual: dice.chance(model.body === 'coupe' ? 0.3 : 0.04),
    color: dice.weighted(paints),
    place,
    lat: Number((place.lat + dice.bell() * 0.03).toFixed(5)),
    lng: Number((place.lng + dice.bell() * 0.03).toFixed(5)),
    condition: dice.pick(['EXCELLENT', 'VERY_GOOD', 'GOOD', 'GOOD', 'FAIR'] as const),
    trouble,
  };
}

/** Draws any car, anywhere in the country. @param thisYear the year in which it is listed */
export function randomCar(seed: number, position: number, thisYear: number): DemoCar {
  const dice = new Dice(seed, position, 1);
  const trouble = new Dice(seed, position, 5).weighted<Trouble | null>(troubles);
  return drawCar(dice.weighted(modelWeights), { dice, thisYear, places: everywhere, trouble });
}

/** Draws the promised car: a Toyota Camry near Los Angeles, two to twelve years old and so well below $50,000. */
export function guaranteedCamry(seed: number, position: number, thisYear: number): DemoCar {
  const dice = new Dice(seed, position, 2);
  const age = dice.whole(2, 12);
  return { ...drawCar(camry, { dice, thisYear, places: nearLosAngeles, age, trouble: null }), manual: false };
}
