import { makeDraws } from '../../lab/random.ts';
import type { TestAlert, TestListing } from './match-rows.ts';

const kinds = {
  transmission: ['automatic', 'manual'],
  fuel: ['gas', 'diesel', 'hybrid', 'plug_in_hybrid', 'electric'],
  drive: ['awd', '4wd', 'fwd', 'rwd'],
  body: ['sedan', 'suv', 'truck', 'coupe', 'hatchback', 'wagon', 'van', 'convertible'],
  titleStatus: ['clean', 'salvage', 'rebuilt'],
  seller: ['private', 'dealer'],
} as const;
const names = Object.keys(kinds) as (keyof typeof kinds)[];
const words = ['clean', 'one owner', 'parts', 'as is', 'ex', 'v6', 'low miles', 'señor', 'o'];
/** How sellers write words: with other separators, other cases, and within other words. */
const written = [
  'Clean',
  'ONE-OWNER',
  'one  owner!',
  'parts',
  'spare-partsman',
  'AS/IS',
  'as · is',
  'Ex',
  'exl',
  'V6',
  'low',
  'MILES',
  'Señor',
  'SEÑOR',
];

/** Values that are stated and that no alert asks for. */
const halves: Readonly<Record<string, readonly string[]>> = { drive: ['2wd'], titleStatus: ['lien', 'parts_only'] };

/** Draws the filters of alerts, one of which may be set in four alerts, and the facts of listings near their limits. */
export function makeFilters(source: () => number) {
  const { random, pick, maybe, whole } = makeDraws(source);
  const drawWords = () => Array.from({ length: whole(1, 2) }, () => pick(words));

  function asked(make: string, vehicles: Readonly<Record<string, readonly string[]>>): Partial<TestAlert> {
    const found: Partial<TestAlert> = {};
    const makes = Object.keys(vehicles);
    const own = vehicles[make] ?? [];
    if (random() < 0.2) {
      const other = pick(makes);
      found.models = [pick(own), ...(random() < 0.5 ? [`${other}/${pick(vehicles[other] ?? own)}`, pick(own)] : [])];
    }
    for (const name of names) if (random() < 0.06) found[name] = pick<string>(kinds[name]) as never;
    if (random() < 0.1) found.mileageMax = whole(1, 20) * 10_000;
    if (random() < 0.1) found.priceStated = random() < 0.5;
    if (random() < 0.07) found.belowFairPrice = true;
    if (random() < 0.08) found.excludeWords = drawWords();
    if (random() < 0.05) found.requireWords = drawWords();
    return found;
  }

  function stated(target: TestAlert): Partial<TestListing> {
    const found: Partial<TestListing> = {
      title: Array.from({ length: whole(0, 5) }, () => pick(written)).join(pick([' ', ', ', '-'])),
      trim: maybe(0.3, () => pick(written)),
      mileage: maybe(0.7, () =>
        pick([target.mileageMax ?? 90_000, (target.mileageMax ?? 90_000) + 1, whole(1, 200) * 1_000]),
      ),
    };
    for (const name of names) {
      const value = maybe(0.6, () => pick([target[name] ?? 'other', ...kinds[name], 'other', ...(halves[name] ?? [])]));
      found[name] = (name === 'transmission' && value === 'other' ? null : value) as never;
    }
    if (random() < 0.6) {
      const middle = whole(4, 60) * 500;
      Object.assign(found, {
        bandLow: Math.round(middle * 0.8),
        bandMiddle: middle,
        bandHigh: Math.round(middle * 1.3),
      });
    }
    return found;
  }

  return { asked, stated };
}

const wordsOf = (title: string): string =>
  ` ${title
    .toLowerCase()
    .split(/[^a-z0-9à-ÿ]+/)
    .join(' ')} `;

/** The filters beside the cars and the price, written from their description and not from the rules that matching has. */
export function oracleFiltersFit(alert: TestAlert, listing: TestListing): boolean {
  if (alert.mileageMax && (listing.mileage == null || listing.mileage > alert.mileageMax)) return false;
  for (const name of names) {
    const [asked, found] = [alert[name], listing[name]];
    if (!asked || !found || asked === found) continue;
    if (found === '2wd' && (asked === 'fwd' || asked === 'rwd')) continue;
    if (found === 'lien') continue;
    return false;
  }
  const title = wordsOf(`${listing.title ?? ''} ${listing.trim ?? ''}`);
  if (alert.excludeWords?.some((word) => title.includes(` ${word} `))) return false;
  if (!(alert.requireWords ?? []).every((word) => title.includes(` ${word} `))) return false;
  if (!alert.belowFairPrice) return true;
  const { price, bandLow, bandMiddle } = listing;
  return price !== null && bandLow != null && bandMiddle != null && price < Math.sqrt(bandLow * bandMiddle);
}
