import { isDirectlyDenied, isWished } from './contexts.ts';
import type { About, Found } from './found.ts';
import { Gap, gapBefore, type SellerText, setOf, wordAt } from './seller-text.ts';

type Gears = 'automatic' | 'manual';
interface Reading extends Found<Gears> {
  /** How clearly it is about the gears. */
  score: number;
}

const automatics = setOf('automatic automatico automatica automactic automic autmatic');
const manuals = setOf('manual manuel');
const boxes = setOf('transmission trans tranny tran tr transm transmision gearbox gear gears shift shifter');
const speeds = setOf('speed speeds spd sp velocidades');
const alwaysAutomatic = setOf(
  'cvt ecvt ivt xtronic tiptronic steptronic shiftronic dsg dct pdk sportronic 5at 6at 7at 8at 9at 10at',
);
const joinedManual = setOf('5mt 6mt');
const joinedSpeeds = new Map([
  ['4spd', 4],
  ['5spd', 5],
  ['6spd', 6],
  ['5sp', 5],
  ['6sp', 6],
  ['5speed', 5],
  ['6speed', 6],
  ['4speed', 4],
]);
/** What is automatic in a car beside its gears. */
const automaticThings = setOf(
  'exterior interior lamps sensor sensors window windows lock locks locking door doors headlight headlights headlamp headlamps lights light lamps climate start starter starts temp temperature trunk hatch liftgate liftback tailgate lift gate mirror mirrors seat seats wiper wipers braking brake brakes emergency high highbeams highbeam beam beams dim dimming air ac a collision crash cruise leveling level levelling suspension parking park equalizer on off full fulltime full dual rear side sliding sunroof moonroof roof top convertible soft hardtop tire payment payments bank withdrawal approval email wash hood stop hitch hubs fold folding retractable running step steps boards ride height rain self belt belts seatbelt seatbelts steering charge charging antenna sprinkler garage notification notifications day voice dimmer entry call sensing recirculation delay digital heated panic adjusting climate control controls heat heater defrost power programmed driver shoulder spoiler response post dampening damping zone radio hid xenon volume engage engagement feature features lamp opener high-beam vehicle pedestrian',
);
/** What may follow `manual` when it says which gears a car has. */
const afterManual = setOf(
  'runs run clean good great nice awd rwd fwd 4wd 2wd 4x4 v6 v8 4cyl 6cyl car truck coupe sedan convertible low tags cold title very but fun turbo must needs no all power leather new smog',
);
/** Parts that are moved by hand, in lists: `Recliner, manual`. */
const seats = setOf(
  'roof top rear recliner recline seat seats mirror mirrors control selector adjustments adjustment function adjustable hubs folding lumbar steering headrests restraints sunroof liftgate tailgate ac air climate windows window locks type',
);
const manualBefore = setOf(
  'users owners owner service shop repair haynes chilton the books original factory workshop user and all',
);
/** Companies and places: `Gray's Auto Sales`. */
const autoThings = setOf(
  'sales sale parts part group body repair glass mart center centre dealer dealers loan loans insurance credit start starter starting show shows plaza mall outlet world wholesale brokers broker city auction auctions haus land detail detailing shop stores store check finance financing exchange connection service services world dim dimming dim lights headlights headlamps climate ac door doors locks lock window windows up down park parking hold high trader traders zone stop temp temperature mirrors mirror sport company inc llc care mechanic leveling level hub equip imports max nation source express direct rv salvage wreckers painting motors industry technician transport shipping club racing on off beam highbeam collectors buyers seat dimming tint wash pilot power app link',
);
const driveWords = setOf('v6 v8 v4 4cyl 6cyl awd 4wd 4x4 fwd rwd 2wd 4 6 8 ac cold power clean');

const gearLabels = setOf('transmission trans tranny transmision gearbox');

/** A label right before: `transmission: automatic`, `trans auto`. */
const isLabelled = (text: SellerText, index: number): boolean => {
  const before = wordAt(text, index - 1);
  if (gearLabels.has(before)) return gapBefore(text, index) <= Gap.dash;
  return (
    (before === 'type' || before === 'is') &&
    gearLabels.has(wordAt(text, index - 2)) &&
    gapBefore(text, index) <= Gap.colon
  );
};
const speedBefore = (text: SellerText, index: number): boolean =>
  gapBefore(text, index) < Gap.comma &&
  (speeds.has(wordAt(text, index - 1)) ||
    joinedSpeeds.has(wordAt(text, index - 1)) ||
    /^\d{1,2}(?:spd|speed|sp)$/.test(wordAt(text, index - 1)));

const few = setOf('with w wm sport mode manumatic paddle');

const engines = setOf('v6 v8 v4 i4 4cyl 6cyl cyl cylinder awd 4wd 4x4 fwd rwd 2wd coupe sedan door 4dr 2dr engine');
/** `V6 automatic`, `2.4L automatic`, `4 door automatic`. */
const isAfterEngine = (text: SellerText, index: number): boolean =>
  gapBefore(text, index) < Gap.dash &&
  (engines.has(wordAt(text, index - 1)) || /^\d\.\d[lt]?$/.test(wordAt(text, index - 1)));

