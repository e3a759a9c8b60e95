import { Gap, gapBefore, type SellerText, setOf, wordAt } from './seller-text.ts';

const periods = setOf('month months mo mos year years yr yrs day days');
const parts = setOf(
  'engine engines motor motors transmission trans tranny tires tire brakes brake clutch battery belt pump rotors pads shocks struts turbo turbos swap rebuild block head heads gasket alternator starter rebuilt chain them these those each overhaul suspension',
);
const whole = setOf('it chassis car body odometer odo frame truck van vehicle clock dash suv');
/** Something is done at, or promised until, so many miles. */
const doneWords = setOf(
  'warranty every last lasts another next replaced changed serviced done rebuilt service maintenance tune tuneup interval intervals installed swapped until till within per since before intervals changes inspection covered expires belt least coverage swap required recommended redone overhauled',
);
const away = setOf(
  'from away north south east west of outside range radius per round left remaining ago warranty apart each between off roundtrip until',
);
/** After `mile`, not `miles`: `100k mile service`. */
const mileThings = setOf(
  'warranty powertrain bumper factory extended basic limited drivetrain service services coverage maintenance tune tuneup interval intervals check checkup inspection battery oil range radius drive trip and',
);
const fillers = setOf('approx approximately about around only just over almost like roughly exactly the aprox');
const joins = setOf('the a an my new rebuilt used this brand remanufactured reman replacement crate current');
const remade = setOf(
  'rebuilt new used replaced swapped swap crate reman remanufactured jasper replacement another built',
);

const hasNear = (text: SellerText, from: number, to: number, set: ReadonlySet<string>): boolean => {
  for (let at = Math.max(0, from); at < to; at++) if (set.has(wordAt(text, at))) return true;
  return false;
};

/** The first word of the part of the sentence that the word at `index` is in, at most `most` words before. */
function clauseStart(text: SellerText, index: number, most: number, gap: Gap): number {
  let at = index;
  while (at > 0 && index - at < most && gapBefore(text, at) < gap) at--;
  return at;
}

/** Whether what follows says whose miles they are: `on new engine`, `on the tires`, `since rebuild`. */
function isOnPart(text: SellerText, end: number): boolean {
  const next = wordAt(text, end);
  if (gapBefore(text, end) >= Gap.comma || (next !== 'on' && next !== 'since' && next !== 'after' && next !== 'in'))
    return false;
  for (let at = end + 1; at <= end + 4 && gapBefore(text, at) < Gap.comma; at++) {
    const word = wordAt(text, at);
    if (parts.has(word)) return true;
    if (whole.has(word)) return false;
    if (!joins.has(word) && !/^[a-z]*\d/.test(word)) return next === 'since';
  }
  return false;
}

/** Whether the words before say it: `every 3,000 miles`, `timing belt at 90k`, `rebuilt engine with 60k`. */
function isAfterPart(text: SellerText, number: number): boolean {
  let at = number - 1;
  while (at > number - 4 && gapBefore(text, at + 1) < Gap.comma && fillers.has(wordAt(text, at))) at--;
  const before = wordAt(text, at);
  const isClose = gapBefore(text, at + 1) < Gap.comma;
  if (isClose && doneWords.has(before)) return true;
  const sign = text.plain[(text.starts[at + 1] ?? 0) - 1];
  if ((isClose && (before === 'at' || before === 'by' || before === 'to' || before === 'for')) || sign === '@') {
    const from = clauseStart(text, at, 8, Gap.stop);
    if (before === 'for' || before === 'to') return hasNear(text, from, at, setOfGoing);
    return hasNear(text, from, at, parts) || hasNear(text, from, at, doneWords) || before === 'by';
  }
  if (!isClose) return false;
  if (before === 'than' || before === 'under' || before === 'less')
    return hasNear(text, at - 4, at, doneWords) || wordAt(text, at - 1) === 'installed';
  if (before === 'has' || before === 'have' || before === 'with' || before === 'w' || before === 'had') {
    const from = clauseStart(text, at, 6, Gap.comma);
    const owner = wordAt(text, at - 1);
    if (before.startsWith('ha') && parts.has(owner) && at - 1 >= from) return true;
    if (hasNear(text, from, at, doneBought)) return true;
    return hasNear(text, Math.max(from, at - 3), at, parts) && hasNear(text, from, at, remade);
  }
  return hasNear(text, clauseStart(text, at, 4, Gap.comma), at + 1, promise);
}
const setOfGoing = setOf('good last lasts go goes run runs warranty known going drive drives easily reliable up many');
const doneBought = setOf('purchased bought another replaced');
const promise = setOf('warranty every another until expires covered');

/** Whether a number of miles belongs to a part, a promise or a time, and not to the car. @param end what follows it */
export function isOtherThing(text: SellerText, number: number, end: number): boolean {
  const next = wordAt(text, end);
  if (
    gapBefore(text, end) < Gap.comma &&
    (next === 'ago' || next === 'warranty' || wordAt(text, end + 1) === 'warranty')
  )
    return true;
  // `5 year 60,000 mile`, `3yr/36k`, `12 months or 12,000`
  const before = wordAt(text, number - 1);
  const isClose = gapBefore(text, number) < Gap.comma;
  if (isClose && (periods.has(before) || /^\d+(?:yr|yrs|mo|year|month|mos)$/.test(before))) return true;
  if (
    before === 'or' &&
    (hasNear(text, number - 3, number - 1, periods) || hasNear(text, number - 6, number - 1, promise))
  )
    return true;
  return isOnPart(text, end) || isAfterPart(text, number);
}

/** Whether a number with a unit is a distance or belongs to something else. @param isMile whether the unit is `mile` */
export function isOtherDistance(text: SellerText, number: number, end: number, isMile: boolean): boolean {
  const next = wordAt(text, end);
  if (gapBefore(text, end) < Gap.comma) {
    if (away.has(next) || (isMile && mileThings.has(next))) return true;
    if (
      next === 'a' &&
      (wordAt(text, end + 1) === 'year' || wordAt(text, end + 1) === 'day' || wordAt(text, end + 1) === 'week')
    )
      return true;
    if (next === 'or' && (wordAt(text, end + 1) === 'so' ? wordAt(text, end + 2) === 'ago' : true)) return true;
    if (parts.has(next) && (next === 'interval' || next === 'tires')) return true;
    if (wordAt(text, end + 1) === 'ago') return true;
  }
  return isOtherThing(text, number, end);
}
