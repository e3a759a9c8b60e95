import { Criterion, type Verdict, VerdictKind } from '../domain/criteria/criteria.ts';

/** Why a car fits, in words. */
export interface WhyWords {
  /** What the alert asks for and the car is: '$15,400 (asked: up to $50,000)', 'Silver, as asked'. */
  met: string[];
  /** What the seller does not state: 'Color not stated (asked: Silver)', 'Year not stated'. */
  notStated: string[];
}

const nouns: Readonly<Record<Criterion, string>> = {
  make: 'Make',
  model: 'Model',
  year: 'Year',
  price: 'Price',
  color: 'Color',
  image: 'Photo',
  distance: 'Distance',
  mileage: 'Mileage',
  transmission: 'Transmission',
  fuel: 'Fuel',
  drive: 'Drive',
  body: 'Body',
  titleStatus: 'Title status',
  seller: 'Seller',
  excludeWords: 'Words',
  requireWords: 'Words',
  belowFairPrice: 'Fair price',
};

/** '8.8 mi away' */
export function milesAway(miles: number): string {
  return `${miles < 10 ? Math.round(miles * 10) / 10 : Math.round(miles)} mi away`;
}

const asksRange = new Set<Criterion>([Criterion.year, Criterion.price, Criterion.distance, Criterion.mileage]);
/** What they ask for says enough. */
const asksWords = new Set<Criterion>([Criterion.excludeWords, Criterion.requireWords]);

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** @param miles from the alert's place, as the mail shows it elsewhere */
function metWords({ criterion, asked, found }: Verdict, miles: number): string | null {
  if (asked === null || found === null) return null;
  const shown = criterion === Criterion.distance ? milesAway(miles) : found;
  if (criterion === Criterion.image) return 'With a photo, as asked';
  if (asksWords.has(criterion)) return `${asked}, as asked`;
  const range = lowerFirst(asked).replace(/ miles$/, ' mi');
  return asksRange.has(criterion) ? `${shown} (asked: ${range})` : `${shown}, as asked`;
}

/** Of several cars that are asked for, the one that it is. */
const carWord = (verdict: Verdict | undefined): string | null | undefined =>
  verdict?.asked && verdict.verdict === VerdictKind.met ? verdict.found : verdict?.asked;

/**
 * The verdicts in words: what is met of what the alert asks for, then what the seller does not state. Make and model are one
 * line, as they are one name.
 */
export function whyWords(verdicts: readonly Verdict[], miles: number): WhyWords {
  const words: WhyWords = { met: [], notStated: [] };
  const by = new Map(verdicts.map((verdict) => [verdict.criterion, verdict]));
  const [make, model] = [by.get(Criterion.make), by.get(Criterion.model)];
  const name = [make, model]
    .map(carWord)
    .filter((part) => typeof part === 'string')
    .join(' ');
  if (name !== '') words.met.push(`${name}, as asked`);
  for (const verdict of verdicts) {
    const { criterion, asked } = verdict;
    if (verdict.verdict === VerdictKind.not_stated && criterion !== Criterion.image) {
      words.notStated.push(`${nouns[criterion]} not stated${asked === null ? '' : ` (asked: ${asked})`}`);
    }
    if (verdict.verdict !== VerdictKind.met || criterion === Criterion.make || criterion === Criterion.model) continue;
    const met = metWords(verdict, miles);
    if (met !== null) words.met.push(met);
  }
  return words;
}

/** For what a summary waited, where its reader has not asked for that. */
const waitedFor: Readonly<Record<string, string>> = {
  unconfirmed: 'until you confirmed your address',
  suppressed: 'until mails to your address were resumed',
};

/** Why the cars of a summary come now. @param heldBy the rule that held them */
export function waitedWords(heldBy: string | null | undefined): string {
  const until = waitedFor[heldBy ?? ''];
  return `They waited${until ? ` ${until}` : ', as you asked'}, and come together now.`;
}