function automaticAt(text: SellerText, index: number): Reading | null {
  const isAfter = gapBefore(text, index + 1) < Gap.comma;
  const next = wordAt(text, index + 1);
  const found = (score: number, to = index + 1): Reading => ({ value: 'automatic', from: index, to, score });
  if (isAfter && boxes.has(next)) return found(4, index + 2);
  if (isLabelled(text, index) || speedBefore(text, index)) return found(4);
  if (isAfter && speeds.has(wordAt(text, index + 2)) && !Number.isNaN(text.values[index + 1] ?? Number.NaN))
    return found(4, index + 3);
  if (isAfterEngine(text, index)) return found(3);
  if (isAfter && (automaticThings.has(next) || (gapBefore(text, index + 1) === Gap.hyphen && next !== 'v6')))
    return null;
  const before = wordAt(text, index - 1);
  if (gapBefore(text, index) < Gap.comma && (before === 'zone' || before === 'are' || (before === 'fully' && isAfter)))
    return null;
  return found(isAfter ? 2 : 3);
}

function autoAt(text: SellerText, index: number, isHeading: boolean): Reading | null {
  const [before, next] = [wordAt(text, index - 1), wordAt(text, index + 1)];
  const isAfter = gapBefore(text, index + 1) < Gap.comma;
  const found = (score: number, to = index + 1): Reading => ({ value: 'automatic', from: index, to, score });
  if (isAfter && boxes.has(next)) return found(4, index + 2);
  if (isLabelled(text, index) || speedBefore(text, index)) return found(4);
  // `Auto HD 6-Spd SelShft`
  if (isAfter && next === 'hd' && speeds.has(wordAt(text, index + 3))) return found(4, index + 4);
  // `Auto 10-Spd`
  if (isAfter && speeds.has(wordAt(text, index + 2)) && !Number.isNaN(text.values[index + 1] ?? Number.NaN))
    return found(4, index + 3);
  if (isAfter && autoThings.has(next)) return null;
  // `DIESEL AUTO 272K`
  if (isAfter && (text.values[index + 1] ?? 0) >= MIN_MILES) return found(2);
  const isItemStart = gapBefore(text, index) >= Gap.comma || gapBefore(text, index) === Gap.slash;
  if (isItemStart && (!isAfter || driveWords.has(next) || /^\d\.\d/.test(next))) return found(2);
  const isEngine = isAfterEngine(text, index);
  if (isEngine && (!isAfter || driveWords.has(next) || isHeading)) return found(2);
  if (before === 'a' && /^(?:19|20)\d\d$/.test(next)) return found(1);
  const isNumber = !Number.isNaN(text.values[index + 1] ?? Number.NaN);
  return isHeading &&
    (!isAfter || isNumber || driveWords.has(next)) &&
    gapBefore(text, index) < Gap.comma &&
    !before.endsWith('s')
    ? found(1)
    : null;
}

function manualAt(text: SellerText, index: number, isHeading: boolean): Reading | null {
  const [before, next] = [wordAt(text, index - 1), wordAt(text, index + 1)];
  const gap = gapBefore(text, index);
  const isAfter = gapBefore(text, index + 1) < Gap.comma;
  const found = (score: number, to = index + 1): Reading => ({ value: 'manual', from: index, to, score });
  const isMode = few.has(before) && gap < Gap.comma;
  if (isAfter && boxes.has(next)) {
    const isGearMode = isMode && (next.startsWith('shift') || next.startsWith('gear'));
    return isGearMode || wordAt(text, index + 2) === 'mode' ? null : found(4, index + 2);
  }
  if (isAfter && next === 'mode') return null;
  // `Auto 7-Spd Manual` has a mode in which one shifts.
  if (speedBefore(text, index) && isAutomatic(wordAt(text, index - 3)) && gapBefore(text, index - 2) < Gap.comma)
    return null;
  if (isLabelled(text, index) || speedBefore(text, index)) return found(4);
  const isNumber = !Number.isNaN(text.values[index + 1] ?? Number.NaN);
  if (isAfter && isNumber && speeds.has(wordAt(text, index + 2))) return found(4, index + 3);
  if (gap < Gap.comma && (manualBefore.has(before) || isMode)) return null;
  // `Rearview mirror: manual`
  if ((gap === Gap.colon || gap === Gap.dash) && seats.has(before)) return null;
  if (!isAfter) return seats.has(before) && gap < Gap.stop ? null : found(3);
  const isMiles = isNumber && /^(?:miles?|k|mi)$/.test(wordAt(text, index + 2));
  return isMiles || afterManual.has(next) || (isHeading && !seats.has(next)) ? found(1) : null;
}

