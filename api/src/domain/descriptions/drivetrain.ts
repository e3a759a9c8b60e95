import { isCompared, isDirectlyDenied, isWished } from './contexts.ts';
import type { About, Found } from './found.ts';
import { electricMotor, isEngineName, isWithMotor, ownFuels } from './fuel-contexts.ts';
import { Gap, gapBefore, type SellerText, setOf, wordAt } from './seller-text.ts';

/** Whether what begins at `index` is said of this car. */
export const isOwn = (text: SellerText, index: number): boolean =>
  !isDirectlyDenied(text, index) && !isWished(text, index) && !isCompared(text, index);

const wheels = new Map([
  ['awd', 'awd'],
  ['quattro', 'awd'],
  ['xdrive', 'awd'],
  ['4matic', 'awd'],
  ['4motion', 'awd'],
  ['shawd', 'awd'],
  ['4wd', '4wd'],
  ['4x4', '4wd'],
  ['fwd', 'fwd'],
  ['rwd', 'rwd'],
  ['2wd', '2wd'],
  ['4x2', '2wd'],
]);
const driven = new Map([
  ['all', 'awd'],
  ['four', '4wd'],
  ['4', '4wd'],
  ['front', 'fwd'],
  ['rear', 'rwd'],
  ['two', '2wd'],
  ['2', '2wd'],
]);
const driveWords = setOf('drive drv driven');
const wheelWords = setOf('wheel whl wheels whell weel');
/** What `4x4` says something about instead of the car. */
const driveThings = setOf(
  'type selector collision look looks tires wheels rims shop club parts rally style models suvs trucks vehicles cars hubs',
);

const isBoth = (text: SellerText, index: number): boolean =>
  [index, index + 1].some((at) => {
    const pair = `${wordAt(text, at - 1)}/${wordAt(text, at)}`;
    return gapBefore(text, at) === Gap.slash && (pair === '4wd/awd' || pair === 'awd/4wd');
  });

function driveAt(text: SellerText, index: number): Found<string> | null {
  const word = wordAt(text, index);
  const value = wheels.get(word.startsWith('xdrive') ? 'xdrive' : word);
  if (value !== undefined) {
    const isThing = gapBefore(text, index + 1) < Gap.comma && driveThings.has(wordAt(text, index + 1));
    // `4WD/AWD` is written for all cars that drive four wheels.
    return isThing || isBoth(text, index) ? null : { value, from: index, to: index + 1 };
  }
  if (word === 'wd') {
    const wheel = gapBefore(text, index) < Gap.comma ? wordAt(text, index - 1) : '';
    return wheel === '4' || wheel === '2' ? { value: `${wheel}wd`, from: index - 1, to: index + 1 } : null;
  }
  if (word === 'x') {
    // `4 x 4`
    const isPair =
      wordAt(text, index - 1) === '4' && gapBefore(text, index) < Gap.comma && gapBefore(text, index + 1) < Gap.comma;
    const second = wordAt(text, index + 1);
    return isPair && (second === '4' || second === '2')
      ? { value: second === '4' ? '4wd' : '2wd', from: index - 1, to: index + 2 }
      : null;
  }
  if (word === '4wheel' && driveWords.has(wordAt(text, index + 1))) return { value: '4wd', from: index, to: index + 2 };
  if (!driveWords.has(word) || gapBefore(text, index) >= Gap.comma) return null;
  const before = wordAt(text, index - 1);
  if (before === 'x') return { value: 'awd', from: index - 1, to: index + 1 };
  if (before === '4wheel') return null;
  if (!wheelWords.has(before)) return null;
  const wheel = driven.get(wordAt(text, index - 2));
  const isThing = gapBefore(text, index + 1) < Gap.comma && driveThings.has(wordAt(text, index + 1));
  return wheel === undefined || isThing || gapBefore(text, index - 1) >= Gap.comma
    ? null
    : { value: wheel, from: index - 2, to: index + 1 };
}

/** Which wheels drive. Of two readings the one that drives all wheels counts, as those cars can mostly drive two as well. */
export function readDrive(text: SellerText): Found<string> | null {
  const all: Found<string>[] = [];
  for (const index of text.found.drive) {
    const one = driveAt(text, index);
    if (one && isOwn(text, one.from) && !isOwnEnd(text, one)) all.push(one);
  }
  const values = new Set(all.map(({ value }) => value));
  const every = all.filter(({ value }) => value === 'awd' || value === '4wd');
  if (every.length > 0)
    return values.has('fwd') && !isLabelled(text, every[0] as Found<string>) && values.size > 1
      ? (firstLabelled(text, all) ?? null)
      : (every[0] ?? null);
  if (values.has('fwd') && values.has('rwd')) return firstLabelled(text, all);
  return all.find(({ value }) => value !== '2wd') ?? all[0] ?? null;
}

