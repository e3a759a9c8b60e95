import { counted, type Markup, markup, oneLine, panel, styles } from './mail-layout.ts';

/** A car that can no longer be bought, and whose end the buyer is told of. */
export interface EndedCar {
  /** '2018 Honda Accord' */
  name: string;
  /** Whole US dollars; null when not stated. */
  price: number | null;
  /** Whether the seller said that it is sold. Otherwise it is only known not to be listed any more. */
  isSold: boolean;
  /** Whether the buyer saved it; otherwise they viewed it. */
  isSaved: boolean;
}

const style = (name: keyof typeof styles) => ({ markup: styles[name] });

/** 'The 2018 Honda Accord you saved was sold' */
export const endedSentence = ({ name, isSaved, isSold }: EndedCar): string =>
  oneLine(`The ${name} you ${isSaved ? 'saved' : 'viewed'} ${isSold ? 'was sold' : 'is no longer listed'}`);

/** What was asked last: for how much it was sold is not known. */
export const lastPrice = ({ price }: EndedCar): string =>
  price === null ? 'Its price was not stated' : `Last listed at $${price.toLocaleString('en-US')}`;

/** 'The 2018 Honda Accord you saved was sold', '3 cars you saved were sold'. @param count of all, of which the first are given */
export function endedHeading(cars: readonly EndedCar[], count: number): string {
  const [car] = cars;
  if (car && count === 1) return endedSentence(car);
  const by = cars.every(({ isSaved }) => isSaved) ? 'saved' : 'saved or viewed';
  const what = cars.every(({ isSold }) => isSold) ? 'were sold' : 'are no longer listed';
  return `${counted(count, 'car', 'cars')} you ${by} ${what}`;
}

export const endedRow = (
  car: EndedCar,
): Markup => markup`<p class="ink" style="${style('text')}">${endedSentence(car)}.</p>
<p class="muted" style="${style('muted')};padding:0 0 12px">${lastPrice(car)}</p>`;

/** The cars that are no longer for sale, as the last part of a mail about other cars. */
export function endedPanel(cars: readonly EndedCar[], count: number): Markup {
  const hidden = count - cars.length;
  return panel(markup`<h2 class="ink" style="${style('title')};padding:0 0 10px">No longer for sale</h2>
${cars.map(endedRow)}${hidden > 0 ? markup`<p class="muted" style="${style('muted')}">${`and ${counted(hidden, 'other car', 'other cars')}`}</p>` : null}`);
}

export function endedText(cars: readonly EndedCar[], count: number): string {
  const hidden = count - cars.length;
  const rows = cars.map((car) => `${endedSentence(car)}. ${lastPrice(car)}.`);
  return [...rows, ...(hidden > 0 ? [`and ${counted(hidden, 'other car', 'other cars')}`] : [])].join('\n');
}
