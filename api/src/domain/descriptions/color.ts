import { colorOfWord } from '../facts/facts-from-text.ts';
import { isDirectlyDenied, isWished } from './contexts.ts';
import type { About, Found } from './found.ts';
import { Gap, gapBefore, type SellerText, setOf, wordAt } from './seller-text.ts';

interface Reading extends Found<string> {
  score: number;
}

/** Words that are little else than a color, so that they need no label. */
const basic = new Map(
  [
    ...'black white silver gray grey blue red green yellow orange brown gold beige tan maroon burgundy purple charcoal champagne navy'.split(
      ' ',
    ),
  ].flatMap((word) => {
    const color = colorOfWord.get(word);
    return color === undefined ? [] : [[word, color] as const];
  }),
);
for (const [word, color] of Object.entries({ blk: 'black', wht: 'white', slvr: 'silver' })) basic.set(word, color);
const spanish = new Map(
  Object.entries({
    negro: 'black',
    negra: 'black',
    blanco: 'white',
    blanca: 'white',
    plateado: 'silver',
    plata: 'silver',
    gris: 'gray',
    azul: 'blue',
    rojo: 'red',
    roja: 'red',
    verde: 'green',
    amarillo: 'yellow',
    cafe: 'brown',
    dorado: 'gold',
    naranja: 'orange',
    guindo: 'red',
  }),
);
/** Shades that name another thing too often to count without a color. */
const vague = setOf(
  'pearl steel frost snow jet sand cream cherry wine rust sage almond crystal lime lemon slate forest copper',
);
/** What may stand beside a color and belongs to it. */
const tints = setOf(
  'charcoal navy dark light lt dk metallic met pearl deep bright mica super crystal summit alpine brilliant midnight jet pure candy cherry ruby royal electric sky baby hunter forest lime sea blizzard polar arctic oxford ivory classic galaxy magnetic ingot sterling carbon gun gunmetal matte flat gloss satin glossy pearlescent tricoat pearlcoat tri coat clearcoat diamond obsidian tuxedo space atomic modern lunar urban ice platinum graphite quartz mineral phantom monaco imperial titanium sparkling victory inferno crimson cardinal racing flame torch absolute super2 sonic taffeta shadow stone pacific vista nautical marine liquid british cashmere desert sandstone autumn savannah millennium vivid',
);
/** What is painted or covered in a color beside the car's outside. */
const things = setOf(
  'leather interior interiors int inside seats seat seating rims rim wheels wheel tires tire top roof tint tinted windows window cloth carpet carpets dash dashboard trim trimmed grille grill stripe stripes striping book smoke light lights title titles tooth box plate plates label edition package pkg caliper calipers brake brakes badge badges emblem emblems bumper bumpers hood door doors mirrors mirror headlights headlight taillights housing halo pages river friday ice wall walls letter letters lettering sox hawk flag sticker tag tags suede alcantara vinyl upholstery canvas soft hard hardtop softtop flares accents accent powder billet magic key slip sport oval certified star cross bull card stitching piping inserts insert belts ops lake rock springs spring bay plains beach bluff valley county city belt bar rack racks bed cover liner decal decals spoiler molding mats mat console lip chrome screen ovals head exhaust tailgate tips logo rings center caps mudguards mirror mirrors trim package handles handle badging badging wing moldings molding keys wire wires fox line moon pill led leds bow fleet optics hide velour',
);
const insides = setOf(
  'interior int inside leather seats seat cloth upholstery wheel wheels rim rims top roof carpet trim caliper stripe stripes tint glass dash stitching accent',
);
const labels = setOf('color colour exterior ext paint');
const labelOwners = setOf(
  'exterior ext paint vehicle body the its main factory outside oem original color colour nice beautiful and title green',
);
const linkWords = setOf('is was in paint color colour exterior ext the a of body finish');
const colorIndex = (word: string): string | undefined => basic.get(word);