const isLabelled = (text: SellerText, { from }: Found<string>): boolean => gapBefore(text, from) === Gap.colon;
const firstLabelled = (text: SellerText, all: readonly Found<string>[]) =>
  all.find((one) => isLabelled(text, one)) ?? null;

/** Whether an offer of other cars follows: `AWD available`. */
const isOwnEnd = (text: SellerText, { to }: Found<string>): boolean =>
  gapBefore(text, to) < Gap.comma && (wordAt(text, to) === 'available' || wordAt(text, to) === 'optional');

const dieselNames = setOf(
  'diesel deisel diesal turbodiesel biodiesel tdi dsl duramax powerstroke cummins ecodiesel bluetec crdi',
);
const dieselThings = setOf(
  'gray grey black engines motors mechanic mechanics tech shop repair performance trucks generator parts specialist specialists fuel smell exhaust badge badges furnace heater tank',
);
const hybridNames = setOf('hybrid hybird hybred hibrido');
const gasNames = setOf('gas gasoline gasolina petrol');
const gasEngines = setOf(
  'engine engines motor v8 v6 v10 i4 i6 v4 cylinder cyl fuel vortec hemi triton automatic ethanol flex powered only vehicle truck',
);
const gasBefore = setOf(
  'v8 v6 v10 liter litre l hemi vortec triton big cyl cylinder ci cid unleaded regular type premium',
);
const gasSaving = setOf(
  'good great on save saves saver easy full of in the best new low my less your for and a with leaks',
);
const offers = setOf('of mile or and');
const hybridThings = setOf(
  'cargo net traction only related soft top ev cars vehicles models model details w wipers wiper windshield wheel wheels turbo cover rims bike bikes tires assist',
);
const savings = setOf(
  'saver savers sipper mileage saving savings guzzler friendly economy money tank cap pedal gauge leak smell milage economical efficient efficiency',
);
const electricThings = setOf('vehicle vehicles car cars');
const electricBefore = setOf('fully all 100 pure full');

const gasolineThings = setOf('generator generators can cans price prices station stations pump pumps electric or and');
const gasolineBefore = setOf('on save saves saver saving of less more and or to for buy buying electric the in');

/** `16V  GASOLINE  FRONT WHEEL DRIVE`, `a gasoline engine`; unlike gas the word says little else. */
const isBurnt = (text: SellerText, index: number): boolean =>
  !(gapBefore(text, index + 1) < Gap.comma && gasolineThings.has(wordAt(text, index + 1))) &&
  !(
    gapBefore(text, index) < Gap.comma &&
    (gasolineBefore.has(wordAt(text, index - 1)) || wordAt(text, index - 1) === 'type')
  );

const isModelList = (text: SellerText, index: number): boolean =>
  [2, 3, 4, 5, 6, 7, 8].some((step) => wordAt(text, index - step) === 'models');

/** `Every certified plug-in hybrid comes with …` is said of other cars. */
const isCertified = (text: SellerText, index: number): boolean =>
  [1, 2, 3, 4, 5, 6, 7, 8].some((step) => wordAt(text, index - step) === 'certified');

