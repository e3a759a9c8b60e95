import { isDemand } from './contexts.ts';
import { Gap, gapBefore, isMoney, type SellerText, setOf, wordAt } from './seller-text.ts';

const periods = setOf('month months mo mos year years yr yrs day days dias meses distance');
const parts = setOf(
  'crate build engine engines motor motors transmission trans tranny tires tire brakes brake clutch battery belt pump rotors pads shocks struts turbo turbos swap rebuild block head heads gasket alternator starter rebuilt chain them these those each overhaul suspension',
);
const whole = setOf('it chassis car body odometer odo frame truck van vehicle clock dash suv');
/** Something is done at, or promised until, so many miles. */
const doneWords = setOf(
  'exceed exceeding reach reached reaching surpass past hit warranty every last lasts lasted flushed flush another next replaced changed serviced done rebuilt service maintenance tune tuneup interval intervals installed swapped until till within per since before intervals changes inspection covered expires belt least coverage swap required recommended redone overhauled',
);
/** Right before the number only. */
const directWords = setOf('in when after');
const away = setOf(
  'beyond annually yearly prior before below above from away north south east west outside range radius per round left remaining ago warranty apart each between off roundtrip until',
);
/** After `mile`, not `miles`: `100k mile service`. */
const mileThings = setOf(
  'vehicle exchange heavy warranty powertrain bumper factory extended basic limited drivetrain service services coverage maintenance tune tuneup interval intervals check checkup inspection battery oil range radius drive trip and',
);
const fillers = setOf('approx approximately about around only just over almost like roughly exactly the aprox');
const major = setOf('engine motor transmission trans tranny');
const joins = setOf('the a an my new rebuilt used this brand remanufactured reman replacement crate current');
const remade = setOf(
  'rebuilt new used replaced swapped swap crate crated reman remanufactured jasper replacement another built',
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
  // `it covered only 45,000 miles`
  if (isClose && before === 'covered' && at < number - 1) return false;
  if (isClose && (doneWords.has(before) || directWords.has(before))) return true;
  // `bought in 2021 with, at the time, 39,300 miles`
  if (before === 'time' && gapBefore(text, at + 1) <= Gap.comma) return true;
  if (isClose && before === 'as' && wordAt(text, at - 1) === 'far') return true;
  if (isClose && before === 'a' && wordAt(text, at - 1) === 'like') return true;
  const sign = text.plain
    .slice(text.ends[at], text.starts[at + 1])
    .trim()
    .slice(-1);
  if ((isClose && (before === 'at' || before === 'by' || before === 'to' || before === 'for')) || sign === '@') {
    let from = clauseStart(text, at, 8, Gap.stop);
    if (before === 'for' || before === 'to') return hasNear(text, from, at, setOfGoing);
    // `New tires, low mileage at 98,500`
    for (let label = from; label < at; label++) if (labels.has(wordAt(text, label))) from = label;
    const isEarlier = wordAt(text, at - 1) === 'owner' && laterOwners.has(wordAt(text, at - 2));
    const isPast =
      isEarlier ||
      hasNear(text, from, at, parts) ||
      hasNear(text, from, at, doneWords) ||
      hasNear(text, from, at, doneBought);
    // `radiator @ 150k`, but `now @ 150k`
    const isDated = sign === '@' && at >= from && gapBefore(text, at + 1) < Gap.stop && !now.has(wordAt(text, at));
    return isPast || isDated || before === 'by' || /^(?:time|swap)$/.test(wordAt(text, number + 2));
  }
  if (!isClose) return false;
  if (before === 'had' && hasNear(text, clauseStart(text, at, 8, Gap.stop), at, past)) return true;
  if (before === 'than' || before === 'under' || before === 'less')
    return hasNear(text, at - 4, at, doneWords) || wordAt(text, at - 1) === 'installed';
  if (major.has(before) && hasNear(text, clauseStart(text, at, 3, Gap.comma), at, remade)) return true;
  if (before === 'has' || before === 'have' || before === 'with' || before === 'w' || before === 'had') {
    const from = clauseStart(text, at, 6, Gap.comma);
    const owner = wordAt(text, at - 1);
    if (before.startsWith('ha') && parts.has(owner) && at - 1 >= from) return true;
    if (hasNear(text, from, at, doneBought)) return true;
    // `purchased it almost a year ago with 25k miles`
    if (before.startsWith('w') && hasNear(text, clauseStart(text, at, MAX_BOUGHT, Gap.comma), at, bought)) return true;
    return (
      hasNear(text, Math.max(from, at - 5), at, parts) &&
      hasNear(text, from, at, remade) &&
      !hasNear(text, at - 1, at, whole)
    );
  }
  return hasNear(text, clauseStart(text, at, 4, Gap.comma), at + 1, promise);
}
const setOfGoing = setOf(
  'good last lasts go goes run runs warranty known going drive drives easily reliable up many maintenance complimentary coverage free plan valid eligible',
);
const labels = setOf('mileage miles odometer milage');
const doneBought = setOf('purchased bought got another replaced');
const bought = setOf('purchased bought');
const laterOwners = setOf('second 2nd third 3rd fourth 4th');
const MAX_BOUGHT = 10;
const now = setOf('now currently still sitting odometer mileage miles is just');
const past = setOf('when bought purchased got then');
const promise = setOf('date purchase first warranty coverage every another until till expires covered');