function speedAt(text: SellerText, index: number, year: number | null): Reading | null {
  const joined = joinedSpeeds.get(wordAt(text, index));
  const from = joined === undefined ? index - 1 : index;
  const count = joined ?? (gapBefore(text, index) < Gap.comma ? speedNumber(wordAt(text, index - 1)) : null);
  if (count === null || count < 4 || count > 6) return null;
  const next = wordAt(text, index + 1);
  if (gapBefore(text, index + 1) < Gap.slash) {
    if (speedThings.has(next) || /^\d\.\d/.test(next)) return null;
    // `Auto 6-Spd Manual` has a mode in which one shifts.
    if (manuals.has(next) && isAutomatic(wordAt(text, from - 1))) return null;
    if (manuals.has(next) || next === 'stick' || next === 'standard') {
      return { value: 'manual', from, to: index + 2, score: 4 };
    }
  }
  // `6-speed SelectShift automatic`
  for (let at = from - 2; at <= index + MAX_SPEED_NAME; at++) if (isAutomatic(wordAt(text, at))) return null;
  // Later cars with four gears are mostly automatic.
  if (count === 4 && !(year !== null && year < LAST_FOUR_GEARS)) return null;
  return { value: 'manual', from, to: index + 1, score: 1 };
}
const MAX_SPEED_NAME = 6;
const speedThings = setOf(
  'dual fan shiftable wipers wiper blower bike bicycle rear paddle electronic a at intermittent selshft selectshift skyactiv drivetrain',
);
const isAutomatic = (word: string): boolean =>
  automatics.has(word) || word.startsWith('automatic') || word === 'auto' || alwaysAutomatic.has(word);
const LAST_FOUR_GEARS = 1985;
const MIN_MILES = 10_000;
const speedNumber = (word: string): number | null => {
  const named = { four: 4, five: 5, six: 6 }[word];
  return named ?? (/^\d$/.test(word) ? Number(word) : null);
};

const stickBefore = setOf('a is its 6 5 manual shift speed spd original the');

function stickAt(text: SellerText, index: number, isHeading: boolean): Reading | null {
  const next = wordAt(text, index + 1);
  const isAfter = gapBefore(text, index + 1) < Gap.comma;
  const found = (score: number, to = index + 1): Reading => ({ value: 'manual', from: index, to, score });
  if (isAfter && next === 'shift') return found(4, index + 2);
  if (isLabelled(text, index) || speedBefore(text, index)) return found(4);
  const isItem = gapBefore(text, index) >= Gap.comma && !isAfter;
  return isItem || isHeading || (!isAfter && stickBefore.has(wordAt(text, index - 1))) ? found(2) : null;
}

function standardAt(text: SellerText, index: number): Reading | null {
  const next = wordAt(text, index + 1);
  const isAfter = gapBefore(text, index + 1) < Gap.comma;
  const found = (to = index + 1): Reading => ({ value: 'manual', from: index, to, score: 4 });
  if (isAfter && boxes.has(next)) return found(index + 2);
  return isLabelled(text, index) || speedBefore(text, index) ? found() : null;
}

function readingAt(text: SellerText, index: number, isHeading: boolean, year: number | null): Reading | null {
  const word = wordAt(text, index);
  if (automatics.has(word)) return automaticAt(text, index);
  if (word === 'auto') return autoAt(text, index, isHeading);
  if (manuals.has(word)) return manualAt(text, index, isHeading);
  if (word === 'stick') return stickAt(text, index, isHeading);
  if (word === 'standard' || word === 'estandar') return standardAt(text, index);
  if (alwaysAutomatic.has(word)) return { value: 'automatic', from: index, to: index + 1, score: 4 };
  if (word === 'continuously') {
    const isGears = wordAt(text, index + 1) === 'variable' && wordAt(text, index + 2) !== 'valve';
    return isGears ? { value: 'automatic', from: index, to: index + 2, score: 4 } : null;
  }
  if (word === 'clutch') {
    const isDual = wordAt(text, index - 1) === 'dual' && gapBefore(text, index) < Gap.comma;
    return isDual ? { value: 'automatic', from: index - 1, to: index + 1, score: 4 } : null;
  }
  if (joinedManual.has(word)) return { value: 'manual', from: index, to: index + 1, score: 4 };
  if (word === 't') {
    // `6-speed A/T`; all-terrain tires are called so too.
    const letter = wordAt(text, index - 1);
    if (
      gapBefore(text, index) !== Gap.slash ||
      (letter !== 'a' && letter !== 'm') ||
      !(speedBefore(text, index - 1) || isLabelled(text, index - 1))
    )
      return null;
    return { value: letter === 'a' ? 'automatic' : 'manual', from: index - 1, to: index + 1, score: 4 };
  }
  return speeds.has(word) || joinedSpeeds.has(word) ? speedAt(text, index, year) : null;
}

/** The transmission that a text states. Of contradicting readings the one that names the gears counts; equal ones state none. */
export function readGears(text: SellerText, isHeading: boolean, { year }: About): Found<Gears> | null {
  let best: Reading | null = null;
  let isDisputed = false;
  for (const index of text.found.gears) {
    const one = readingAt(text, index, isHeading, year);
    if (!one || isDirectlyDenied(text, one.from) || isWished(text, one.from)) continue;
    if (best && one.value !== best.value && one.score === best.score) isDisputed = true;
    if (!best || one.score > best.score) {
      isDisputed = false;
      best = one;
    }
  }
  return isDisputed ? null : best;
}
