import { isOwn } from './drivetrain.ts';
import type { About, Found } from './found.ts';
import { Gap, gapBefore, type SellerText, setOf, wordAt } from './seller-text.ts';

const bodies = new Map([
  ['sedan', 'sedan'],
  ['sdn', 'sedan'],
  ['coupe', 'coupe'],
  ['cpe', 'coupe'],
  ['hatchback', 'hatchback'],
  ['wagon', 'wagon'],
  ['convertible', 'convertible'],
  ['cabriolet', 'convertible'],
  ['roadster', 'convertible'],
  ['suv', 'suv'],
  ['crossover', 'suv'],
  ['minivan', 'van'],
  ['pickup', 'truck'],
]);
const cabs = setOf('crew regular extended double quad king access super standard single club mega ext');
const doorCounts = new Map([
  ['2dr', 2],
  ['3dr', 3],
  ['4dr', 4],
  ['5dr', 5],
  ['2d', 2],
  ['3d', 3],
  ['4d', 4],
  ['5d', 5],
  ['2door', 2],
  ['4door', 4],
  ['5door', 5],
]);
const doorWords = setOf('door doors dr puertas');
const doorNumbers = new Map([
  ['2', 2],
  ['two', 2],
  ['3', 3],
  ['4', 4],
  ['four', 4],
  ['5', 5],
]);
/** Before these a body is part of a feature or of another thing. */
const bodyThings = setOf(
  'top tops mode roof seats trailer only date service wheels wheel rack bed cars suvs available',
);
const thisCar = setOf(
  'this the my a nice great clean style type body door dr 2dr 4dr 4d 2d sport luxury beautiful awesome family reliable',
);

/** A body. In a description it must be said of this car. @param own words of the car's name */
function bodyAt(text: SellerText, index: number, isHeading: boolean, own: ReadonlySet<string>): Found<string> | null {
  const word = wordAt(text, index);
  const before = wordAt(text, index - 1);
  const isBefore = gapBefore(text, index) < Gap.comma;
  const isAfter = gapBefore(text, index + 1) < Gap.comma;
  const next = isAfter ? wordAt(text, index + 1) : '';
  const found = (value: string, from = index): Found<string> => ({ value, from, to: index + 1 });
  if (word === 'cab') return isBefore && cabs.has(before) ? found('truck', index - 1) : null;
  if (word === 'supercrew' || word === 'supercab') return found('truck');
  if (word === 'utility') return isBefore && before === 'sport' ? found('suv', index - 1) : null;
  if (word === 'van')
    return isBefore && (before === 'mini' || before === 'cargo' || before === 'passenger')
      ? found('van', index - 1)
      : null;
  if (word === 'truck')
    return !isHeading && isBefore && (before === 'this' || before === 'pickup') ? found('truck') : null;
  const value = bodies.get(word);
  if (value === undefined || bodyThings.has(next)) return null;
  if (isHeading) return found(value);
  if (word === 'pickup') return next === 'truck' ? found(value) : null;
  const isNamed = own.has(before) || doorCounts.has(before) || thisCar.has(before);
  return (isBefore && isNamed) || gapBefore(text, index) === Gap.colon ? found(value) : null;
}

/** The body. Different ones state none, but for a label. */
export function readBody(text: SellerText, isHeading: boolean, { own }: About): Found<string> | null {
  let first: Found<string> | null = null;
  for (const index of text.found.body) {
    const one = bodyAt(text, index, isHeading, own);
    if (!one || !isOwn(text, one.from)) continue;
    if (first && first.value !== one.value) return null;
    first ??= one;
  }
  return first;
}

/** The number of doors: `4dr`, `2-door`, `Coupe 2D`. Different numbers state none. */
export function readDoors(text: SellerText): Found<number> | null {
  let first: Found<number> | null = null;
  for (const index of text.found.body) {
    const word = wordAt(text, index);
    const joined = doorCounts.get(word);
    const isDoors = doorWords.has(word) && gapBefore(text, index) < Gap.comma;
    const count = joined ?? (isDoors ? doorNumbers.get(wordAt(text, index - 1)) : undefined);
    const next = wordAt(text, index + 1);
    if (count === undefined || !isOwn(text, index) || next === 'locks' || next === 'handles') continue;
    if (first && first.value !== count) return null;
    first ??= { value: count, from: joined === undefined ? index - 1 : index, to: index + 1 };
  }
  return first;
}
