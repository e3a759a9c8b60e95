import type { DemoCar } from './car.ts';
import { Dice } from './random.ts';

const bodyWords: Record<DemoCar['body'], string> = {
  sedan: 'Sedan 4D',
  hatchback: 'Hatchback 4D',
  coupe: 'Coupe 2D',
  suv: 'Sport Utility 4D',
  pickup: 'Crew Cab',
  van: 'Minivan 4D',
};
const shortNames: Record<string, string> = { chevrolet: 'chevy', volkswagen: 'vw', 'mercedes-benz': 'mercedes' };
const praise = ['Low Miles', 'Clean Title', 'One Owner', 'Runs Great', 'Must Sell', 'No Accidents'] as const;
const hasBadTitle = ({ trouble }: DemoCar) => trouble === 'salvage' || trouble === 'rebuilt';

/** What a seller praises, which the car's title does not deny. */
function praiseOf(car: DemoCar, dice: Dice): string {
  const words = dice.pick(praise);
  return hasBadTitle(car) && /Title|Accidents/.test(words) ? 'Runs Great' : words;
}

/** Adds 'Demo' to a title, as every car of the demo has it. */
const saysDemo = (title: string) => `${title} · Demo`;

type Style = (car: DemoCar, dice: Dice) => string;
const name = ({ makeLabel, modelLabel }: DemoCar) => `${makeLabel} ${modelLabel}`;
const withTrim = (car: DemoCar) => `${car.year} ${name(car)}${car.trim ? ` ${car.trim}` : ''}`;

const asTheFormSays: Style = (car) =>
  `${car.year} ${name(car)} · ${[car.trim, bodyWords[car.body]].filter(Boolean).join(' ')}`;

const styles: readonly [readonly [Style, number], ...(readonly [Style, number])[]] = [
  [asTheFormSays, 45],
  [withTrim, 20],
  [(car, dice) => `${withTrim(car)} ${praiseOf(car, dice).toLowerCase()}`, 8],
  [(car) => withTrim(car).toLowerCase(), 8],
  [(car, dice) => `${withTrim(car)} - ${praiseOf(car, dice)}`.toUpperCase(), 5],
  [(car) => `${name(car)} ${car.year}`, 6],
  [(car) => `${name(car)}${car.trim ? ` ${car.trim}` : ''}, ${car.year}`, 4],
  [(car) => `Selling my ${car.year} ${name(car)}`, 3],
  [(car) => `${car.year} ${shortNames[car.make] ?? car.makeLabel.toLowerCase()} ${car.modelLabel.toLowerCase()}`, 5],
];

/** The title; that of the promised Camry has the form's fields. */
export function titleOf(car: DemoCar, promised: boolean, dice: Dice): string {
  return saysDemo((promised ? dice.pick([asTheFormSays, withTrim] as const) : dice.weighted(styles))(car, dice));
}

/** The title of something that is no car, or not for sale. */
export function oddTitle(dice: Dice): string {
  return saysDemo(
    dice.pick([
      'Set of 4 18" rims and tires off a Camry',
      'Honda Civic engine for parts',
      'Harley-Davidson Sportster 883',
      'WTB: Toyota Tacoma, any year',
      'Sectional couch, gray, like new',
      'Kids ride-on Jeep, 12 V',
      'Front doors for a 2014 F-150',
      'Travel trailer, sleeps six',
    ] as const),
  );
}