function fuelAt(text: SellerText, index: number, isHeading: boolean, about: About): Found<string> | null {
  const word = wordAt(text, index);
  const [before, next] = [wordAt(text, index - 1), wordAt(text, index + 1)];
  const isAfter = gapBefore(text, index + 1) < Gap.comma;
  // `Front shock type: gas`
  const isOther = before === 'type' && /^(?:shock|strut|spring|lift)s?$/.test(wordAt(text, index - 2));
  const isLabel =
    !isOther &&
    (gapBefore(text, index) === Gap.colon || (word === 'gasoline' && gapBefore(text, index) === Gap.blank)) &&
    (before === 'fuel' || before === 'type' || before === 'engine');
  const found = (value: string, from = index, to = index + 1): Found<string> => ({ value, from, to });
  if (word === 'phev')
    return gapBefore(text, index) === Gap.slash || next === 'battery' ? null : found('plug_in_hybrid');
  if (word === 'plugin' && hybridNames.has(next)) return found('plug_in_hybrid', index, index + 2);
  if (
    word === 'plug' &&
    next === 'in' &&
    (isAfter || (gapBefore(text, index + 1) === Gap.dash && hybridNames.has(wordAt(text, index + 2)))) &&
    !(hybridNames.has(wordAt(text, index + 2)) && hybridThings.has(wordAt(text, index + 3))) &&
    !isCertified(text, index) &&
    (isHeading || hybridNames.has(wordAt(text, index + 2)))
  )
    return found('plug_in_hybrid', index, index + 3);
  if (hybridNames.has(word)) {
    const isThing =
      isAfter &&
      (hybridThings.has(next) || wordAt(text, index + 2) === 'warranty' || wordAt(text, index + 3) === 'warranty');
    if (wordAt(text, index + 2) === 'option' || isModelList(text, index)) return null;
    // `48V mild hybrid`, `gasoline/mild electric hybrid`
    if (before === 'mild' || (before === 'electric' && wordAt(text, index - 2) === 'mild')) return null;
    const isOffer = offers.has(before) || next === 'or' || isCertified(text, index);
    if (isOffer || (next === 'electric' && wordAt(text, index + 2) === 'motor')) return null;
    return before === 'in' || before === 'plugin' || isThing ? null : found('hybrid');
  }
  if (word === 'tdi' && before === 'ignition') return null;
  if (word === 'cummins' && !isHeading && !isEngineName(text, index, about)) return null;
  if (dieselNames.has(word))
    return isAfter && dieselThings.has(next) && !(next === 'fuel' && isLabel) ? null : found('diesel');
  if (word === 'stroke')
    return before === 'power' && gapBefore(text, index) < Gap.comma ? found('diesel', index - 1) : null;
  if (word === 'flexfuel' || word === 'ffv' || word === 'e85') return found('gas');
  if (word === 'flex') return next === 'fuel' && isAfter ? found('gas', index, index + 2) : null;
  if (word === 'unleaded')
    return before === 'regular' || before === 'premium' || isLabel ? found('gas', index - 1) : null;
  if (gasNames.has(word)) {
    if (isLabel) return found('gas');
    if (isAfter && (savings.has(next) || isSeries(text, index + 1))) return null;
    if (word !== 'gas' && isBurnt(text, index)) return found('gas');
    const isEngine = isAfter && gasEngines.has(next) && (!gasSaving.has(before) || engineShape.test(next));
    const isCylinders = isAfter && /^\d{1,2}$/.test(next) && wordAt(text, index + 2) === 'cyl';
    if (isEngine || isCylinders) return found('gas', index, index + 2);
    if (!isOther && gapBefore(text, index) < Gap.comma && (gasBefore.has(before) || /^\d\.\d[lt]?$/.test(before)))
      return found('gas', index - 1);
    const isItem = gapBefore(text, index) >= Gap.comma && !isAfter && !isOther;
    return isItem || (isHeading && word === 'gas' && (!isAfter || gasBodies.test(next)) && !gasSaving.has(before))
      ? found('gas')
      : null;
  }
  if (word === 'electric' || word === 'electrico') {
    if (isCertified(text, index)) return null;
    if (isLabel && (!isAfter || next === 'motor')) return found('electric');
    if (
      electricBefore.has(before) &&
      gapBefore(text, index) < Gap.comma &&
      !(isAfter && !electricThings.has(next) && (isFeature(next) || isFeatureList(text, index + 1))) &&
      !isSeries(text, index + 1)
    )
      return found('electric', index - 1);
    return isAfter &&
      (next === 'vehicle' || next === 'car' || (next === 'engine' && before !== 'gas')) &&
      !hybridNames.has(before) &&
      before !== 'or'
      ? found('electric', index, index + 2)
      : null;
  }
  if (word === 'bev') return found('electric');
  if (word === 'ev') return isHeading && next !== 'mode' ? found('electric') : null;
  return null;
}

const gasBodies = /^(?:sedan|coupe|wagon|hatchback|suv|truck|van|convertible)$/;
const engineShape = /^[ivlh]\d{1,2}$/;
/** `a fully electric Polestar model` is offered besides. */
const isSeries = (text: SellerText, index: number): boolean =>
  [0, 1, 2].some((step) => /^(?:models?|lineup|vehicles)$/.test(wordAt(text, index + step)));

const features = setOf(
  'front rear heated windows window locks mirrors seats seat everything power doors steering start fan fans trunk brake sunroof',
);
const isFeature = (word: string): boolean => features.has(word);
/** `and heated seats` */
const isFeatureList = (text: SellerText, index: number): boolean =>
  wordAt(text, index) === 'and' && [1, 2].some((step) => isFeature(wordAt(text, index + step)));

/** The fuel. A hybrid says of itself that it burns gas; several other fuels state none. */
export function readFuel(text: SellerText, isHeading: boolean, about: About): Found<string> | null {
  if (text.found.fuel.length === 0) return null;
  const found: Found<string>[] = [];
  for (const index of text.found.fuel) {
    const one = fuelAt(text, index, isHeading, about);
    if (one && isOwn(text, one.from)) found.push(one);
  }
  const all = ownFuels(text, found);
  if (all.length === 0) return electricMotor(text);
  const first = (value: string) => all.find((one) => one.value === value) ?? null;
  const mixed = first('plug_in_hybrid') ?? first('hybrid');
  if (mixed) return mixed;
  const values = new Set(all.map(({ value }) => value));
  if (values.size > 1) return firstLabelled(text, all);
  const only = all[0] ?? null;
  return only?.value === 'gas' && isWithMotor(text, only) ? { ...only, value: 'hybrid' } : only;
}