const others = setOf('every vehicles cars newer trucks');
const MAX_OTHERS = 7;

const promised = setOf('warranty service services maintenance coverage protection guarantee plan trip trips exchange');
const promiseWords = setOf(
  'limited powertrain bumper to extended basic complimentary prepaid scheduled major free manufacturer factory certified mechanical comprehensive nationwide additional road heavy',
);

/** Whether a promise follows: `12,000 miles Limited Bumper to Bumper Warranty`, `30,000-mile prepaid service`. */
function isPromise(text: SellerText, end: number): boolean {
  for (let at = end; at < end + 6 && gapBefore(text, at) < Gap.comma; at++) {
    if (promised.has(wordAt(text, at))) return at > end;
    if (!promiseWords.has(wordAt(text, at))) return false;
  }
  return false;
}

const stretches = setOf('warranty coverage range tread life service maintenance free complimentary road wear');
const MIN_DRIVEN = 20_000;
/** Warranties end with no more. */
const MAX_POLICY = 12_000;

/** `300 miles of range`; not `128k miles of proven durability`. */
const isStretch = (text: SellerText, number: number, end: number): boolean =>
  wordAt(text, end) === 'of' && ((text.values[number] ?? 0) < MIN_DRIVEN || hasNear(text, end + 1, end + 5, stretches));

export const places = setOf('it odometer clock dash her body chassis car frame speedometer meter');
export const row = /^\d{1,3},\d{3}$/;
const bodies = /^(?:[2-5]d|ft)$/;
const engine = /^(?:[vwh]\d{1,2}|\d{1,2}cyl|i[3-6])$/;

const stated = /^(?:now|currently|sits|sitting)$/;

/** `it now sits at 57,200`, `a little over 228,000 on it` */
export const isStated = (text: SellerText, at: number): boolean =>
  (gapBefore(text, at) < Gap.comma && wordAt(text, at - 1) === 'at' && stated.test(wordAt(text, at - 2))) ||
  (gapBefore(text, at + 1) < Gap.comma && wordAt(text, at + 1) === 'on' && places.has(wordAt(text, at + 2)));

/** The mileage in a row of a table without its head: `<VIN> 98,500 2010 Camry`, `Sedan 4D 98,500 V6`, `4D 98,500 $6,000`. */
export function inRow(text: SellerText, at: number, year: number | null): boolean {
  if (!row.test(wordAt(text, at)) || isMoney(text, at) || gapBefore(text, at + 1) === Gap.slash) return false;
  const isAfterVin = [1, 2].some((step) => wordAt(text, at - step).length === VIN_LENGTH);
  const next = wordAt(text, at + 1);
  if (isAfterVin) return year !== null && next === String(year);
  if (year !== null && isBetween(text, at, String(year))) return true;
  const isEngine = engine.test(next) || (/^\d{1,2}$/.test(next) && wordAt(text, at + 2) === 'cyl');
  return bodies.test(wordAt(text, at - 1)) && (isEngine || isMoney(text, at + 1));
}
const VIN_LENGTH = 17;
const MAX_ROW = 9;