/** The color after a label: `exterior color: Summit White`, `color is black`, `ext: dark gray metallic`. */
function afterLabel(text: SellerText, label: number): Reading | null {
  const owner = wordAt(text, label - 1);
  if (insides.has(owner) && gapBefore(text, label) < Gap.stop) return null;
  // `Grille color: black`
  if (gapBefore(text, label) < Gap.comma && !labelOwners.has(owner) && !thisCar.has(owner)) return null;
  let at = label + 1;
  let isLinked = false;
  for (; at <= label + 4; at++) {
    const gap = gapBefore(text, at);
    if (gap === Gap.stop || gap === Gap.comma) return null;
    if (gap === Gap.colon || gap === Gap.dash || gap === Gap.hyphen) isLinked = true;
    const word = wordAt(text, at);
    if (insides.has(word)) return null;
    if (!linkWords.has(word)) break;
    if (word === 'is' || word === 'color' || word === 'colour') isLinked = true;
  }
  const isColorLabel = wordAt(text, label) === 'color' || wordAt(text, label) === 'colour';
  let shade: Reading | null = null;
  for (let next = at; next < at + 5; next++) {
    if (next > at && gapBefore(text, next) >= Gap.slash && gapBefore(text, next) !== Gap.dash) break;
    if (next > at && gapBefore(text, next) === Gap.dash) break;
    const word = wordAt(text, next);
    if (insides.has(word) || word === 'with' || word === 'no' || word === 'good') break;
    const color = colorIndex(word) ?? (isColorLabel ? spanish.get(word) : undefined);
    if (color !== undefined) {
      const after = wordAt(text, next + 1);
      if (gapBefore(text, next + 1) < Gap.comma && (insides.has(after) || things.has(after))) return null;
      if (!isLinked && next > at && !tints.has(wordAt(text, at))) return null;
      return { value: color, from: label, to: next + 1, score: 4 };
    }
    const shaded = colorOfWord.get(word);
    if (shaded !== undefined && !vague.has(word) && isLinked)
      shade = { value: shaded, from: label, to: next + 1, score: 3 };
    else if (!isLinked && !tints.has(word)) break;
  }
  return shade;
}

/** The index after the tints that follow a color. */
function afterTints(text: SellerText, index: number): number {
  let at = index + 1;
  while (
    at <= index + 3 &&
    gapBefore(text, at) < Gap.comma &&
    tints.has(wordAt(text, at)) &&
    !things.has(wordAt(text, at))
  )
    at++;
  return at;
}

function beforeTints(text: SellerText, index: number): number {
  let at = index;
  while (at > index - 3 && gapBefore(text, at) < Gap.comma && tints.has(wordAt(text, at - 1))) at--;
  return at;
}

const finishes = setOf('metallic pearl clearcoat mica tricoat pearlcoat');

/** Whether a color and what is covered in it begin at `index`: `Black Cloth`, `Jet Black Leather`. */
function isInside(text: SellerText, index: number): boolean {
  for (let at = index; at < index + 3 && (at === index || gapBefore(text, at) < Gap.comma); at++)
    if (colorIndex(wordAt(text, at)) !== undefined)
      return gapBefore(text, at + 1) < Gap.comma && covers.has(wordAt(text, at + 1));
  return false;
}

const overs = setOf('on over');
const bodies = setOf(
  'sedan coupe convertible suv truck pickup van wagon hatchback car beauty minivan roadster crossover jeep',
);
const thisCar = setOf('car truck van suv its it vehicle sedan coupe jeep she pickup');
const afterTitle = setOf(
  'with w on over clean low only automatic auto manual awd 4x4 4wd fwd v6 v8 4cyl sedan coupe runs great nice excellent for 4dr 2dr 4d 2d 4 5 6 fully loaded one 1 super very suv truck convertible good leather hybrid best mint in salvage gas great must no',
);
const paintedCar = setOf('is was been professionally newly freshly recently just car truck and it fully completely');
const covers = setOf('interior leather cloth seats int inside suede upholstery');

