import { badTitleText, kindText } from '@lotwatch/api/forms/shown-facts';
import { ratingTexts } from '@lotwatch/api/price-words';
import type { ListingCard_ListingFragment } from '../../../gql/graphql.ts';
import { milesAway, priceText } from '../../../lib/text/amounts.ts';
import { capitalised } from '../../../lib/text/words.ts';
import { endedTexts, placeText } from '../listing-facts.ts';
import { bandText } from '../price-words.ts';

export interface CompareCell {
  text: string;
  /** Says in words that no other car is better in this row. */
  best?: string;
}

export interface CompareRow {
  name: string;
  cells: CompareCell[];
}

const NOT_STATED = 'Not stated';

type Car = ListingCard_ListingFragment;

/** The cells of a row of numbers. The least is the best, if the cars differ. @param best in words; null where none is */
function numberRow(
  name: string,
  cars: readonly Car[],
  numberOf: (car: Car) => number | null,
  textOf: (value: number, car: Car) => string,
  best: string | null,
  sign: 1 | -1 = 1,
): CompareRow {
  const values = cars.map(numberOf);
  const known = values.filter((value) => value !== null).map((value) => value * sign);
  const least = Math.min(...known);
  const differ = known.some((value) => value !== least);
  return {
    name,
    cells: cars.map((car, at) => {
      const value = values[at] ?? null;
      if (value === null) return { text: NOT_STATED };
      const text = textOf(value, car);
      return best !== null && differ && value * sign === least ? { text, best } : { text };
    }),
  };
}

const textRow = (name: string, cars: readonly Car[], textOf: (car: Car) => string | null | undefined): CompareRow => ({
  name,
  cells: cars.map((car) => ({ text: textOf(car) || NOT_STATED })),
});

/** A row that is left out where no car states the fact. */
const statedRow = (...[name, cars, textOf]: Parameters<typeof textRow>): CompareRow[] =>
  cars.some(textOf) ? [textRow(name, cars, textOf)] : [];

function days(count: number): string {
  if (count === 0) return 'Since today';
  return count === 1 ? '1 day' : `${count.toLocaleString('en-US')} days`;
}

/** How far the price is below the middle of cars like it, as a share. */
function priceShare({ price, priceBand }: Car): number | null {
  return price == null || priceBand?.middle == null ? null : price / priceBand.middle;
}

function fairnessText({ priceBand }: Car): string {
  const rating = priceBand?.rating ? ratingTexts[priceBand.rating] : '';
  return [rating, bandText(priceBand)].filter(Boolean).join(' · ') || 'Not known';
}

/** What differs between cars, in rows. The best value of a row is marked in words where one is better. */
export function compareRows(cars: readonly Car[]): CompareRow[] {
  const fairness = numberRow(
    'Fair price',
    cars,
    priceShare,
    (_, car) => fairnessText(car),
    'Best against cars like it',
  );
  return [
    numberRow('Price', cars, ({ price }) => price, priceText, 'Lowest price'),
    {
      ...fairness,
      cells: fairness.cells.map((cell, at) => ({ ...cell, text: cars[at] ? fairnessText(cars[at]) : '' })),
    },
    numberRow(
      'Mileage',
      cars,
      ({ mileage }) => mileage,
      (value) => `${value.toLocaleString('en-US')} mi`,
      'Lowest mileage',
    ),
    numberRow('Year', cars, ({ year }) => year, String, 'Newest', -1),
    numberRow('Distance', cars, ({ distance }) => distance, milesAway, 'Nearest'),
    textRow('Place', cars, ({ location }) => (location ? placeText(location) : null)),
    numberRow('Time on sale', cars, ({ daysOnMarket }) => daysOnMarket, days, null),
    textRow('Offers', cars, ({ offers }) =>
      offers.length === 1 ? '1 offer' : `${offers.length} offers: ${offers.map(({ source }) => source).join(', ')}`,
    ),
    textRow('Transmission', cars, ({ transmission }) => transmission && capitalised(transmission)),
    ...statedRow('Trim', cars, ({ trim }) => trim),
    ...statedRow('Title', cars, ({ titleStatus }) => badTitleText(titleStatus) ?? kindText('titleStatus', titleStatus)),
    ...statedRow('Fuel', cars, ({ fuel }) => kindText('fuel', fuel)),
    ...statedRow('Drive', cars, ({ drive }) => kindText('drive', drive)),
    ...statedRow('Body', cars, ({ body }) => kindText('body', body)),
    textRow('Color', cars, ({ color }) => color && capitalised(color)),
    textRow('State of sale', cars, ({ status }) => (status === 'for_sale' ? 'For sale' : endedTexts[status])),
    { name: 'Your note', cells: cars.map(({ note }) => ({ text: note ?? '–' })) },
  ];
}