/** `2010 Toyota Tacoma Crew Cab 98,500 Pickup 4D`: between the car's year and its body, with nothing else than blanks. */
function isBetween(text: SellerText, at: number, year: string): boolean {
  let from = at;
  while (from > at - MAX_ROW && gapBefore(text, from) <= Gap.hyphen && wordAt(text, from) !== year) from--;
  if (wordAt(text, from) !== year) return false;
  for (let to = at + 1; to < at + MAX_ROW && gapBefore(text, to) <= Gap.hyphen; to++)
    if (bodies.test(wordAt(text, to))) return true;
  return false;
}

/** Whether a number of miles belongs to a part, a promise or a time, and not to the car. @param end what follows it */
export function isOtherThing(text: SellerText, number: number, end: number): boolean {
  // `140-160k miles`
  if (gapBefore(text, number) === Gap.hyphen && /^\d/.test(wordAt(text, number - 1))) return true;
  if (isPromise(text, end) || (wordAt(text, end) === 'when' && wordAt(text, end + 1) !== 'new')) return true;
  const next = wordAt(text, end);
  if (
    gapBefore(text, end) < Gap.comma &&
    (next === 'ago' || next === 'warranty' || wordAt(text, end + 1) === 'warranty')
  )
    return true;
  // `5 year 60,000 mile`, `3yr/36k`, `12 months or 12,000`
  const before = wordAt(text, number - 1);
  const isSlashed = text.plain[(text.starts[number] ?? 0) - 1] === '/';
  const isClose = isSlashed || gapBefore(text, number) < Gap.comma;
  const isPolicy = periods.has(before) && gapBefore(text, number) === Gap.comma && (text.values[number] ?? 0) < 5000;
  if (isPolicy) return true;
  if (isClose && (periods.has(before) || /^\d+(?:yr|yrs|mo|year|month|mos)$/.test(before))) return true;
  if (
    (before === 'or' || before === 'and') &&
    (hasNear(text, number - 3, number - 1, periods) ||
      /^\d+(?:yr|yrs|mo)$/.test(wordAt(text, number - 2)) ||
      hasNear(text, number - 6, number - 1, promise))
  )
    return true;
  // `free with all vehicles under 100,000 miles`, `3 years or 36,000 miles, whichever comes first`
  const start = clauseStart(text, number, MAX_OTHERS, Gap.stop);
  if (hasNear(text, start, number, others)) return true;
  for (let at = start; at < number; at++) if (isDemand(text, at)) return true;
  return isOnPart(text, end) || isAfterPart(text, number);
}

/** Whether a number with a unit is a distance or belongs to something else. @param isMile whether the unit is `mile` */
export function isOtherDistance(text: SellerText, number: number, end: number, isMile: boolean): boolean {
  const next = wordAt(text, end);
  if (next === 'whichever' || (next === 'when' && wordAt(text, end + 1) !== 'new')) return true;
  if (gapBefore(text, end) < Gap.comma) {
    const second = wordAt(text, end + 1);
    if (away.has(next) || (isMile && mileThings.has(next)) || isStretch(text, number, end)) return true;
    if ((next === 'out' && second === 'of') || (next === 'to' && second === 'qualify')) return true;
    if (next === 'more' && second !== 'or') return true;
    if (next === 'at' && (second === 'time' || wordAt(text, end + 2) === 'time')) return true;
    // `8,500 miles/year`, `500 mile 15 day warranty`
    if (gapBefore(text, end) === Gap.slash && periods.has(next)) return true;
    // `the first owner drove 42,000 miles in 11 years`
    if (next === 'in' && periods.has(wordAt(text, end + 2))) return true;
    const isShort = isMile || (text.values[number] ?? 0) <= MAX_POLICY;
    if (isShort && periods.has(second) && !Number.isNaN(text.values[end] ?? Number.NaN)) return true;
    if (
      next === 'a' &&
      (wordAt(text, end + 1) === 'year' || wordAt(text, end + 1) === 'day' || wordAt(text, end + 1) === 'week')
    )
      return true;
    if (next === 'or' && (wordAt(text, end + 1) === 'so' ? wordAt(text, end + 2) === 'ago' : true)) return true;
    if (parts.has(next) && (next === 'interval' || next === 'tires')) return true;
    if (wordAt(text, end + 1) === 'ago') return true;
    if ((next === 'or' || next === 'o' || next === 'and') && periods.has(wordAt(text, end + 2))) return true;
    // `1,000 mile/1 month`
    if (gapBefore(text, end) === Gap.slash && periods.has(wordAt(text, end + 1))) return true;
  }
  return isOtherThing(text, number, end);
}