/** A color that needs no label: `silver 2012 Camry`, `black on black`, `white exterior`. */
function colorAt(text: SellerText, index: number, isHeading: boolean, own: ReadonlySet<string>): Reading | null {
  const value = colorIndex(wordAt(text, index));
  if (value === undefined) return null;
  const start = beforeTints(text, index);
  const end = afterTints(text, index);
  const gap = gapBefore(text, end);
  const next = wordAt(text, end);
  const before = wordAt(text, start - 1);
  const isBefore = gapBefore(text, start) < Gap.comma;
  const found = (score: number, to = end): Reading => ({ value, from: start, to, score });
  const isAfter = gap < Gap.comma;
  const over = overs.has(next) || gap === Gap.slash;
  if (isAfter && (next === 'exterior' || next === 'ext')) {
    const after = wordAt(text, end + 1);
    const isThing = gapBefore(text, end + 1) < Gap.comma && (things.has(after) || bodies.has(after));
    return isThing ? null : found(3, end + 1);
  }
  // The second of `black on tan` is the inside.
  if (
    isBefore &&
    (overs.has(before) || gapBefore(text, start) === Gap.slash) &&
    colorIndex(wordAt(text, start - (overs.has(before) ? 2 : 1))) !== undefined
  )
    return null;
  if (isBefore && insides.has(before)) return null;
  if (isAfter && (next === 'paint' || next === 'color' || next === 'colour')) {
    if (things.has(wordAt(text, end + 1)) && gapBefore(text, end + 1) < Gap.comma) return null;
    if (wordAt(text, end + 1) === 'only' && gapBefore(text, end + 1) < Gap.comma) return null;
    if (covers.has(wordAt(text, end + 1)) && gapBefore(text, end + 1) < Gap.comma) return null;
    if (before === 'is' && wordAt(text, start - 2) === 'there') return null;
    return insides.has(before) ? null : found(next === 'paint' ? 2 : 3, end + 1);
  }
  // `with beige/tan interior`
  const isInner = isBefore && (before === 'with' || before === 'w' || before === 'and' || before === 'a');
  const reach = before === 'and' ? [0, 1, 2, 3, 4] : [0, 1, 2];
  if (isInner && reach.some((step) => covers.has(wordAt(text, end + step)))) return null;
  if (isAfter && over) {
    const second = overs.has(next) ? end + 1 : end;
    const inner = colorIndex(wordAt(text, second)) ?? colorIndex(wordAt(text, second + 1));
    const after = wordAt(text, second + 1);
    if (inner === undefined || (gap === Gap.slash && (covers.has(after) || things.has(after)))) return null;
    const isClosed = overs.has(next) || isHeading || gapBefore(text, second + 1) >= Gap.comma;
    return isClosed ? found(gap === Gap.slash ? 2 : 3, second + 1) : null;
  }
  if (isAfter && (next === 'with' || next === 'w')) {
    for (let at = end + 1; at <= end + 4; at++)
      if (
        covers.has(wordAt(text, at)) &&
        gapBefore(text, at) < Gap.comma &&
        (colorIndex(wordAt(text, at - 1)) !== undefined || wordAt(text, at) === 'interior')
      )
        return found(3);
  }
  if (isAfter && things.has(next)) return null;
  const isItem = !isHeading && !isBefore && gapBefore(text, start) !== Gap.colon;
  // `FWD, Silver, Black Cloth`
  if (isItem && gap === Gap.comma && isInside(text, end)) return found(2);
  // `Bright White Clearcoat`: little else of a car is painted so.
  if (isItem && gap >= Gap.comma && end > index + 1 && finishes.has(wordAt(text, end - 1))) return found(2);
  if (isBefore && before === 'painted') {
    const isWhole = gapBefore(text, start - 1) >= Gap.comma || paintedCar.has(wordAt(text, start - 2));
    return !isWhole || (isAfter && next !== 'with') ? null : found(2);
  }
  if (isAfter && (own.has(next) || bodies.has(next))) {
    let last = end;
    while (own.has(wordAt(text, last + 1)) && gapBefore(text, last + 1) < Gap.comma) last++;
    const isThing = gapBefore(text, last + 1) < Gap.comma && things.has(wordAt(text, last + 1));
    // `Green Car Journal`
    if (isThing || (value === 'green' && (next === 'car' || next === 'truck'))) return null;
    return isPart(text, start) ? null : found(2, end + 1);
  }
  const isNamed = isBefore && own.has(before);
  if (isNamed && (!isAfter || (isHeading && afterTitle.has(next)) || next === 'with')) return found(2);
  if (
    isBefore &&
    before === 'is' &&
    thisCar.has(wordAt(text, start - 2)) &&
    (!isAfter || next === 'with' || next === 'and' || next === 'it')
  )
    return isAfter && next !== 'with' ? found(1) : found(2);
  // `Charcoal Gray` on a line of its own.
  const isLine =
    gapBefore(text, start) === Gap.stop && ((gap === Gap.stop && isLineEnd(text, end)) || (isAfter && next === 'with'));
  if (isBefore && before === 'triple' && value === 'black' && !isAfter) return found(2);
  const isTitled = isHeading && index > 0 && gapBefore(text, start) >= Gap.comma && !isAfter;
  return isLine || isTitled ? found(1) : null;
}

/** Whether only a line's end follows, and no further part of a list. */
const isLineEnd = (text: SellerText, index: number): boolean =>
  index >= text.words.length ||
  /^[^;]{0,9}[\n|*•]/.test(text.plain.slice(text.ends[index - 1], text.starts[index]).slice(0, 20));

const others = setOf('than like trade same another other parts off from rims');
/** Whether the words before speak of something of the car, or of another car. */
const isPart = (text: SellerText, start: number): boolean =>
  gapBefore(text, start) < Gap.comma && others.has(wordAt(text, start - 1));

/** The color of the outside that a text states. @param own words of the car's name and its year */
export function readOutsideColor(text: SellerText, isHeading: boolean, { own }: About): Found<string> | null {
  let best: Reading | null = null;
  let isDisputed = false;
  for (const index of text.found.color) {
    const one = labels.has(wordAt(text, index)) ? afterLabel(text, index) : colorAt(text, index, isHeading, own);
    if (!one || isDirectlyDenied(text, one.from) || isWished(text, one.from)) continue;
    if (best && one.value !== best.value && one.score === best.score) isDisputed = true;
    if (!best || one.score > best.score) {
      isDisputed = false;
      best = one;
    }
  }
  return isDisputed ? null : best;
}
