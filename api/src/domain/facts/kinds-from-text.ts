import { type FilterKind, filterValues } from '../forms/filter-values.ts';
import { badTitles } from '../forms/shown-facts.ts';

/**
 * Facts with fixed values, each null where it is not stated. Beside the values that alerts can ask for, 'other' is a stated
 * value that is none of them, and the drive '2wd' leaves open which wheels drive.
 */
export type KindFacts = Record<Exclude<FilterKind, 'transmission'>, string | null>;

const unstated = /^(?:|unknown|other|not[ _]?(?:specified|sure|stated)|unspecified|n\/?a|none|null|any|-+)$/;

/** The first reading that fits what a field states; 'other' for a value that none of them is. */
const reader =
  (readings: readonly (readonly [value: string, pattern: RegExp])[]) =>
  (text: string): string | null => {
    const plain = text.slice(0, 100).toLowerCase().replace(/[_-]+/g, ' ').trim();
    if (unstated.test(plain)) return null;
    return readings.find(([, pattern]) => pattern.test(plain))?.[0] ?? 'other';
  };

/** The fuel in a field such as `GASOLINE`, `Flex Fuel`, `Plug-In Hybrid`. */
export const readFuel = reader([
  ['plug_in_hybrid', /plug ?in|phev/],
  ['hybrid', /hybrid|\bm?hev\b/],
  ['electric', /electric|\bb?ev\b/],
  ['diesel', /diesel/],
  ['gas', /gas|petrol|flex|e85|unleaded|ethanol/],
]);

/** The drive in a field such as `4X4`, `AWD`, `Front Wheel Drive`. */
export const readDrive = reader([
  ['awd', /awd|all ?wheel/],
  ['4wd', /4 ?wd|4 ?x ?4|(?:four|4) ?wheel/],
  ['fwd', /fwd|front/],
  ['rwd', /rwd|rear/],
  ['2wd', /2 ?wd|4 ?x ?2|(?:two|2) ?wheel/],
]);

/** The body in a field such as `SUV`, `Crew Cab Pickup`, `MINIVAN`. */
export const readBody = reader([
  ['suv', /suv|crossover|sport utility/],
  ['truck', /truck|pick ?up|crew ?cab|extended cab|regular cab|\bcab\b/],
  ['van', /van|mpv|minibus/],
  ['convertible', /convertible|cabriolet|roadster|spyder|spider/],
  ['coupe', /coupe|coupé/],
  ['hatchback', /hatch/],
  ['wagon', /wagon|estate/],
  ['sedan', /sedan|saloon/],
]);

/** The title in a field such as `CLEAN`, `Salvage`, `rebuilt title`, `PARTS_ONLY`. */
export const readTitleStatus = reader([
  ['parts_only', /\bparts\b/],
  ['rebuilt', /rebuil[td]|reconstruct/],
  ['salvage', /salvage|junk|flood/],
  ['lien', /\blien\b(?! free)/],
  ['clean', /clean|clear/],
]);

/** Who sells, by a field such as `PRIVATE_SELLER`. */
export function readSeller(text: string): 'private' | 'dealer' | null {
  const plain = text.slice(0, 100).toLowerCase();
  if (/dealer|organization/.test(plain)) return 'dealer';
  return /private|owner|individual|person/.test(plain) ? 'private' : null;
}

/** What a title denies of the car's papers: `no salvage`. It is cut out, as patterns that look behind are slow to check. */
const denied =
  /\b(?:no|not|non|never|without|isn'?t)[\s-](?:a[\s-])?(?:clean|clear|salvaged?|rebuilt|branded|reconstructed)\b/g;
/** Words that state a fact in a title, whoever writes them. Several different values state nothing. */
const inTitle: Readonly<
  Record<Exclude<FilterKind, 'seller' | 'transmission'>, readonly (readonly [string, RegExp])[]>
> = {
  fuel: [
    ['plug_in_hybrid', /\bplug[\s-]?in\b|\bphev\b/],
    ['hybrid', /(?<!plug[\s-]?in )\bhybrid\b/],
    ['diesel', /\b(?:turbo)?diesel\b|\btdi\b|\bduramax\b|\bpower ?stroke\b/],
    ['electric', /\b(?:all|fully|100%)[\s-]electric\b|\bb?ev\b|\belectric (?:vehicle|car)\b/],
  ],
  drive: [
    ['awd', /\bawd\b|\ball[\s-]wheel[\s-]drive\b/],
    ['4wd', /\b4wd\b|\b4\s?x\s?4\b|\b(?:four|4)[\s-]wheel[\s-]drive\b/],
    ['fwd', /\bfwd\b|\bfront[\s-]wheel[\s-]drive\b/],
    ['rwd', /\brwd\b|\brear[\s-]wheel[\s-]drive\b/],
    ['2wd', /\b2wd\b|\b4\s?x\s?2\b/],
  ],
  body: [
    ['sedan', /\bsedan\b|\bsdn\b/],
    ['suv', /\bsuv\b|\bsport utility\b|\bcrossover\b/],
    ['truck', /\bpick[\s-]?up\b|\b(?:crew|regular|extended|double|quad|king|access) ?cab\b/],
    ['coupe', /\bcoupe\b/],
    ['hatchback', /\bhatchback\b/],
    ['wagon', /\bwagon\b/],
    ['van', /\b(?:mini|cargo|passenger)[\s-]?van\b/],
    ['convertible', /\bconvertible\b|\bcabriolet\b/],
  ],
  titleStatus: [
    ['rebuilt', /\b(?:rebuilt|branded|reconstructed)[\s-]title\b|\btitle\W{0,2}rebuilt\b/],
    ['salvage', /\bsalvaged?\b(?! yard)/],
    ['clean', /\b(?:clean|clear)[\s-](?:\w+[\s-])?title\b/],
  ],
};

function statedIn(title: string, readings: readonly (readonly [string, RegExp])[]): string | null {
  const values = readings.filter(([, pattern]) => pattern.test(title)).map(([value]) => value);
  return values.length === 1 ? (values[0] ?? null) : null;
}

/** What a title states of these facts: `chevy silverado 1500 4x4` has four-wheel drive. */
export function kindsInTitle(title: string): Omit<KindFacts, 'seller'> {
  const plain = title.slice(0, 300).toLowerCase();
  const { fuel, drive, body, titleStatus } = inTitle;
  return {
    fuel: statedIn(plain, fuel),
    drive: statedIn(plain, drive),
    body: statedIn(plain, body),
    titleStatus: statedIn(plain.replace(denied, ' // '), titleStatus),
  };
}

const labels: Readonly<Record<string, string>> = {
  '2wd': 'Two-wheel drive',
  ...badTitles,
  other: 'Other',
};

/** A value as it is shown. */
export function kindLabel(kind: FilterKind, value: string): string {
  const known: Readonly<Record<string, string>> = filterValues[kind];
  return known[value] ?? labels[value] ?? value;
}
